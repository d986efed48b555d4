import { tame } from '../shared/tame.js';
import type { TableBriefing } from './chat-model.js';
import type { ColumnProfile, TableProfile } from './table.js';

const MAX_COLUMNS = 120;
const MAX_TOP_VALUES = 15;
const MAX_NAME = 64;
const MAX_VALUE = 60;
const MAX_CONTEXT = 4000;

/** What a model is told of the table `data`, in plain lines: no name or value in it can begin a line of its own. */
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
