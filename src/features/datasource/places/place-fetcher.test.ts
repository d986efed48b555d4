import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Place, PlaceReader } from '../../../ports/place-reader.js';
import type { SecretBox } from '../../../ports/secret-box.js';
import { asId } from '../../../shared/ids.js';
import type { StorageQuota } from '../upload/storage-quota.js';
import type { UploadService } from '../upload/upload.service.js';
import { PlaceFetcher } from './place-fetcher.js';

const PLACE: Place = {
  kind: 'https',
  tls: true,
  address: 'https://a.example/b',
  user: '',
  secret: '',
  query: '',
  ca: '',
};

it('loses nothing that the place sends while its secret is sealed', async () => {
  const source = Readable.from(['device,', 'at\n', 'a,1\n'].map((part) => Buffer.from(part)));
  const reader: Partial<PlaceReader> = { open: () => Promise.resolve({ source, written: null, version: null }) };
  let [received, counted] = ['', 0];
  const uploads = {
    receive: async (_: unknown, file: { source: Readable }) => void (received = await text(file.source)),
  };
  const room = { reserve: () => Promise.resolve({ of: { replaced: null }, [Symbol.dispose]: () => undefined }) };
  // The first secret of a service takes long, since its key is made then.
  const seal = async (): Promise<string> => {
    for (let turns = 0; turns < 20; turns += 1) await turn();
    return 'sealed';
  };
  const fetcher = new PlaceFetcher(
    reader as PlaceReader,
    uploads as unknown as UploadService,
    room as unknown as StorageQuota,
    { seal } as Partial<SecretBox> as SecretBox,
  );
  const by = { companyId: asId<never>('acme'), userId: asId<never>('ada') };
  await fetcher.fetch(by, PLACE, { signal: new AbortController().signal, onBytes: (bytes) => (counted = bytes) });
  expect([received, counted]).toEqual(['device,at\na,1\n', 14]);
});
