import { afterAll } from 'vitest';
import { MailSink } from '../support/mail-sink.js';
import { startTestApi, type TestApi, type TestApiOptions } from '../support/test-api.js';

/** The service that the tests of a file share, ended after them. Nobody is slowed down if the file does not say so. */
export async function aService({ environment, ...options }: TestApiOptions = {}): Promise<TestApi> {
  const api = await startTestApi({
    ...options,
    environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0', ...environment },
  });
  afterAll(() => api[Symbol.asyncDispose]());
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
