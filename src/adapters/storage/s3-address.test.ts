import { describe, expect, it } from 'vitest';
import { s3Address } from './s3-address.js';

describe('the address of a bucket', () => {
  const usual = { endpoint: null, region: 'us-east-1', bucket: 'files', prefix: '', credentials: null };
  const credentials = { accessKeyId: 'key', secretAccessKey: 'se/cret' };

  it.each([
    ['s3://files/a/b?region=eu-central-1', { region: 'eu-central-1', prefix: 'a/b/' }],
    ['s3+http://key:se%2Fcret@minio:9000/files', { endpoint: 'http://minio:9000', credentials }],
    ['s3+https://storage.example/files/analytics/', { endpoint: 'https://storage.example', prefix: 'analytics/' }],
  ])('%s', (text, address) => {
    expect(s3Address(text)).toEqual({ ...usual, ...address });
  });

  it.each(['', 'https://x/y', 's3://', 's3+https://host', 's3+https://key@host/bucket', 'x'])('%j is none', (text) => {
    expect(() => s3Address(text)).toThrow(TypeError);
  });

  it('is not told when it is none, because it may hold a secret', () => {
    expect(() => s3Address('http://key:secret@host')).toThrow(/^no address of a bucket$/);
  });
});
