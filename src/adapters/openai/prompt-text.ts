import type { TableBriefing } from '../../ports/chat-model.js';
import type { ColumnProfile, TableProfile } from '../../ports/table.js';
import type { AnswerSource } from '../../ports/assistant-answer.js';

const MAX_COLUMNS = 120;
const MAX_TOP_VALUES = 15;
const MAX_NAME = 64;
const MAX_VALUE = 60;
const MAX_CONTEXT = 4000;
const MAX_QUOTE = 2000;
const UNPRINTABLE = /[\p{Cc}\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]+/gu;

/** Text of unknown origin on one line: without control characters, and cut. */
export function tame(text: string, longest: number): string {
  const line = text.replace(UNPRINTABLE, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

/** What a model is told of the table `data`. */
export function tableText({ name, context, profile }: TableBriefing): string {
  const shown = profile.columns.slice(0, MAX_COLUMNS);
  const left = profile.columns.length - shown.length;
  return [
    `Table: data (datasource ${JSON.stringify(tame(name, MAX_NAME))}, ${profile.rowCount} rows)`,
    ...(profile.timeRange === null ? [] : [`Time: ${profile.timeRange.from} to ${profile.timeRange.to}`]),
    `Columns:`,
    ...shown.map((column) => columnText(column, profile)),
    ...(left > 0 ? [`(and ${left} more columns)`] : []),
    ...(context.trim() === '' ? [] : [`What its owner says about it: ${tame(context, MAX_CONTEXT)}`]),
  ].join('\n');
}

function columnText(column: ColumnProfile, profile: TableProfile): string {
  const facts = [
    column.type,
    ...rolesOf(column, profile),
    ...rangeOf(column),
    `${column.distinct} distinct`,
    ...(column.nulls > 0 ? [`${column.nulls} empty`] : []),
    ...topValues(column),
  ];
  return `- ${JSON.stringify(tame(column.name, MAX_NAME))}: ${facts.join(', ')}`;
}

function rolesOf({ name }: ColumnProfile, profile: TableProfile): readonly string[] {
  return [
    ...(name === profile.timeField ? ['the time of a row'] : []),
    ...(name === profile.metaField ? ['what a row is about'] : []),
    ...(profile.values.includes(name) ? ['a measure'] : []),
  ];
}

function rangeOf({ min, max, mean, type }: ColumnProfile): readonly string[] {
  if (min === null || max === null || type === 'text' || type === 'boolean') return [];
  return [`${String(min)} to ${String(max)}`, ...(mean === null ? [] : [`mean ${mean.toPrecision(6)}`])];
}

function topValues({ topValues: values, distinct }: ColumnProfile): readonly string[] {
  if (values.length === 0) return [];
  const shown = values.slice(0, MAX_TOP_VALUES).map(({ value }) => JSON.stringify(tame(value, MAX_VALUE)));
  return [`${shown.length < distinct ? 'most frequent' : 'values'} ${shown.join(' ')}`];
}

/** Passages of documents, numbered as an answer may name them. */
export function passagesText(passages: readonly AnswerSource[]): string {
  return passages
    .map(({ filename, page, quote }, index) => {
      const where = page === null ? '' : `, page ${page}`;
      const text = quote.replace(/[^\P{Cc}\n]+/gu, ' ').slice(0, MAX_QUOTE);
      return `[${index + 1}] ${tame(filename, MAX_NAME)}${where}\n${text}`;
    })
    .join('\n\n');
}
