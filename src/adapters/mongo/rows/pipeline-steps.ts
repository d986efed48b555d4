import type { Stage } from './mongo-table.js';
import { Accumulators } from './pipeline-accumulators.js';
import { type Condition, matchOf } from './pipeline-conditions.js';
import { both, type Term } from './pipeline-terms.js';
import type { PipelineWriter } from './pipeline-writers.js';

/** The rows that a figure inside a condition is over. */
export interface FigureScope {
  readonly stages: readonly Stage[];
  readonly where: readonly Condition[];
}

/** A figure of rows, of those that fit the filter alone where there is one: what is collected of them, and the value that it makes. */
export type Figuring = (accumulators: Accumulators, filter: Term) => Term;

/** Figures over the same rows. */
class Figures {
  readonly accumulators: Accumulators;
  private readonly values = new Map<string, Term>();

  constructor(
    private readonly writer: PipelineWriter,
    readonly scope: FigureScope,
  ) {
    this.accumulators = new Accumulators(writer);
  }

  add(value: Term): string {
    const text = JSON.stringify(value);
    const known = [...this.values].find(([, other]) => JSON.stringify(other) === text);
    if (known) return `$${known[0]}`;
    const field = this.writer.fresh('figure');
    this.values.set(field, value);
    return `$${field}`;
  }

  /**
   * Worked out first; then the rows are read again and pass by the figures. The other way round, each row would look for the figures,
   * which takes ten times as long.
   */
  before(rows: readonly Stage[]): readonly Stage[] {
    const { collection, visible } = this.writer.source;
    const row = this.writer.fresh('row');
    const where = this.scope.where.length === 0 ? [] : [matchOf(this.scope.where)];
    const kept = Object.fromEntries([...this.values.keys()].map((name) => [name, { $ifNull: [`$${name}`, null] }]));
    return [
      ...this.scope.stages,
      ...where,
      ...this.accumulators.stages(null),
      { $project: { _id: 0, ...Object.fromEntries(this.values) } },
      { $lookup: { from: collection, pipeline: [...visible, ...rows], as: row } },
      { $unwind: `$${row}` },
      { $replaceWith: { $mergeObjects: [`$${row}`, kept] } },
    ];
  }

  /** Worked out over the rows where they pass by, which needs them all in memory. */
  windowed(): readonly Stage[] {
    return [...this.accumulators.windows(), { $set: Object.fromEntries(this.values) }];
  }
}

/**
 * A pipeline as it grows. A figure over other rows stands in each row: the pipeline that runs looks it up, the one that is shown has a
 * window over all rows, at the place where these are the right ones.
 */
export class PipelineSteps {
  private done: Stage[] = [];
  private readonly windows: Figures[] = [];
  private readonly figures = new Set<string>();
  private base: readonly Stage[] = [];
  private conditions: Condition[] = [];
  private wanted: Figures | null = null;

  constructor(readonly writer: PipelineWriter) {}

  /** What gives the rows, without the conditions that came after their last column. */
  get relation(): readonly Stage[] {
    return this.base;
  }

  where(conditions: readonly Condition[]): void {
    if (conditions.length === 0) return;
    this.flushFigures();
    this.conditions.push(...conditions);
  }

  add(...stages: readonly Stage[]): void {
    this.flush();
    this.done.push(...stages);
  }

  /** Adds columns to the rows. */
  extend(added: Readonly<Record<string, Term>>): void {
    this.add({ $set: added });
    this.settled();
  }

  /** What gives the rows as they are now. */
  settled(): readonly Stage[] {
    this.flush();
    this.base = [...this.done];
    return this.base;
  }

  /** A figure over rows, as a value in each row. */
  figure(scope: FigureScope, figuring: Figuring): Term {
    const figure = this.writer.looksUp ? this.lookedUp(scope, figuring) : this.windowed(scope, figuring);
    this.figures.add(figure);
    return figure;
  }

  /** Whether a value follows from figures, which no other figure can be of before they stand in the rows. */
  hasFigures(term: Term): boolean {
    const text = JSON.stringify(term);
    return [...this.figures].some((figure) => text.includes(JSON.stringify(figure)));
  }

  statement(): readonly Stage[] {
    this.flush();
    const at = (place: number): readonly Stage[] =>
      this.windows.filter(({ scope }) => scope.stages.length === place).flatMap((figures) => figures.windowed());
    return [...this.done.flatMap((stage, index) => [...at(index), stage]), ...at(this.done.length)];
  }

  private lookedUp(scope: FigureScope, figuring: Figuring): string {
    this.flushConditions();
    if (this.wanted?.scope !== scope) this.flushFigures();
    this.wanted ??= new Figures(this.writer, scope);
    return this.wanted.add(figuring(this.wanted.accumulators, undefined));
  }

  private windowed(scope: FigureScope, figuring: Figuring): string {
    const known = this.windows.find((one) => one.scope === scope);
    const figures = known ?? new Figures(this.writer, scope);
    if (!known) this.windows.push(figures);
    const filter = scope.where.length === 0 ? undefined : both(scope.where.map(({ test }) => test));
    return figures.add(figuring(figures.accumulators, filter));
  }

  private flush(): void {
    this.flushFigures();
    this.flushConditions();
  }

  private flushConditions(): void {
    if (this.conditions.length === 0) return;
    this.done.push(matchOf(this.conditions));
    this.conditions = [];
  }

  private flushFigures(): void {
    if (this.wanted !== null) this.done = [...this.wanted.before(this.done)];
    this.wanted = null;
  }
}
