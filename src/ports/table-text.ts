import { tame } from '../shared/tame.js';
import type { JoinedBriefing, TableBriefing } from './chat-model.js';
import { meaningOf, semanticsLines } from './semantics-text.js';
import type { ColumnProfile, ColumnRole, TableProfile } from './table.js';

const MAX_NAME = 64;
const MAX_VALUE = 60;
const MAX_CONTEXT = 4000;
/** Characters of the columns and the context together, about 2,700 tokens. */
const MAX_TABLE = 10_800;
/** Of the columns that fit a question, where not all are described. */
const MAX_FITTING = 2200;
/** Of the columns of a table that may be joined, which are described with that table. */
const MAX_JOINED = 1500;
const MAX_TOP_VALUES = 15;
/** Further values say little about which columns a question means. */
const MAX_COMPARED_VALUES = 50;
/** So many frequent values of each column are told, fewer where the columns are too many. */
const VALUES_TOLD = [MAX_TOP_VALUES, 4, 0];

/** What a model is told of the table `data`, in plain lines: no name or value in it can begin a line of its own. */
export function tableText(briefing: TableBriefing): string {
  const { name, context, profile, semantics } = briefing;
  return [
    `Table: data (datasource ${JSON.stringify(tame(name, MAX_NAME))}, ${profile.rowCount} rows)`,
    ...(profile.timeRange === null ? [] : [`Time: ${profile.timeRange.from} to ${profile.timeRange.to}`]),
    ...columnsText(briefing, roomBeside(context)),
    ...(briefing.joined ?? []).map((one) => joinLine(one, profile)),
    ...semanticsLines(semantics),
    ...(context.trim() === '' ? [] : [`What its owner says about it: ${tame(context, MAX_CONTEXT)}`]),
  ].join('\n');
}

/** Which table it may be joined with, and how, on one line. */
function joinLine({ table, name, on, isSingle, profile: other }: JoinedBriefing, { columns }: TableProfile): string {
  const own = new Set(columns.map((column) => column.name.toLowerCase()));
  const quoted = (text: string): string => JSON.stringify(tame(text, MAX_NAME));
  const condition = on.map(([one, two]) => `data.${quoted(one)} = ${table}.${quoted(two)}`).join(' AND ');
  const names = other.columns.map((column) =>
    quoted(own.has(column.name.toLowerCase()) ? `${table}.${column.name}` : column.name),
  );
  const shown = fitting(names, MAX_JOINED);
  const rest = shown.length < names.length ? ' …' : '';
  const many = isSingle ? 'each row has at most one there' : 'a row can have several there, which multiplies rows';
  return `Join: SQL on it may join ${table} (datasource ${quoted(name)}) ON ${condition}, and analyze with "join": "${table}" has its columns too, as ${shown.join(' ')}${rest}; ${many}`;
}

/** The names of datasources as calls know them: those that are alike are told apart by their numbers. */
export function subjectNames(briefings: readonly TableBriefing[]): readonly string[] {
  const names = briefings.map(({ name }) => name);
  return names.map((name, at) => (names.indexOf(name) < at ? `${name} (${at + 1})` : name));
}

/** Whether columns, or some of their frequent values, are missing from `tableText`. */
export function isCut(briefing: TableBriefing): boolean {
  return !hasRoom(columnLines(briefing.profile.columns, briefing), roomBeside(briefing.context));
}

/** The columns whose names and values share words with the question, in full, where `tableText` has not all; else none. */
export function fittingColumns(question: string, table: TableBriefing): readonly string[] {
  if (!isCut(table)) return [];
  return fitting(columnLines(columnsAbout(question, table.profile), table), MAX_FITTING);
}

/** The columns whose names or values share words with the text, those that share most first. */
export function columnsAbout(text: string, { columns }: TableProfile): readonly ColumnProfile[] {
  const asked = wordsOf(text);
  return columns
    .map((column) => ({ column, shared: sharedWords(column, asked) }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared)
    .map(({ column }) => column);
}

/** A number as people write it: 12.3, not 12.299999999999999. */
export function plainNumber(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(12));
}

/** As much of all columns as there is room for: at least their names, for those that even these are too many for, how many. */
function columnsText(briefing: TableBriefing, room: number): readonly string[] {
  const { profile } = briefing;
  const told = VALUES_TOLD.map((values) => columnLines(profile.columns, briefing, values));
  const whole = told.find((lines) => hasRoom(lines, room));
  if (whole !== undefined) return ['Columns:', ...whole];
  const names = profile.columns.map(({ name }) => JSON.stringify(tame(name, MAX_NAME)));
  const shown = fitting(names, room);
  const left = names.length - shown.length;
  const rest = left > 0 ? ` and ${left} more, which \`describe\` finds by words of their names` : '';
  return [`Columns, which \`describe\` tells more of: ${shown.join(' ')}${rest}`];
}

function roomBeside(context: string): number {
  return MAX_TABLE - Math.min(context.length, MAX_CONTEXT);
}

function hasRoom(lines: readonly string[], room: number): boolean {
  return lines.join('\n').length <= room;
}

function fitting(lines: readonly string[], longest: number): readonly string[] {
  let length = 0;
  const end = lines.findIndex((line) => (length += line.length + 1) > longest);
  return end < 0 ? lines : lines.slice(0, end);
}

function sharedWords({ name, topValues: values }: ColumnProfile, asked: ReadonlySet<string>): number {
  const count = (text: string): number => [...wordsOf(text)].filter((word) => asked.has(word)).length;
  const told = values.slice(0, MAX_COMPARED_VALUES).map(({ value }) => value);
  // A name says more than a value.
  return 2 * count(name) + count(told.join(' '));
}

/** Words of a name such as `unitPrice_2` too, without the ending of a plural. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}{2,}|\p{N}+/gu);
  return new Set(words?.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)));
}

/** A line for each column, with so many of its frequent values. */
export function columnLines(
  columns: readonly ColumnProfile[],
  { profile, semantics }: Pick<TableBriefing, 'profile' | 'semantics'>,
  values = MAX_TOP_VALUES,
): readonly string[] {
  const meanings = new Map(semantics?.columns.map((column) => [column.name, meaningOf(column)]));
  return columns.map((column) => {
    const facts = [
      column.type,
      ...partsOf(column, profile),
      ...(column.role === undefined ? [] : ROLES[column.role]),
      ...rangeOf(column),
      `${column.distinct} distinct`,
      ...(column.nulls > 0 ? [`${column.nulls} empty`] : []),
      ...topValues(column, values),
    ];
    return `- ${JSON.stringify(tame(column.name, MAX_NAME))}: ${facts.join(', ')}${meanings.get(column.name) ?? ''}`;
  });
}

const ROLES: Readonly<Record<ColumnRole, readonly string[]>> = {
  '': [],
  sum: ['adds up'],
  average: ['is averaged, not added up'],
  none: ['no figure'],
};

function partsOf({ name }: ColumnProfile, profile: TableProfile): readonly string[] {
  return [
    ...(name === profile.timeField ? ['the time of a row'] : []),
    ...(name === profile.metaField ? ['what a row is about'] : []),
    ...(profile.values.includes(name) ? ['a measure'] : []),
  ];
}

function rangeOf({ min, max, mean, type }: ColumnProfile): readonly string[] {
  if (min === null || max === null || type === 'text' || type === 'boolean') return [];
  const [low, high] = [min, max].map((end) => (typeof end === 'number' ? plainNumber(end) : end));
  return [`${low} to ${high}`, ...(mean === null ? [] : [`mean ${Number(mean.toPrecision(6))}`])];
}

function topValues({ topValues: values, distinct }: ColumnProfile, most: number): readonly string[] {
  if (values.length === 0 || most === 0) return [];
  const shown = values.slice(0, most).map(({ value }) => JSON.stringify(tame(value, MAX_VALUE)));
  return [`${shown.length < distinct ? 'most frequent' : 'values'} ${shown.join(' ')}`];
}
