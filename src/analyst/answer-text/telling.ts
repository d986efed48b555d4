import type { AggregatePlan, AnalysisPlan, Computed, Dimension } from '../../ports/analysis-plan.js';
import { isNumeric, type Cell, type QueryResult, type ResultColumn } from '../../ports/table.js';
import type { TableFacts } from '../reading/table.js';
import { inline } from '../../shared/markdown.js';
import { momentWords, partWords } from '../../plan/time-words.js';
import { decimalsFor, roundedWords, percentWords, probabilityWords, shareWords } from '../../shared/number-words.js';
import { conditionsOf } from '../../plan/wording.js';

export type Row = readonly Cell[];

const LONG = 400;
const MAX_TEXT = 80;
const YEAR_NAME = /^(?:year|yr|jahr|annee|ano)$/;
/** Computed figures that are fractions, and those that are percent already. */
const FRACTIONS: readonly Computed['kind'][] = ['share', 'cumulative_share', 'growth'];
const PERCENTS: readonly Computed['kind'][] = ['percent', 'percent_change'];

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
  /** Known where the plan's outliers were asked for, and one condition says which they are. */
  readonly bounds?: Bounds | null;
  /** The last row of a ranking and those behind it, where they were looked at. */
  readonly ties?: QueryResult | null;
  /** How many digits figures have behind the point; `null` or not said: as suits each. */
  readonly decimals?: number | null;
}

/** A result with the words for its parts. Columns are found by their names, and what is not there is `–`. */
export class Telling<Plan extends AnalysisPlan = AnalysisPlan> {
  readonly result: QueryResult;
  readonly facts: TableFacts;
  /** ` where location is Seattle`, or nothing. */
  readonly where: string;
  readonly decimals: number | null;
  private readonly columnDecimals = new Map<string, number | null>();

  constructor(
    readonly plan: Plan,
    { result, facts, decimals }: Omit<Told, 'plan'>,
  ) {
    this.result = result;
    this.decimals = decimals ?? null;
    this.facts = facts;
    const conditions = conditionsOf(plan);
    this.where = conditions.length === 0 ? '' : ` where ${said(conditions.join(' and '))}`;
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
    return column === null ? '–' : this.write(this.cell(row, name), column, longest);
  }

  bold(row: Row | undefined, name: string, longest?: number): string {
    return `**${this.words(row, name, longest)}**`;
  }

  isFigure({ name, type }: ResultColumn): boolean {
    return isNumeric(type) && !this.isLabel(name);
  }

  /** A cell of a column as Markdown. */
  write(cell: Cell, { name, type }: ResultColumn, longest = MAX_TEXT): string {
    const dimension = this.dimension(name);
    if (cell === null) return dimension === null ? '–' : '(none)';
    if (dimension?.kind === 'part') return partWords(dimension.part, Number(cell));
    if (typeof cell === 'number') return this.writeNumber(cell, name);
    if (type !== 'time') return inline(String(cell), longest) || '(empty)';
    return momentWords(String(cell), dimension?.kind === 'bucket' ? dimension.bucket : this.stepOf(cell, name));
  }

  /** Midnight is told with its hour where other times of the column have one. */
  private stepOf(cell: Cell, name: string): 'minute' | null {
    const hasClock = isMidnight(cell) && this.rows.some((row) => !isMidnight(this.cell(row, name) ?? MIDNIGHT));
    return hasClock ? 'minute' : null;
  }

  /** As suits the figure: shares in percent, years without a comma, whole numbers without digits behind the point. */
  writeNumber(value: number, name: string): string {
    if (this.isLabel(name) && Number.isInteger(value)) return String(value);
    const decimals = this.column(name)?.type === 'integer' ? null : this.decimals;
    switch (this.kindOf(name)) {
      case 'probability':
        return probabilityWords(value, decimals);
      case 'fraction':
        return shareWords(value, decimals);
      case 'percent':
        return percentWords(value, decimals);
      case 'statistic':
        return roundedWords(value, decimals);
      case 'figure':
        return roundedWords(value, decimals ?? this.decimalsIn(name));
    }
  }

  private kindOf(name: string): 'probability' | 'statistic' | 'fraction' | 'percent' | 'figure' {
    const { plan } = this;
    if (plan.kind === 'statistic') return name === 'p-value' ? 'probability' : 'statistic';
    const kind = plan.kind === 'aggregate' ? plan.computed?.find(({ label }) => label === name)?.kind : undefined;
    if (kind === undefined) return 'figure';
    return FRACTIONS.includes(kind) ? 'fraction' : PERCENTS.includes(kind) ? 'percent' : 'figure';
  }

  private decimalsIn(name: string): number | null {
    if (!this.columnDecimals.has(name))
      this.columnDecimals.set(name, decimalsFor(this.rows.flatMap((row) => this.number(row, name) ?? [])));
    return this.columnDecimals.get(name) ?? null;
  }

  private dimension(name: string): Dimension | null {
    return this.plan.kind === 'aggregate' ? (this.plan.dimensions.find(({ label }) => label === name) ?? null) : null;
  }

  /** Numbers that name something: a year, an order's number, a group. The highest year is a year, too. */
  private isLabel(name: string): boolean {
    if (this.plan.kind === 'statistic') return false;
    if (this.dimension(name) !== null) return true;
    const measure = this.plan.kind === 'aggregate' ? this.plan.measures.find(({ label }) => label === name) : undefined;
    if (measure !== undefined && !['min', 'max', 'mode'].includes(measure.aggregate)) return false;
    const known = this.facts.columns.find((one) => one.name === (measure === undefined ? name : measure.column));
    return (
      known !== undefined &&
      (known.identifies || known.kind === 'year' || known.words.some(({ word }) => YEAR_NAME.test(word)))
    );
  }
}

const MIDNIGHT = 'T00:00:00.000Z';

function isMidnight(cell: Cell): boolean {
  return String(cell).endsWith(MIDNIGHT);
}

export type Groups = Telling<AggregatePlan>;

/** Text of the plan inside a sentence. */
export function said(words: string): string {
  return inline(words, LONG);
}
