import { expect, it } from 'vitest';
import type { Place } from '../../../ports/place-reader.js';
import { fileNameOf, shownAddress } from './place-rules.js';

const at = (kind: Place['kind'], address: string): Place => ({
  kind,
  address,
  user: '',
  secret: '',
  query: '',
  ca: '',
  tls: true,
});

it.each([
  [at('https', 'https://example.com/a/sales%202026.csv?x=1'), 'sales 2026.csv'],
  [at('https', 'https://example.com/export'), 'export.csv'],
  [at('https', 'https://example.com/'), 'https.csv'],
  [at('https', 'https://example.com/a%2F..%2Fb.xlsx'), 'a_.._b.xlsx'],
  [at('s3', 's3://bucket/2026/rows.parquet?region=x'), 'rows.parquet'],
  [at('postgresql', 'postgresql://host/shop.v2'), 'shop.v2.csv'],
])('%j gives a file that is always called %s', (place, name) => {
  expect(fileNameOf(place)).toBe(name);
});

it('a place is shown without what may be a secret', () => {
  expect(shownAddress(at('https', 'https://example.com/a.csv?token=1'))).toBe('https://example.com/a.csv?…');
  expect(shownAddress(at('s3', 's3://bucket/a.csv?region=eu'))).toBe('s3://bucket/a.csv?region=eu');
});
