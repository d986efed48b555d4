import { s3Address } from '../../src/adapters/storage/s3-address.js';
import { S3ObjectStore } from '../../src/adapters/storage/s3-object-store.js';
import { type RowFile, RowObjects } from '../../src/rows/row-objects.js';
import { asId } from '../../src/shared/ids.js';

/** Asks for a file, for tests that end it meanwhile. */
const [, , url = '', folder = '', company = '', file = ''] = process.argv;
const objects = new S3ObjectStore(s3Address(url), `${folder}-copies`);
await objects.open();
const rows = new RowObjects(objects, { folder, mostBytes: Number.MAX_SAFE_INTEGER });
await rows.open();
await rows.path(asId(company), JSON.parse(file) as RowFile);
