import { expect, it } from 'vitest';
import { aService } from './a-service.js';

const api = await aService({
  environment: {
    ...{ OPENAI_API_KEY: 'sk-canary', OPENAI_MODEL: 'some-model', UPLOAD_MAX_BYTES: '5000000', SOCKETS_PER_USER: '7' },
    ...{ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'service@example.com' },
  },
});

it('the capabilities tell what is taken and who answers, and what they tell holds', async () => {
  const ada = await api.signIn('acme');
  const answer = await ada.get('/secure/capabilities');
  expect(answer).toMatchObject({
    status: 200,
    body: {
      error: false,
      message: 'capabilities retrieved',
      limits: {
        ...{ upload_bytes: 5_000_000, rows_per_insert: 1000, message_characters: 8000, sockets_per_user: 7 },
        ...{ context_file_bytes: 52_428_800, storage_bytes: null, thinking_task_intervals: [15, 30, 60, 120, 1440] },
      },
      formats: {
        datasource_files: ['csv', 'tsv', 'txt', 'xlsx', 'parquet', 'json', 'ndjson', 'zip', 'gz', 'zst'],
        context_files: expect.arrayContaining(['application/pdf']) as unknown,
      },
      assistant: { model: 'some-model', built_in: false, fallback: false, answer_seconds: 120, tool_calls: 12 },
      row_engine: 'duckdb',
      mail: true,
    },
  });
  const ask = async (characters: number): Promise<number> => {
    const body = { conversation_id: 'a'.repeat(24), message: 'x'.repeat(characters) };
    return (await ada.post('/secure/assistant/chat', body)).status;
  };
  expect([await ask(8001), await ask(8000)]).toEqual([400, 404]);
});

it('the capabilities tell no company of another’s settings, and nobody a key or an address', async () => {
  const [boss, eve] = [await api.signIn('acme', { role: 'manager' }), await api.signIn('globex')];
  const limits = { tokens_per_day: 5 };
  const assistant = { model: 'secret-project', instructions: 'canary of instructions', limits };
  expect((await boss.patch('/secure/settings', { config: { assistant } })).status).toBe(200);
  const theirs = JSON.stringify((await eve.get('/secure/capabilities')).body);
  expect(theirs).toContain('some-model');
  expect(theirs).not.toMatch(/secret-project|canary/);
  const own = JSON.stringify((await boss.get('/secure/capabilities')).body);
  expect(own).toContain('secret-project');
  expect(own).not.toMatch(/sk-|canary|https?:/);
});
