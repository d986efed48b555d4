import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { MailSink } from '../support/mail-sink.js';
import { OpenAiDouble } from '../support/openai-double.js';
import { startTestApi, type TestApi, type TestApiOptions } from '../support/test-api.js';
import { way } from '../support/way.js';

/** Nobody is slowed down if a file does not say so. */
const UNLIMITED = { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' };

/** The service that the tests of a file share, ended after them. */
export async function aService({ environment, ...options }: TestApiOptions = {}): Promise<TestApi> {
  const api = await startTestApi({ ...options, environment: { ...UNLIMITED, ...environment } });
  afterAll(() => api[Symbol.asyncDispose]());
  return api;
}

let shared: Promise<TestApi> | null = null;

/**
 * The service that one file after another shares, with companies of the file's own: for tests that look at those alone, move the clock
 * forward if at all, and leave nothing scheduled. It ends with the process, and its folder is removed after the run.
 */
export async function theService(): Promise<TestApi> {
  const root = process.env['TEST_RUN_FOLDER'];
  if (way !== 'embedded' || root === undefined) return aService();
  shared ??= startTestApi({ dataDir: await mkdtemp(join(root, 'shared-')), environment: UNLIMITED });
  const api = (await shared).anew();
  afterAll(() => api.drain());
  return api;
}

/** The same, which sends mails to a server of the file's own. */
export async function aServiceWithMail(options: TestApiOptions = {}): Promise<[TestApi, MailSink]> {
  const sink = await MailSink.start();
  afterAll(() => sink[Symbol.asyncDispose]());
  const PUBLIC_URL = 'https://data.example.com/';
  return [
    await aService({ ...options, environment: { ...sink.environment, PUBLIC_URL, ...options.environment } }),
    sink,
  ];
}

/** The same, which asks a model that does what the file says. */
export async function aServiceWithModel(options: TestApiOptions = {}): Promise<[TestApi, OpenAiDouble]> {
  const double = await OpenAiDouble.start();
  afterAll(() => double[Symbol.asyncDispose]());
  const model = { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'sk-canary-of-a-key', OPENAI_MODEL: 'double' };
  return [await aService({ ...options, environment: { ...model, ...options.environment } }), double];
}
