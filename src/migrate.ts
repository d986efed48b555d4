import './adapters/processes/private-files.js';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { claimDataFolder } from './rows/data-folder-claim.js';
import { LmdbArchive } from './adapters/embedded/lmdb-archive.js';
import { MongoDocumentStore } from './adapters/mongo/mongo-document-store.js';
import { LocalObjectStore } from './adapters/storage/local-object-store.js';
import { SystemClock } from './adapters/system/system-clock.js';
import { runMigrate, type Migrate, type MigrateOptions } from './migration/migrate.command.js';
import { Migration, type MigrationEnds } from './migration/migration.js';
import { RowFiles } from './rows/row-files.js';

const migrate: Migrate = async (options, tell) => {
  const clock = new SystemClock();
  const dataDir = resolve(options.from);
  await using _claim = await claimDataFolder({ dataDir });
  await new RowFiles(dataDir).assertNoOlderRows();
  await using archive = await LmdbArchive.open(join(dataDir, 'documents'));
  const store = new MongoDocumentStore(options.to, clock);
  try {
    await store.open();
    const ends = { from: archive, to: store, objects: await objectsOf(options), clock };
    return await new Migration(ends, tell).run();
  } finally {
    await store.close();
  }
};

async function objectsOf({ from, objects }: MigrateOptions): Promise<MigrationEnds['objects']> {
  if (objects === undefined) return null;
  const { s3Address } = await import('./adapters/storage/s3-address.js');
  const { S3ObjectStore } = await import('./adapters/storage/s3-object-store.js');
  // Nothing is read by a child process here, so that no copy is ever made.
  const copies = join(tmpdir(), `migrate-${randomBytes(6).toString('hex')}`);
  // Not opened: opening tidies up, and nothing of the source may change.
  return {
    from: new LocalObjectStore(join(resolve(from), 'objects')),
    to: new S3ObjectStore(s3Address(objects), copies),
  };
}

process.exitCode = await runMigrate(process.argv.slice(2), migrate);
