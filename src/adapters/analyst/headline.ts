import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { Cell, QueryResult } from '../../ports/table.js';
import { CellWriter } from './cells.js';
import { inline } from './markdown.js';
import { conditionsOf, measureWords } from './plan-words.js';
import type { TableFacts } from './table-facts.js';

const LONG = 400;

type Aggregation = AnalysisPlan & { readonly kind: 'aggregate' };
type Listing = AnalysisPlan & { readonly kind: 'rows' };
type Row = readonly Cell[];

/** The sentence that an answer begins with, with its figure in bold. */
export function headlineOf(plan: AnalysisPlan, result: QueryResult, facts: TableFacts): string {
  const writer = new Headline(plan, result, facts);
  return plan.kind === 'rows' ? writer.ofRows(plan) : writer.ofFigures(plan);
}

class Headline {
  private readonly cells: CellWriter;
  private readonly where: string;

  constructor(
    plan: AnalysisPlan,
    private readonly result: QueryResult,
    private readonly facts: TableFacts,
  ) {
    this.cells = new CellWriter(plan, facts);
    const conditions = conditionsOf(plan);
    this.where = conditions.length === 0 ? '' : ` where ${inline(conditions.join(' and '), LONG)}`;
  }

  ofFigures(plan: Aggregation): string {
    const [first] = this.result.rows;
    if (plan.dimensions.length === 0) return this.ofSingle(plan, first ?? []);
    if (first === undefined) return `**Nothing** fits: there is no row${this.where}${having(plan)}.`;
    if (plan.measures.length === 0) return this.ofDistinct(plan);
    return plan.limit === null ? this.ofGroups(plan) : this.ofRanking(plan, first);
  }

  ofRows(plan: Listing): string {
    const { rows } = this.result;
    const [first] = rows;
    if (first === undefined) return `**No row** fits: there is none${this.where}.`;
    const [order] = plan.order;
    if (order !== undefined) return this.ofRankedRows(plan, order, first);
    const full = this.result.truncated || rows.length === plan.limit;
    return full
      ? `**At least ${rows.length} rows** fit${this.where}.`
      : `**${count(rows.length, 'row')}** ${rows.length === 1 ? 'fits' : 'fit'}${this.where}.`;
  }

  private ofSingle(plan: Aggregation, row: Row): string {
    const parts = plan.measures.map((measure, index) => {
      const figure = this.figure(row, index);
      if (measure.column === null) return `there ${isOne(row[index])} **${figure} row${row[index] === 1 ? '' : 's'}**`;
      if (measure.aggregate === 'count_distinct') return this.ofDifferent(measure.column, row[index], figure);
      const words = this.momentous(inline(measureWords(measure)), index);
      const isThere = row[index] !== null && row[index] !== undefined;
      return isThere ? `the ${words} is **${figure}**` : `there is no value for the ${words}`;
    });
    return `${capital(parts.join(', '))}${this.where}.`;
  }

  private ofDifferent(column: string, cell: Cell | undefined, figure: string): string {
    const isDay = this.facts.daily && column === this.facts.time?.name;
    const noun = isDay ? `day${cell === 1 ? '' : 's'}` : `different ${inline(column)} value${cell === 1 ? '' : 's'}`;
    return `there ${isOne(cell)} **${figure} ${noun}**`;
  }

  /** The lowest of times is the earliest. */
  private momentous(words: string, index: number): string {
    if (this.result.columns[index]?.type !== 'time') return words;
    return words.replace(/^lowest /, 'earliest ').replace(/^highest /, 'latest ');
  }

  private ofDistinct(plan: Aggregation): string {
    const { rows, truncated } = this.result;
    const names = inline(plan.dimensions.map(({ label }) => label).join(' and '));
    const most = truncated
      ? `more than ${count(rows.length, 'different value')}`
      : count(rows.length, 'different value');
    return `There ${rows.length === 1 ? 'is' : 'are'} **${most}** of ${names}${this.where}.`;
  }

  private ofRanking(plan: Aggregation, first: Row): string {
    const figure = this.figure(first, plan.dimensions.length);
    const end = plan.order[0]?.direction === 'asc' ? 'lowest' : 'highest';
    const measure = this.measureName(plan, end);
    if (this.result.rows.length === 1)
      return `**${this.group(plan, first)}** has the ${measure}${this.where}: **${figure}**.`;
    return `Of the ${this.result.rows.length} with the ${measure}${this.where}, **${this.group(plan, first)}** comes first with **${figure}**.`;
  }

  private ofGroups(plan: Aggregation): string {
    const { rows, truncated } = this.result;
    const place = plan.dimensions.length;
    const known = rows
      .filter((row) => typeof row[place] === 'number')
      .sort((a, b) => Number(b[place]) - Number(a[place]));
    const [top, bottom] = [known[0], known.at(-1)];
    const measure = inline(plan.measures[0] === undefined ? '' : measureWords(plan.measures[0]));
    if (top === undefined || bottom === undefined)
      return `There is no value for the ${measure}${this.where}${having(plan)}.`;
    if (rows.length === 1)
      return `The ${measure} of **${this.group(plan, top)}** is **${this.figure(top, place)}**${this.where}${having(plan)}.`;
    const highest = `**${this.group(plan, top)}** (**${this.figure(top, place)}**)`;
    // Of a cut result nobody knows the other end.
    const lowest = truncated
      ? ''
      : ` and lowest for **${this.group(plan, bottom)}** (**${this.figure(bottom, place)}**)`;
    return `The ${measure}${this.where}${having(plan)} is highest for ${highest}${lowest}.`;
  }

  private ofRankedRows(plan: Listing, order: Listing['order'][number], first: Row): string {
    const place = this.result.columns.findIndex(({ name }) => name === order.by);
    const isTime = this.result.columns[place]?.type === 'time';
    const end = isTime ? newest(order.direction) : order.direction === 'desc' ? 'highest' : 'lowest';
    const others = this.result.columns.flatMap(({ name }, index) =>
      index === place || first[index] === null ? [] : [`${inline(name)} ${this.figure(first, index)}`],
    );
    const rest = this.result.rows.length > 1 || others.length === 0 ? '' : ` (${others.join(', ')})`;
    const many = this.result.rows.length > 1 ? `The first of ${this.result.rows.length}: the` : 'The';
    return `${many} ${end} ${inline(order.by)}${this.where} is **${this.figure(first, place)}**${rest}.`;
  }

  /** `highest total revenue`; of a figure that is an extreme itself not `highest highest`. */
  private measureName({ measures }: Aggregation, end: string): string {
    const [measure] = measures;
    const words = measure === undefined ? '' : inline(measureWords(measure));
    return words.startsWith(`${end} `) ? words : `${end} ${words}`;
  }

  private group({ dimensions }: Aggregation, row: Row): string {
    return dimensions.map((_, index) => this.figure(row, index)).join(', ');
  }

  private figure(row: Row, index: number): string {
    const column = this.result.columns[index];
    return column === undefined ? '–' : this.cells.write(row[index] ?? null, column);
  }
}

function isOne(cell: Cell | undefined): string {
  return cell === 1 ? 'is' : 'are';
}

function newest(direction: 'asc' | 'desc'): string {
  return direction === 'desc' ? 'latest' : 'earliest';
}

function having({ having: conditions, measures }: Aggregation): string {
  const signs = {
    '<': 'below',
    '<=': 'of at most',
    '>': 'above',
    '>=': 'of at least',
    '=': 'equal to',
    '!=': 'other than',
  };
  return conditions
    .map(
      ({ measure, operator, value }) =>
        ` with a ${inline(measures[measure]?.label ?? 'figure')} ${signs[operator]} ${value.toLocaleString('en-US')}`,
    )
    .join(' and');
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
