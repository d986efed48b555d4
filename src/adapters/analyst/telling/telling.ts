import type { AnalysisPlan, StatisticPlan } from '../../../ports/analysis-plan.js';
import type { Cell, QueryResult, ResultColumn } from '../../../ports/table.js';
import { CellWriter } from '../cells.js';
import type { FigureFormat } from '../figure-format.js';
import { inline } from '../markdown.js';
import type { AnswerFormat, Focus, Grades, Verdict } from '../message/understanding.js';
import { conditionsOf } from '../plan-words.js';
import type { TableFacts } from '../table-facts.js';

export type Row = readonly Cell[];
export type Aggregation = AnalysisPlan & { readonly kind: 'aggregate' };
export type Listing = AnalysisPlan & { readonly kind: 'rows' };

const LONG = 400;

/** Beyond which a value is an outlier. */
export interface Bounds {
  readonly column: string;
  readonly low: number;
  readonly high: number;
}

/** A result, and all that says how it is to be told. */
export interface Told {
  readonly plan: AnalysisPlan;
  readonly result: QueryResult;
  readonly facts: TableFacts;
  readonly format: AnswerFormat;
  readonly verdict?: Verdict | undefined;
  readonly focus?: Focus | undefined;
  readonly grades?: Grades | undefined;
  /** Known where the plan's outliers were asked for, and one condition says which they are. */
  readonly bounds?: Bounds | null;
}

/** A result with the words for its parts. Columns are found by their names, and what is not there is `–`. */
export class Telling<Plan extends AnalysisPlan = AnalysisPlan> {
  readonly result: QueryResult;
  readonly facts: TableFacts;
  readonly format: FigureFormat;
  /** ` where location is Seattle`, or nothing. */
  readonly where: string;
  private readonly cells: CellWriter;

  constructor(
    readonly plan: Plan,
    readonly told: Told,
  ) {
    this.result = told.result;
    this.facts = told.facts;
    this.cells = new CellWriter(plan, told.facts, told.format, told.focus?.term ?? null);
    this.format = this.cells.format;
    const conditions = conditionsOf(plan);
    this.where = conditions.length === 0 ? '' : ` where ${inline(conditions.join(' and '), LONG)}`;
  }

  get rows(): readonly Row[] {
    return this.result.rows;
  }

  column(name: string): ResultColumn | null {
    return this.result.columns.find((column) => column.name === name) ?? null;
  }

  cell(row: Row | undefined, name: string): Cell {
    return row?.[this.result.columns.findIndex((column) => column.name === name)] ?? null;
  }

  number(row: Row | undefined, name: string): number | null {
    const cell = this.cell(row, name);
    return typeof cell === 'number' && Number.isFinite(cell) ? cell : null;
  }

  /** The cell in words. */
  words(row: Row | undefined, name: string, longest?: number): string {
    const column = this.column(name);
    return column === null ? '–' : this.cells.write(this.cell(row, name), column, longest);
  }

  bold(row: Row | undefined, name: string, longest?: number): string {
    return `**${this.words(row, name, longest)}**`;
  }

  isFigure(column: ResultColumn): boolean {
    return this.cells.isFigure(column);
  }

  writeNumber(value: number, name: string): string {
    return this.cells.write(value, { name, type: 'number' });
  }
}

export type Statistic = StatisticPlan;

/** Text of the plan inside a sentence. */
export function said(words: string): string {
  return inline(words, LONG);
}
