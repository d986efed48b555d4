import fc from 'fast-check';
import iconv from 'iconv-lite';
import papa from 'papaparse';
import { expect, it } from 'vitest';
import { NULL_MARKERS } from '../../src/shared/null-markers.js';
import { importBench, typed } from './duckdb-import.fixture.js';
import { BAD_BYTE, GENERATED_COLUMNS, type GeneratedFile, generatedFile } from './generated-files.js';
import type { Written } from './row-engine.fixture.js';

const FILES = process.env['TEST_LONG'] === undefined ? 80 : 2000;
const FILES_AT_ONCE = 200;

const { imported } = importBench();
const COLUMNS = typed(
  ...([
    ['no', 'integer'],
    ['time', 'time'],
    ['device', 'text'],
    ['value', 'number'],
    ['count', 'integer'],
    ['note', 'text'],
  ] as const),
);

function writtenAs({ text, dialect }: GeneratedFile): Written {
  const parts = text.split(BAD_BYTE).map((part) => iconv.encode(part, dialect.encoding));
  const bytes = parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from([0xe9]), part]));
  return { text: Buffer.concat(bytes), dialect, columns: GENERATED_COLUMNS };
}

/** The rows as another parser reads the lines that can be read. */
function otherwiseRead({ kept, dialect }: GeneratedFile): readonly (readonly (string | number | null)[])[] {
  const { delimiter, quote, escape, decimal } = dialect;
  const wrapping = { quoteChar: quote === '' ? '\u0000' : quote, escapeChar: quote === '' ? '\u0000' : escape };
  const { data } = papa.parse<string[]>(kept, { delimiter, ...wrapping, newline: '\n', skipEmptyLines: true });
  return data.map(([no, time, device, value = '', count = '', note]) => [
    ...[Number(no), time ?? null, device ?? null, numberIn(value, decimal)],
    ...[NULL_MARKERS.includes(count.trim()) ? null : count, note === '' ? null : (note ?? null)],
  ]);
}

function numberIn(text: string, decimal: '.' | ','): number | null {
  if (NULL_MARKERS.includes(text.trim())) return null;
  const groups = decimal === '.' ? /[ ,]/g : /[ .]/g;
  return Number(text.replace(groups, '').replace(',', '.'));
}

function sorted(rows: readonly (readonly unknown[])[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

it('keeps or counts every line of every file, and reads what it keeps as another parser does', async () => {
  const no = fc.integer({ min: 0, max: 1e9 });
  const all = fc.sample(
    no.chain((one) => generatedFile(one)),
    FILES,
  );
  for (let start = 0; start < all.length; start += FILES_AT_ONCE) {
    const files = all.slice(start, start + FILES_AT_ONCE);
    const { report, rows } = await imported(files.map(writtenAs), COLUMNS);
    const counts = report.files.map(({ rows, rejected }, index) => ({ file: files[index], rows, rejected }));
    expect(counts).toEqual(files.map((file) => ({ file, rows: file.keptLines, rejected: file.badLines })));

    const found = (await rows()).map(([one, time, device, value, count, note]) => [
      ...[Number(one), time, device, value === null ? null : Number(value)],
      ...[count, note],
    ]);
    expect(sorted(found)).toEqual(sorted(files.flatMap(otherwiseRead)));
  }
}, 600_000);
