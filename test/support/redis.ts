import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';

/** The server that tests may use; undefined: what needs one is skipped, and says so. */
export const redisServer = serverFromEnvironment();

function serverFromEnvironment(): string | undefined {
  const url = process.env['TEST_REDIS_URL'];
  if (url !== undefined && url !== '') return url;
  if (process.env['TEST_REQUIRE_ALL'] === '1') throw new Error('TEST_REQUIRE_ALL is set, but TEST_REDIS_URL is not');
  console.warn('SKIPPED: what needs Redis. To run it: TEST_REDIS_URL=redis://127.0.0.1:6379 npm test');
  return undefined;
}

/** A name in Redis that nobody else has. */
export function anInstallation(): string {
  return `test-${randomBytes(6).toString('hex')}:`;
}

/** Removes all that an installation left in Redis. */
export async function forgetInstallation(installation: string): Promise<void> {
  const redis = new Redis(redisServer ?? '');
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `*${installation}*`, 'COUNT', 1000);
    if (keys.length > 0) await redis.del(keys);
    cursor = next;
  } while (cursor !== '0');
  redis.disconnect();
}
