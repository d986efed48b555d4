import { afterAll, expect, it } from 'vitest';
import { ReadingProcess } from '../../src/analyst/reading-process.js';
import { WEATHER } from '../../src/analyst/profiles.fixture.js';
import { understandAll } from '../../src/analyst/understand.js';
import { asId, type CompanyId } from '../../src/shared/ids.js';

const { table, now } = WEATHER;
const QUESTION = { message: 'average wind by location', table, history: [], now, companyId: asId<CompanyId>('other') };
const LONG = {
  ...{ ...QUESTION, companyId: asId<CompanyId>('flood') },
  message: 'average wind above 3 and rain below 4 by location and by week and '.repeat(60),
};
const PATIENT = new AbortController().signal;

const reading = new ReadingProcess();
afterAll(() => {
  reading.onApplicationShutdown();
});

it('a message is read as in the thread of the service', async () => {
  const parts = await reading.read(QUESTION, PATIENT);
  expect(parts).toEqual(understandAll(QUESTION.message, table, [], now));
  expect(parts).toMatchObject([{ understanding: { kind: 'plan' } }]);
});

it.each(['\n', ' ', '\n ', ',', '- ', 'and '])(
  'a message of nothing but %j is read in the time that one may take',
  async (piece) => {
    const message = piece.repeat(8000 / piece.length);
    await expect(reading.read({ ...QUESTION, message }, PATIENT)).resolves.toHaveLength(1);
  },
);

it('a company that sends long messages without end does not keep another waiting, nor the service', async () => {
  const ended: string[] = [];
  const flood = Array.from({ length: 6 }, () => reading.read(LONG, PATIENT).then(() => ended.push('flood')));
  let beats = 0;
  const heart = setInterval(() => (beats += 1), 10);
  await reading.read(QUESTION, PATIENT);
  clearInterval(heart);

  expect(ended.length, 'those that were ahead').toBeLessThan(3);
  expect(beats).toBeGreaterThan(0);
  await Promise.all(flood);
});

it('a message is not read any more when nobody waits for it, or the service stops', async () => {
  const stopped = new AbortController();
  const first = reading.read(LONG, PATIENT);
  const second = reading.read(LONG, stopped.signal);
  stopped.abort(new Error('the asker has left'));
  await expect(second).rejects.toThrow('the asker has left');
  await first;

  reading.onApplicationShutdown();
  await expect(reading.read(QUESTION, PATIENT)).rejects.toMatchObject({ kind: 'unavailable' });
});
