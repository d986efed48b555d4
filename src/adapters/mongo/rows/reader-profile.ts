import { mongo } from 'mongoose';
import { type ColumnProfile, isNumeric, type TableProfile } from '../../../ports/table.js';
import type { JsonPrimitive } from '../../../shared/json.js';
import type { MongoColumn, Stage } from './mongo-table.js';
import { cellOf, numberOf } from './reader-cells.js';
import { isTooMuch } from './reader-parts.js';
import type { Found, TableReads } from './reader-run.js';

const MOST_VALUES = 1000;
const LONGEST_VALUE = 200;
const SAMPLE_ROWS = 50_000;
/** So many smallest hashes say how many values there are, to within 1.6 %. */
const HASH_GROUPS = 4096;
const HASH_BITS = 52;

type Frequent = ColumnProfile['topValues'];

/** Which values a column has. */
interface Values {
  readonly distinct: number;
  readonly top: Frequent;
}

/**
 * Counts, ranges and means in one pass over the rows, and the values of each column in another. All of it is exact but where a column has so
 * many values that the server's memory does not hold them: then they are estimated to within 2 %, and the most frequent ones are
 * those of a sample, counted in the whole.
 */
export async function profileOf(reads: TableReads): Promise<TableProfile> {
  const { columns, time, meta, values } = reads.table;
  const figures = await reads.one([{ $group: figuresOf(columns) }]);
  const rows = numberOf(figures['rows']) ?? 0;
  const profiles: ColumnProfile[] = [];
  for (const [place, column] of columns.entries()) {
    profiles.push(columnProfile(column, { figures, place, rows, found: await valuesOf(reads, column) }));
  }
  const range = profiles[columns.indexOf(time)];
  return {
    rowCount: rows,
    timeRange:
      typeof range?.min === 'string' && typeof range.max === 'string' ? { from: range.min, to: range.max } : null,
    columns: profiles,
    timeField: time.name,
    metaField: meta.name,
    values,
  };
}

function figuresOf(columns: readonly MongoColumn[]): Stage {
  const figures = columns.flatMap(({ field, type }, place): (readonly [string, unknown])[] => {
    const path = `$${field}`;
    return [
      [`n${place}`, { $sum: { $cond: [{ $gt: [path, null] }, 1, 0] } }],
      [`l${place}`, { $min: path }],
      [`m${place}`, { $max: path }],
      ...(isNumeric(type) ? [[`a${place}`, { $avg: path }] as const] : []),
    ];
  });
  return { _id: null, rows: { $sum: 1 }, ...Object.fromEntries(figures) };
}

function columnProfile(
  { name, type }: MongoColumn,
  about: { readonly figures: Found; readonly place: number; readonly rows: number; readonly found: Values },
): ColumnProfile {
  const { figures, place, rows, found } = about;
  const mean = numberOf(figures[`a${place}`]);
  return {
    ...{ name, type, nulls: rows - (numberOf(figures[`n${place}`]) ?? 0), distinct: found.distinct },
    ...{ min: boundOf(figures[`l${place}`]), max: boundOf(figures[`m${place}`]) },
    mean: mean !== null && Number.isFinite(mean) ? mean : null,
    topValues: found.top,
  };
}

function boundOf(value: unknown): JsonPrimitive {
  return typeof value === 'string'
    ? Array.from(value.slice(0, 2 * LONGEST_VALUE))
        .slice(0, LONGEST_VALUE)
        .join('')
    : cellOf(value);
}

async function valuesOf(reads: TableReads, column: MongoColumn): Promise<Values> {
  const grouped = [
    { $match: { [column.field]: { $ne: null } } },
    { $group: { _id: `$${column.field}`, n: { $sum: 1 } } },
  ];
  const isListed = column.type === 'text' || column.type === 'boolean';
  try {
    if (!isListed) return { distinct: countIn(await reads.one([...grouped, { $count: 'n' }])), top: [] };
    // Of one pass, so that the number and the values are of the same moment.
    const both = { $facet: { all: [{ $count: 'n' }], top: mostFrequent(column) } };
    const { all, top } = await reads.one([...grouped, both]);
    return { distinct: countIn(listIn(all)[0] ?? {}), top: listIn(top).map(frequentOf) };
  } catch (error) {
    if (!isTooMuch(error)) throw error;
  }
  return { distinct: await estimated(reads, column), top: isListed ? await sampledTop(reads, column) : [] };
}

function mostFrequent({ type }: MongoColumn): readonly Stage[] {
  const short = type === 'text' ? [{ $match: { $expr: { $lte: [{ $strLenCP: '$_id' }, LONGEST_VALUE] } } }] : [];
  return [...short, { $sort: { n: -1, _id: 1 } }, { $limit: MOST_VALUES }];
}

/**
 * By the smallest hash in each of many groups of values: the more values a group has, the smaller it is. Each group holds one number,
 * however many values there are.
 */
async function estimated(reads: TableReads, { field }: MongoColumn): Promise<number> {
  const hash = { $toHashedIndexKey: `$${field}` };
  const [group, rest] = [mongo.Long.fromNumber(HASH_GROUPS - 1), mongo.Long.fromNumber(2 ** HASH_BITS - HASH_GROUPS)];
  const { n, sum } = await reads.one([
    { $match: { [field]: { $ne: null } } },
    { $group: { _id: { $bitAnd: [hash, group] }, least: { $min: { $bitAnd: [hash, rest] } } } },
    { $group: { _id: null, n: { $sum: 1 }, sum: { $sum: { $divide: ['$least', 2 ** HASH_BITS] } } } },
  ]);
  const groups = numberOf(n) ?? 0;
  return Math.round((groups * (groups - 1)) / (numberOf(sum) ?? 1));
}

async function sampledTop(reads: TableReads, column: MongoColumn): Promise<Frequent> {
  const { field } = column;
  const short = { $match: { $expr: { $lte: [{ $strLenCP: `$${field}` }, LONGEST_VALUE] } } };
  const present = { $match: { [field]: { $ne: null } } };
  const counted = { $group: { _id: `$${field}`, n: { $sum: 1 } } };
  const taken = [present, short, { $project: { _id: 0, [field]: 1 } }, { $sample: { size: SAMPLE_ROWS } }];
  const frequent = (await reads.all([...taken, counted, ...mostFrequent(column)])).map(({ _id }) => _id);
  return (await reads.all([{ $match: { [field]: { $in: frequent } } }, counted, ...mostFrequent(column)])).map(
    frequentOf,
  );
}

function countIn({ n }: Found): number {
  return numberOf(n) ?? 0;
}

function listIn(value: unknown): readonly Found[] {
  return Array.isArray(value) ? (value as readonly Found[]) : [];
}

function frequentOf({ _id: value, n }: Found): { readonly value: string; readonly count: number } {
  return { value: String(value), count: numberOf(n) ?? 0 };
}
