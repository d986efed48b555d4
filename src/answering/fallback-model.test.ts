import { expect, it } from 'vitest';
import type { ModelDelta } from '../ports/chat-model.js';
import { AppError, type ErrorKind } from '../shared/app-error.js';
import * as fixture from './answering.fixture.js';
import { FallbackModel } from './fallback-model.js';

const { calls, ends, says, QUERY, ScriptedModel } = fixture;
const NOTE = '_The model scripted is not available at the moment, so the scripted answered._';
const away = (kind: ErrorKind = 'unavailable'): never => {
  throw new AppError(kind, 'away');
};

async function answered(first: fixture.Script, patienceMs = 60_000) {
  const standIn = new ScriptedModel((request) =>
    request.exchanges.length === 0 ? [QUERY, ends('tool_calls')] : [...says('By the other.'), ends()],
  );
  const model = new ScriptedModel(first);
  const answering = fixture.answeringWith(new FallbackModel(model, { standIn, patienceMs }));
  const { answer } = await fixture.foldAnswer(answering.answer(fixture.aQuestion(), fixture.PATIENT));
  return { answer, standIn, model };
}

it('a model with another behind it is not heard of while it is there', async () => {
  const { answer, standIn } = await answered(() => [...says('Fine.'), ends()]);
  expect(answer.response).toBe('Fine.');
  expect(standIn.requests).toHaveLength(0);
});

it('a model gives way to the other for good, which begins with the question', async () => {
  const { answer, standIn, model } = await answered((_, round) => (round === 1 ? [QUERY, ends('tool_calls')] : away()));
  expect(answer.response).toBe(`By the other.\n\n${NOTE}`);
  expect(model.requests).toHaveLength(2);
  expect(standIn.requests.map(({ exchanges }) => exchanges.length)).toEqual([0, 1]);
});

it('no call of a round that broke off is run', async () => {
  const { answer } = await answered(function* () {
    yield calls('run_query', { sql: 'DROP', purpose: 'x' });
    away();
  });
  expect(answer.evidence.queries).toBe(1);
  expect(answer.dbquery).not.toContain('DROP');
});

it('a model gives way when it says nothing for too long, and not when it is only slow', async () => {
  const pause = (ms: number): Promise<unknown> => new Promise((wake) => setTimeout(wake, ms));
  async function* slow(): AsyncGenerator<ModelDelta> {
    yield { kind: 'text', text: 'Slow, ' };
    await pause(60);
    yield* [...says('but there.'), ends()];
  }
  expect((await answered(slow, 20)).answer.response).toBe('Slow, but there.');
  async function* silent(): AsyncGenerator<ModelDelta> {
    // Only the patience makes this a reason to give way.
    yield await pause(200).then((): ModelDelta => away('timed_out'));
  }
  expect((await answered(silent, 20)).answer.response).toContain('By the other.');
});

it('a conversation that is too long is not hidden', async () => {
  await expect(answered(() => away('invalid_input'))).rejects.toThrow('away');
});
