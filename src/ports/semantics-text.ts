import { tame } from '../shared/tame.js';
import { namesOf } from '../shared/time-format/time-layout.js';
import type { ColumnSemantics, Metric, TableSemantics } from './table-semantics.js';

const MAX_NAME = 80;
const MAX_UNIT = 30;
const MAX_COLUMN_TEXT = 200;
const MAX_ALLOWED = 15;
/** Characters of all that is not about one column, and of one line of it. */
const MAX_TEXT = 4500;
const MAX_LINE = 1500;

const FORMATS: Readonly<Record<ColumnSemantics['format'], string>> = {
  '': '',
  currency: 'an amount of money',
  percent: '25 is 25 %',
  fraction: '0.25 is 25 %',
  whole: 'shown as whole numbers',
  decimal: 'shown with decimals',
};

/** What stands behind the figures of a column in its line; nothing where nothing is said. */
export function meaningOf(column: ColumnSemantics): string {
  const { unit, format, synonyms, allowedValues, description } = column;
  const facts = [
    unit === '' ? '' : `in ${quoted(unit, MAX_UNIT)}`,
    FORMATS[format],
    synonyms.length === 0 ? '' : `also called ${listed(synonyms)}`,
    allowedValues.length === 0 ? '' : `allowed ${listed(allowedValues.slice(0, MAX_ALLOWED))}`,
    description === '' ? '' : `its owner says ${quoted(description, MAX_COLUMN_TEXT)}`,
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? '' : `; ${facts.join(', ')}`;
}

/** What a table means beyond its columns, a line each; as much as there is room for. */
export function semanticsLines(semantics: TableSemantics | null | undefined): readonly string[] {
  if (semantics == null) return [];
  const { description, metrics, filters, fiscalYearStart } = semantics;
  const lines = [
    ...(description === '' ? [] : [`What it is, as its owner says: ${quoted(description, MAX_LINE)}`]),
    ...(filters.length === 0
      ? []
      : [
          `Filters for every call unless the question says otherwise; say in the answer that they hold: ${json(filters)}`,
        ]),
    ...(fiscalYearStart === 1
      ? []
      : [`A fiscal year begins with ${namesOf('month', true)[fiscalYearStart - 1] ?? ''}.`]),
    ...(metrics.length === 0 ? [] : ['Figures that have a name, with what a call of `analyze` says for them:']),
    ...metrics.map(metricLine),
  ];
  let room = MAX_TEXT;
  return lines.filter((line) => (room -= line.length) >= 0);
}

function metricLine({ name, synonyms, unit, description, plan }: Metric): string {
  const { derived, measures, computed, filters } = plan;
  const about = [
    ...(synonyms.length === 0 ? [] : [`also ${listed(synonyms)}`]),
    ...(unit === '' ? [] : [`in ${quoted(unit, MAX_UNIT)}`]),
    ...(description === '' ? [] : [quoted(description, MAX_COLUMN_TEXT)]),
  ];
  const parts = { derived, measures, computed, filters: filters.length === 0 ? undefined : filters };
  return `- ${quoted(name, MAX_NAME)}${about.length === 0 ? '' : ` (${about.join(', ')})`}: ${json(parts)}`;
}

/** Cut JSON would be none; what is too long for a line is left out. */
function json(value: object): string {
  const text = tame(JSON.stringify(value), Number.MAX_SAFE_INTEGER);
  return text.length <= MAX_LINE ? text : 'too long to be told';
}

function listed(texts: readonly string[]): string {
  return texts.map((text) => quoted(text, MAX_NAME)).join(' ');
}

function quoted(text: string, longest: number): string {
  return JSON.stringify(tame(text, longest));
}
