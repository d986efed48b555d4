import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { aService } from '../api/a-service.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';

interface Day {
  readonly location: string;
  readonly date: string;
  readonly precipitation: number;
  readonly tempMax: number;
}

interface Answer {
  readonly response: string;
  readonly dbquery: string;
  readonly visualization: string;
  readonly data: { readonly rows: (string | number | null)[][] } | null;
  readonly kind: string;
}

let datasource: string;
let conversation: string;

/** The expected figures come from the file by another way: plain JavaScript. */
function parse(text: string): readonly Day[] {
  return text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','))
    .map(([location = '', date = '', precipitation, tempMax]) => ({
      location,
      date,
      precipitation: Number(precipitation),
      tempMax: Number(tempMax),
    }));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

async function ask(message: string): Promise<Answer> {
  const { body, status } = await ada.post('/secure/assistant/chat', { conversation_id: conversation, message });
  expect(status, JSON.stringify(body)).toBe(200);
  return body['response'] as Answer;
}

async function historyNow(): Promise<Record<string, unknown>> {
  return (await ada.get(`/secure/assistant/history?conversation_id=${conversation}`)).body;
}

const api = await aService();
const ada = await api.signIn('acme');
const csv = await readFile('samples/weather.csv', 'utf8');
const days = parse(csv);

describe('from a CSV to a charted answer', () => {
  it('says what is in the file, imports it in the background, tells the room when the rows are there, and lists it', async () => {
    const { status, body: upload } = await ada.upload(csv, 'weather.csv');
    expect(status).toBe(200);
    expect(upload).toMatchObject({
      ...{ error: false, message: 'datasource file uploaded', file: 'weather.csv', size: Buffer.byteLength(csv) },
      columns: [['location', 'date', 'precipitation', 'temp_max', 'temp_min', 'wind', 'weather']],
      sample: ['Seattle', '2012-01-01', '0.0', '12.8', '5.0', '4.7', 'drizzle'],
      dialects: [{ delimiter: ',', has_header: true }],
      filename: expect.stringMatching(/^[0-9a-f]{32}\.csv$/) as string,
    });
    await using room = await StreamClient.open(streamUrl(api.url, 'imports', String(ada.token)));
    const { body } = await ada.put('/secure/datasource', {
      ...{ name: 'Weather', type: 'csv', filename: upload['filename'], file: 'weather.csv' },
      config: { is_timeseries: true, timefield: 'date', metafield: 'location', context: 'Daily weather' },
    });
    expect(body).toMatchObject({ error: false });
    datasource = String(body['datasource_id']);
    await api.drain();
    await room.hears({
      event: 'datasource-updated',
      data: { datasource_id: datasource, action: 'updated', rows: days.length, doc_count: days.length, rejected: 0 },
    });

    const { body: found } = await ada.get(`/secure/datasource?id=${datasource}`);
    expect(found['datasource']).toMatchObject({
      ...{ name: 'Weather', updating: false, doc_count: days.length, files: ['weather.csv'] },
      d_files: [{ file: 'weather.csv', rows: days.length, rejected: 0, size: Buffer.byteLength(csv) }],
      import: { status: 'ready', rows: days.length, rejected: 0, percent: 100, error: null },
      config: {
        ...{ assets: ['New York', 'Seattle'], timefield: 'date', metafield: 'location', timeformat: 'yyyy-MM-dd' },
        values: ['precipitation', 'temp_max', 'temp_min', 'wind'],
      },
    });
    const { body: all } = await ada.get('/secure/datasources');
    expect(all).toMatchObject({ total: 1, datasources: [{ id: datasource }] });
    const { body: plain } = await ada.post('/secure/datasources/plain', { search: 'WEATH', page: 0 });
    expect(plain).toMatchObject({ total: 1, datasources: [{ id: datasource, name: 'Weather' }] });
    const { body: none } = await ada.post('/secure/datasources/plain', { search: '%', page: 0 });
    expect(none).toMatchObject({ total: 0, datasources: [] });
  });

  it('plots an asset: every row when they fit, equal buckets when not', async () => {
    const seattle = days.filter(({ location }) => location === 'Seattle');
    const month = seattle.filter(({ date }) => date.startsWith('2014-03'));
    const about = { datasource_id: datasource, asset: 'Seattle', value: 'temp_max' };
    const { body: rows } = await ada.post('/secure/data/plot', { ...about, from: '2014-03-01', to: '2014-04-01' });
    expect(rows).toMatchObject({
      total: 31,
      data: month.map(({ date, tempMax }) => ({ timestamp: `${date}T00:00:00.000Z`, value: tempMax })),
    });
    const { body: cut } = await ada.post('/secure/data/plot', { ...about, from: '', to: '', points: 50 });
    const buckets = cut['data'] as { value: number; min: number; max: number; count: number }[];
    expect(cut['total']).toBe(seattle.length);
    expect(buckets.length).toBeLessThanOrEqual(50);
    expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(seattle.length);
    expect(Math.max(...buckets.map(({ max }) => max))).toBe(Math.max(...seattle.map(({ tempMax }) => tempMax)));
  });

  it('answers in a conversation: counts by filters, averages by group with a chart, and what it can not', async () => {
    const { body } = await ada.post('/secure/assistant/conversation', { title: ' Rain ', datasource_id: datasource });
    conversation = String(body['id']);
    const { body: found } = await ada.get(`/secure/assistant/conversation/${conversation}`);
    expect(found['conversation']).toMatchObject({
      ...{ _id: conversation, title: 'Rain', datasource_id: datasource, datasource_name: 'Weather' },
      ...{ status: 'ready', pinned: false, context_only: false, last_message_at: null },
    });
    const sunny = csv.split('\n').filter((line) => /^Seattle,2014-.*,sun\r?$/.test(line)).length;
    const counted = await ask('How many sunny days were there in Seattle in 2014?');
    expect(counted).toMatchObject({
      ...{ kind: 'answer', model: 'built-in analyst', dbquery: expect.stringMatching(/select/i) as string },
      ...{
        evidence: { rows_scanned: days.length, queries: 1 },
        response: expect.stringContaining(String(sunny)) as string,
      },
    });
    expect(counted.data!.rows.flat()).toContain(sunny);

    const averaged = await ask('What is the average temp_max by location?');
    const figures = new Map(averaged.data!.rows.map((row) => [row[0], Number(row.at(-1))]));
    for (const location of ['Seattle', 'New York']) {
      const expected = mean(days.filter((day) => day.location === location).map(({ tempMax }) => tempMax));
      expect(figures.get(location)).toBeCloseTo(expected, 6);
    }
    expect(averaged).toMatchObject({ chart: { $schema: expect.stringContaining('vega-lite') as string } });
    const image = await ada.bytes(`/secure/assistant/visualizations/${averaged.visualization}`);
    expect(image).toMatchObject({ status: 200, type: 'image/png' });
    expect(image.bytes.subarray(1, 4).toString()).toBe('PNG');

    const other = await ask('Why do people in Seattle love coffee?');
    expect(other.kind).not.toBe('answer');
    expect(other.dbquery).toBe('');
    expect(other.response).toMatch(/\?|can(no|')t|not/i);
  });

  it('streams a trend: frames in order, chunks that make up the answer, exactly one end', async () => {
    const asked = { conversation_id: conversation, message: 'Average temp_max per month in Seattle' };
    const messageId = String((await ada.post('/secure/assistant/chatstream', asked)).body['message_id']);
    await using room = await StreamClient.open(streamUrl(api.url, messageId, String(ada.token)));
    await room.hears({ event: 'chat-complete' });
    const { frames } = room;
    expect(frames.map(({ data }) => data['seq'])).toEqual(frames.map((_, index) => index + 1));
    expect(frames[0]?.event).toBe('chat-loading');
    const answer = frames.at(-1)!.data['response'] as Answer;
    const chunks = frames.filter(({ event }) => event === 'chat-chunk').map(({ data }) => data['chunk']);
    expect(chunks.join('')).toBe(answer.response);
    expect(frames.filter(({ event }) => event === 'chat-visualization')).toHaveLength(1);
    const january = days.filter(({ location, date }) => location === 'Seattle' && date.startsWith('2012-01'));
    const [first] = answer.data!.rows;
    expect(String(first![0])).toContain('2012-01-01');
    expect(Number(first!.at(-1))).toBeCloseTo(mean(january.map(({ tempMax }) => tempMax)), 6);
    expect(answer.data!.rows).toHaveLength(48);
  });

  it('keeps the history, oldest first, for its user alone, but for questions that are not to be kept', async () => {
    const kept = await historyNow();
    const history = kept['history'] as { role: string; message: string; response?: Answer }[];
    expect(history.map(({ role }) => role)).toEqual(Array.from({ length: 4 }, () => ['user', 'assistant']).flat());
    expect(history[0]?.message).toBe('How many sunny days were there in Seattle in 2014?');
    expect(history[3]?.response?.visualization).toMatch(/\.png$/);
    expect(kept['has_more']).toBe(false);
    const colleague = await api.signIn('acme');
    expect((await colleague.get(`/secure/assistant/history?conversation_id=${conversation}`)).status).toBe(404);
    const unkept = { conversation_id: conversation, message: 'how many rows', skip_save_history: true };
    await ada.post('/secure/assistant/chat', unkept);
    expect(await historyNow()).toEqual(kept);
  });

  it('answers one question of a conversation at a time', async () => {
    const body = { conversation_id: conversation, message: 'average wind by weather' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => ada.post('/secure/assistant/chat', body)));
    const busy = answers.filter(({ status }) => status === 409);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    for (const { body: refused } of busy) expect(refused['message']).toBe('conversation is busy');
    expect(busy.length).toBeGreaterThan(0);
  });

  it('takes conversations, images and rows along when a datasource is deleted', async () => {
    const history = (await historyNow())['history'] as { response?: Answer }[];
    const image = history.find(({ response }) => (response?.visualization ?? '') !== '')!.response!.visualization;
    const other = await api.signIn('acme');
    expect((await other.delete('/secure/datasource', { id: datasource })).status).toBe(403);
    expect((await ada.delete('/secure/datasource', { id: datasource, permanent: true })).status).toBe(200);
    expect((await ada.get(`/secure/datasource?id=${datasource}`)).status).toBe(404);
    await api.drain();
    expect((await ada.get(`/secure/assistant/conversation/${conversation}`)).status).toBe(404);
    expect((await ada.bytes(`/secure/assistant/visualizations/${image}`)).status).toBe(404);
  });
});
