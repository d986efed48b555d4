import { describe, expect, it } from 'vitest';
import { AppConfig } from './app-config.js';
import { EnvironmentError, readEnvironment } from './environment.js';

const JWT_SECRET = 'x'.repeat(32);
/** What instances share. */
const SHARED = {
  MONGODB_URI: 'mongodb://localhost/x',
  REDIS_URL: 'redis://localhost',
  OBJECT_STORE_URL: 's3+http://key:secret@localhost/bucket',
};

function problemsOf(variables: Record<string, string>): readonly string[] {
  try {
    readEnvironment(variables);
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
  return [];
}

const configOf = (variables: Record<string, string>): AppConfig => new AppConfig(readEnvironment(variables));

describe('the environment', () => {
  it('needs nothing', () => {
    const config = configOf({});
    expect(config.server).toMatchObject({ port: 3000, host: '127.0.0.1', corsOrigins: [], trustProxy: 0 });
    expect(config.storage.mongodbUri).toBeNull();
    expect(config.model).toBeNull();
  });

  it('passes on what is said of the model, and no more', () => {
    const known = { apiKey: 'sk', baseUrl: null, model: 'gpt-4o-mini', temperature: 0, timeoutMs: 30_000 };
    const said = { OPENAI_MAX_TOKENS: '500', OPENAI_REASONING_EFFORT: 'low', OPENAI_REFUSES: 'tools, $ref' };
    const all = { ...known, maxTokens: 500, reasoningEffort: 'low', refuses: ['tools', '$ref'] };
    expect(configOf({ OPENAI_API_KEY: 'sk' }).model).toEqual({ ...known, refuses: [] });
    expect(configOf({ OPENAI_API_KEY: 'sk', ...said }).model).toEqual(all);
    // A compatible endpoint needs no key.
    const { model } = configOf({ OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1' });
    expect(model).toMatchObject({ apiKey: null, baseUrl: 'http://127.0.0.1:8000/v1' });
  });

  it('reports every bad variable at once, by name and never by value', () => {
    const problems = problemsOf({ PORT: 'many', LOG_LEVEL: 'shout', RATE_LIMIT: '-1', JWT_SECRET: 'short-secret' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(
      expect.arrayContaining(['PORT', 'LOG_LEVEL', 'RATE_LIMIT', 'JWT_SECRET']),
    );
    expect(problems.join('\n')).not.toMatch(/many|shout|short-secret/);
  });

  it.each([
    [{ MONGODB_URI: 'mongodb://localhost/x' }, 'JWT_SECRET'],
    [{ MONGODB_URI: 'http://localhost' }, 'MONGODB_URI'],
    [{ REDIS_URL: 'http://localhost' }, 'REDIS_URL'],
    [{ REDIS_PREFIX: 'a:b' }, 'REDIS_PREFIX'],
    [{ OBJECT_STORE_URL: 's3+https://host' }, 'OBJECT_STORE_URL'],
    [{ ROW_STORE: 'mongodb' }, 'ROW_STORE'],
    [{ HTTP: 'false', WORKER: 'false' }, 'HTTP and WORKER'],
    [{ HTTP: 'false' }, 'HTTP'],
    [{ OPENAI_BASE_URL: 'nowhere' }, 'OPENAI_BASE_URL'],
    [{ OPENAI_REFUSES: 'a;b' }, 'OPENAI_REFUSES'],
    ...['true', '-1', '1.5', '100', '10.0.0.0/33', '10.0.0/8', '0.0.0.0/0', '::/0', '10.0.0.1,', 'proxy.example'].map(
      (TRUST_PROXY): [Record<string, string>, string] => [{ TRUST_PROXY }, 'TRUST_PROXY'],
    ),
    [{ BOOTSTRAP_PASSWORD: 'short' }, 'BOOTSTRAP_PASSWORD'],
  ])('refuses %j and names %s', (variables, name) => {
    expect(problemsOf(variables).some((problem) => problem.startsWith(name))).toBe(true);
  });

  it('is of one of many instances with all that instances share, and alone with one of it or none', () => {
    for (const one of [{}, ...Object.entries(SHARED).map(([name, value]) => ({ [name]: value, JWT_SECRET }))])
      expect(configOf(one).instance, JSON.stringify(one)).toMatchObject({ alone: true });
    for (const roles of [{}, { HTTP: 'false' }, { WORKER: 'false' }]) {
      const { instance } = configOf({ ...SHARED, JWT_SECRET, ...roles });
      expect(instance).toEqual({ http: !('HTTP' in roles), worker: !('WORKER' in roles), alone: false });
    }
  });

  it.each(Object.keys(SHARED))('is refused with two of it: without %s', (missing) => {
    const set = Object.keys(SHARED).filter((name) => name !== missing);
    expect(problemsOf({ ...SHARED, JWT_SECRET, [missing]: '' })).toEqual([
      `${set.join(' and ')} are set and ${missing} is not: many instances need all three`,
    ]);
  });

  it('counts the cache of rows and the quota in GiB, also in fractions, and a quota of 0 as none', () => {
    const cacheOf = (ROW_CACHE_GIB: string): number => configOf({ ROW_CACHE_GIB }).storage.rowCacheBytes;
    expect(['', '0.5'].map(cacheOf)).toEqual([50 * 1024 ** 3, 512 * 1024 ** 2]);
    const quotaOf = (gib: string): number => configOf({ STORAGE_QUOTA_GIB: gib }).limits.storageQuotaBytes;
    expect(['', '0', '0.5'].map(quotaOf)).toEqual([Infinity, Infinity, 512 * 1024 ** 2]);
  });

  it.each([
    ['false', 0],
    ['2', 2],
    ['10.0.0.1', ['10.0.0.1']],
    ['10.0.0.0/8, fd00::/8,::1', ['10.0.0.0/8', 'fd00::/8', '::1']],
  ])('trusts proxies by number or by network: %j', (TRUST_PROXY, trustProxy) => {
    expect(configOf({ TRUST_PROXY }).server).toMatchObject({ trustProxy });
  });

  it('splits the web origins', () => {
    const { server } = configOf({ CORS_ORIGINS: 'https://a.example, https://b.example' });
    expect(server.corsOrigins).toEqual(['https://a.example', 'https://b.example']);
  });
});
