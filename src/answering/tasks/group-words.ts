import type { Measure } from '../../ports/analysis-plan.js';
import { isNumeric, type Cell, type QueryResult } from '../../ports/table.js';
import type { Aggregation } from './finding.js';
import { capital, cellWords, countOf, inline, numberWords, paragraphs, shareWords, tableOf } from './markdown-words.js';
import { bucketOf, measureWords, partWords } from './plan-words.js';

const SHOWN = 10;
/** Ends that are no further apart are the same to a reader. */
const EVEN = 1.05;
const MUCH = 1.1;

/** Groups in words: which is highest and lowest, and what share the first has. */
export function groupWords(plan: Aggregation, result: QueryResult): string {
  const [measure] = plan.measures;
  const groups = groupsIn(plan, result);
  const [top, bottom] = [groups[0], groups.at(-1)];
  if (measure === undefined || top === undefined || bottom === undefined) return 'There are no figures.';
  const what = inline(measureWords(measure), 120);
  if (groups.length === 1) return `The ${what} of ${top.name} is **${numberWords(top.value)}**.`;
  if (isCut(plan, result)) return `${top.name} has the highest ${what} with **${numberWords(top.value)}**.`;
  return isEven(top, bottom) ? evenWords(what, [bottom, top], groups.length) : endsWords(measure, what, groups);
}

/** Of a list that was cut nobody knows the other end. */
function isCut({ limit, having }: Aggregation, { truncated }: QueryResult): boolean {
  return limit !== null || having.length > 0 || truncated;
}

function isEven(top: Group, bottom: Group): boolean {
  return bottom.value > 0 && top.value / bottom.value <= EVEN;
}

function endsWords({ aggregate }: Measure, what: string, groups: readonly Group[]): string {
  const [top, bottom] = [groups[0], groups.at(-1)];
  if (top === undefined || bottom === undefined) return '';
  // Of what adds up alone is anything a share, or so many times as much: 20 degrees are not twice 10.
  const addsUp = aggregate === 'sum' || aggregate === 'count';
  const share = addsUp ? shareOf(groups, top, bottom) : '';
  const spread = addsUp ? spreadWords(top.value, bottom.value) : '';
  const highest = `${top.name} has the highest ${what} with **${numberWords(top.value)}**${share}`;
  return `${highest}, ${bottom.name} the lowest with **${numberWords(bottom.value)}**${spread}.`;
}

/** Groups that have a figure, the highest first. */
function groupsIn(plan: Aggregation, { rows }: QueryResult): readonly Group[] {
  return rows
    .flatMap((row) => {
      const value = row[plan.dimensions.length];
      return typeof value === 'number' ? [{ name: `**${groupsName(plan, row)}**`, value }] : [];
    })
    .sort((a, b) => b.value - a.value);
}

function shareOf(groups: readonly Group[], top: Group, bottom: Group): string {
  const sum = groups.reduce((total, { value }) => total + value, 0);
  return bottom.value >= 0 && sum > 0 ? `, ${shareWords(top.value / sum)} of the total` : '';
}

interface Group {
  readonly name: string;
  readonly value: number;
}

function evenWords(what: string, [bottom, top]: readonly [Group, Group], count: number): string {
  const range =
    bottom.value === top.value
      ? numberWords(top.value)
      : `from ${numberWords(bottom.value)} (${bottom.name}) to ${numberWords(top.value)} (${top.name})`;
  return `${capital(what)} is about the same for all ${count}: ${range}.`;
}

function spreadWords(top: number, bottom: number): string {
  if (bottom <= 0 || top / bottom < MUCH) return '';
  return `; that is ${numberWords(Number((top / bottom).toPrecision(2)))} times as much`;
}

function groupsName(plan: Aggregation, row: readonly Cell[]): string {
  return plan.dimensions.map((_, index) => groupName(plan, index, row[index] ?? null)).join(', ');
}

/** A group as people call it: `Monday`, `May 2024`, `Seattle`. */
export function groupName(plan: Aggregation, index: number, cell: Cell): string {
  const dimension = plan.dimensions[index];
  if (cell === null || dimension === undefined) return '(no value)';
  if (typeof cell === 'number') return partWords(dimension, cell) ?? String(cell);
  return cellWords(cell, dimension.kind === 'bucket', bucketOf(plan, dimension.label));
}

/** The first rows of a result as a table. */
export function resultTable(plan: Aggregation | null, result: QueryResult, shown = SHOWN): string {
  const columns = result.columns.slice(0, SHOWN);
  const groups = plan?.dimensions.length ?? 0;
  const rows = result.rows.slice(0, shown).map((row) =>
    columns.map(({ name, type }, index) => {
      const cell = row[index] ?? null;
      return plan !== null && index < groups
        ? groupName(plan, index, cell)
        : cellWords(cell, type === 'time', bucketOf(plan, name));
    }),
  );
  if (rows.length === 0) return '';
  const right = columns.map(({ type }, index) => index >= groups && isNumeric(type));
  const head = columns.map(({ name }) => inline(name));
  return paragraphs([tableOf(head, rows, right), moreWords(result, rows.length)]);
}

function moreWords({ rows, truncated }: QueryResult, shown: number): string {
  if (rows.length <= shown && !truncated) return '';
  const total = countOf(rows.length, 'row');
  return `These are the first ${shown} of ${truncated ? `more than ${total}` : total}.`;
}
