import type { AnalysisPlan, Computed, Dimension, Measure } from '../../ports/analysis-plan.js';
import { isNumeric, type Cell, type ResultColumn } from '../../ports/table.js';
import { FigureFormat, FREE_FORMAT } from './figure-format.js';
import { inline } from './markdown.js';
import type { AnswerFormat } from './message/understanding.js';
import { momentWords } from './moments.js';
import { numberWords } from './number-words.js';
import type { TableFacts } from './table-facts.js';
import { monthName } from './time-words.js';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const COUNTS: readonly Measure['aggregate'][] = ['count', 'count_distinct', 'missing'];
type Aggregation = AnalysisPlan & { readonly kind: 'aggregate' };

/** Columns of a statistic that are numbers of rows. */
const COUNT_COLUMNS = ['pairs', 'rows', 'groups', 'missing'];
const MAX_TEXT = 80;
const NO_FIGURES: Pick<Aggregation, 'measures' | 'computed' | 'summary'> = { measures: [] };

/** Writes the cells of a plan's result as Markdown. */
export class CellWriter {
  readonly format: FigureFormat;

  constructor(
    private readonly plan: AnalysisPlan,
    private readonly facts: TableFacts,
    format: AnswerFormat = FREE_FORMAT,
    /** The column of a statistic that was asked for. */
    private readonly asked: string | null = null,
  ) {
    this.format = new FigureFormat(format);
  }

  write(cell: Cell, column: ResultColumn, longest = MAX_TEXT): string {
    const dimension = this.dimension(column.name);
    if (cell === null) return dimension === null ? '–' : '(none)';
    if (dimension?.kind === 'part') return partWords(dimension, Number(cell));
    if (typeof cell === 'number') return this.figure(cell, column);
    return column.type === 'time' ? momentOf(cell, dimension) : textOf(cell, longest);
  }

  isFigure({ name, type }: ResultColumn): boolean {
    return isNumeric(type) && this.dimension(name) === null && !this.isLabel(name);
  }

  private figure(value: number, { name, type }: ResultColumn): string {
    // An edge of a group may have a fraction; what only names something is written as it is.
    if (this.isLabel(name)) return Number.isInteger(value) ? String(value) : numberWords(value);
    switch (this.plan.kind) {
      case 'rows':
        return type === 'integer' ? numberWords(value) : this.format.number(value);
      case 'statistic':
        return this.statistic(value, name);
      case 'aggregate':
        return this.aggregated(value, name);
    }
  }

  private statistic(value: number, name: string): string {
    const isWhole = name === 'degrees of freedom' && Number.isInteger(value);
    if (COUNT_COLUMNS.includes(name) || isWhole) return this.format.count(value);
    if (name === 'p-value') return this.format.probability(value, this.asked === name);
    const words = this.format.number(value);
    // Beside the figure that is rounded as asked, others would be rounded to nothing.
    const isLost = this.isRegression && value !== 0 && !/[1-9]/.test(words);
    return isLost ? numberWords(value) : words;
  }

  private get isRegression(): boolean {
    return this.plan.kind === 'statistic' && this.plan.method === 'regression';
  }

  private aggregated(value: number, name: string): string {
    const { measures, computed = [], summary } = this.plan.kind === 'aggregate' ? this.plan : NO_FIGURES;
    const figure = [...measures, ...computed].find(({ label }) => label === name);
    if (figure !== undefined) return 'kind' in figure ? this.computed(value, figure) : this.measured(value, figure);
    return summary?.aggregate === 'count' ? this.format.count(value) : this.format.number(value);
  }

  private measured(value: number, measure: Measure): string {
    if (this.isOneOfTheValues(measure) && Number.isInteger(value)) return String(value);
    return COUNTS.includes(measure.aggregate) ? this.format.count(value) : this.format.number(value);
  }

  private computed(value: number, { kind }: Computed): string {
    switch (kind) {
      case 'share':
      case 'cumulative_share':
      case 'growth':
        return this.format.share(value);
      case 'percent':
      case 'percent_change':
        return this.format.percent(value);
      case 'ratio':
        return this.format.ratiosAsPercent ? this.format.share(value) : this.format.number(value);
      case 'rank':
        return this.format.count(value);
      case 'cumulative':
      case 'change':
      case 'moving_average':
      case 'difference':
      case 'sum':
      case 'product':
        return this.format.number(value);
    }
  }

  private dimension(name: string): Dimension | null {
    return this.plan.kind === 'aggregate' ? (this.plan.dimensions.find(({ label }) => label === name) ?? null) : null;
  }

  /** The highest year is a year. */
  private isOneOfTheValues({ aggregate, column }: Measure): boolean {
    return column !== null && ['min', 'max', 'mode'].includes(aggregate) && this.isLabel(column);
  }

  /** Numbers that name something: a year, an order's number, a group. */
  private isLabel(name: string): boolean {
    if (this.dimension(name) !== null) return true;
    const column = this.facts.columns.find((one) => one.name === name);
    return column !== undefined && (column.identifies || column.words.includes('year') || column.words.at(-1) === 'id');
  }
}

function textOf(cell: Cell, longest: number): string {
  return inline(String(cell), longest) || '(empty)';
}

function momentOf(cell: Cell, dimension: Dimension | null): string {
  return momentWords(String(cell), dimension?.kind === 'bucket' ? dimension.bucket : null);
}

function partWords({ part }: Dimension & { kind: 'part' }, value: number): string {
  if (part === 'weekday') return WEEKDAYS[value - 1] ?? String(value);
  if (part === 'month') return monthName(value - 1) || String(value);
  return `${String(value).padStart(2, '0')}:00`;
}
