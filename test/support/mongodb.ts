import { randomBytes } from 'node:crypto';
import { createConnection } from 'mongoose';

/** The server that tests may use; undefined: what needs one is skipped, and says so. */
export const mongodbServer = serverFromEnvironment();

function serverFromEnvironment(): string | undefined {
  const uri = process.env['TEST_MONGODB_URI'];
  if (uri !== undefined && uri !== '') return uri;
  if (process.env['TEST_REQUIRE_ALL'] === '1') throw new Error('TEST_REQUIRE_ALL is set, but TEST_MONGODB_URI is not');
  console.warn('SKIPPED: what needs MongoDB. To run it: TEST_MONGODB_URI=mongodb://127.0.0.1:27017/test npm test');
  return undefined;
}

/** The address of a database that nobody else has. */
export function aDatabase(): string {
  return databaseAt(`test-${randomBytes(6).toString('hex')}`);
}

export function databaseAt(name: string): string {
  const uri = new URL(mongodbServer ?? 'mongodb://nowhere');
  uri.pathname = `/${name}`;
  return uri.href;
}

export async function dropDatabase(uri: string): Promise<void> {
  const connection = await createConnection(uri).asPromise();
  await connection.dropDatabase();
  await connection.close();
}
