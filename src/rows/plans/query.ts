import type { PlanColumn, PlanColumns } from '../../plan/plan-columns.js';
import { COMPARISONS, type PlanOrder } from '../../ports/analysis-plan.js';
import { MAIN_TABLE } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { quotedName, quotedText } from '../sql-text.js';
import { sqlTime } from '../table-shape.js';
import { assertFinite, assertKnown, storable } from './plan-checks.js';

/**
 * A query as it grows: named steps (WITH), each over the one before, and conditions that wait for the next of them. Rows are
 * always those of `relation` that fit what waits.
 */
export class Steps {
  private readonly steps: string[] = [];
  private readonly names = new Set<string>();
  relation: string;
  private conditions: readonly string[] = [];

  constructor(
    readonly writer: PlanWriter,
    /** Columns of the table that the plan reads. */
    private columns: readonly PlanColumn[],
  ) {
    this.relation = writer.relation;
    if (writer.join === null) return;
    // A step of the table's name would hide it.
    this.names.add(writer.join.table);
    this.pushText(JOINED, writer.join.query);
  }

  where(conditions: readonly string[]): void {
    this.conditions = [...this.conditions, ...conditions];
  }

  /** The name of a relation that holds the rows as they are now. */
  settled(name: string): string {
    if (this.conditions.length > 0) this.extend(name, []);
    return this.relation;
  }

  extend(name: string, added: readonly { readonly expression: string; readonly column: PlanColumn }[]): void {
    const listed = added.map(({ expression, column }) => ({ expression, name: this.writer.column(column) }));
    const all = this.columns.length === 0 && added.length > 0 && this.writer.relation === 'visible';
    const before = all ? [] : [this.writer.everything(this.columns)];
    this.push(name, [...before, ...listed.map(selected)]);
    this.columns = [...this.columns, ...added.map(({ column }) => column)];
  }

  /** A step that gives something else than the rows. */
  push(name: string, outputs: readonly string[], clauses: readonly string[] = []): void {
    this.pushText(name, this.lines(outputs, clauses, '  '));
  }

  /** A step that is written already, over what it names itself. */
  pushText(name: string, query: string): void {
    const own = this.free(name);
    this.steps.push(`${own} AS (\n  ${query}\n)`);
    this.relation = own;
    this.conditions = [];
  }

  /** The whole query; what runs follows a WITH that gives the table, so that its own steps begin with a comma. */
  statement(outputs: readonly string[], clauses: readonly string[] = []): string {
    const last = this.lines(outputs, clauses, '');
    if (this.steps.length === 0) return last;
    const follows = this.writer.relation === 'visible';
    return `${follows ? ', ' : 'WITH '}${this.steps.join(', ')}\n${last}`;
  }

  /** Indents by what it puts between the parts, never inside of them: a text may have lines of its own. */
  private lines(outputs: readonly string[], clauses: readonly string[], indent: string): string {
    const [first] = outputs;
    const list = outputs.length === 1 && first === '*' ? ' *' : `\n${indent}  ${outputs.join(`,\n${indent}  `)}`;
    const where = clause('WHERE', this.conditions, `\n${indent}  AND `);
    return [`SELECT${list}`, `FROM ${this.relation}`, ...where, ...clauses].join(`\n${indent}`);
  }

  private free(name: string): string {
    let free = name;
    for (let number = 2; this.names.has(free); number++) free = `${name}_${number}`;
    this.names.add(free);
    return free;
  }
}

/** One column of a query's result or of a step; its name is quoted. */
export function selected({ expression, name }: { readonly expression: string; readonly name: string }): string {
  return expression === name ? name : `${expression} AS ${name}`;
}

export function clause(word: string, terms: readonly string[], separator: string): readonly string[] {
  return terms.length === 0 ? [] : [`${word} ${terms.join(separator)}`];
}

/** One term of ORDER BY; what has no value comes last, in both directions. */
export function orderTerm(expression: string, direction: PlanOrder['direction']): string {
  assertKnown(direction, ['asc', 'desc']);
  return `${expression}${direction === 'desc' ? ' DESC' : ''} NULLS LAST`;
}

/** Of a column of the result. Texts that have an order of their own are sorted by it. */
export function sortKey(
  { label, ranked }: { readonly label: string; readonly ranked?: readonly string[] | undefined },
  writer: PlanWriter,
): string {
  return rankedKey(writer.label(label), ranked, writer);
}

export function rankedKey(expression: string, ranked: readonly string[] | undefined, writer: PlanWriter): string {
  if (ranked === undefined) return expression;
  return `list_position([${ranked.map((text) => writer.text(text)).join(', ')}], ${expression})`;
}

export function limitClause(limit: number | null, skip = 0): readonly string[] {
  return [...(limit === null ? [] : [`LIMIT ${limit}`]), ...(skip === 0 ? [] : [`OFFSET ${skip}`])];
}

/** Which of the rows stay within each combination: from the first that is not passed over. */
export function qualifyClause(
  each: readonly string[],
  order: readonly string[],
  { limit, skip }: { readonly limit: number; readonly skip: number },
): string {
  const sorted = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
  const place = `row_number() OVER (PARTITION BY ${each.join(', ')}${sorted})`;
  return skip === 0 ? `QUALIFY ${place} <= ${limit}` : `QUALIFY ${place} BETWEEN ${skip + 1} AND ${skip + limit}`;
}

/** The rows that a figure inside a condition is over. */
export interface FigureScope {
  readonly relation: string;
  readonly where: readonly string[];
}

/** What the words of a plan mean where they are compiled. */
export interface PlanContext {
  readonly columns: PlanColumns;
  readonly writer: PlanWriter;
  /** For figures over the rows that fit the plan's other conditions, and over all rows. */
  readonly scope: { readonly matching: FigureScope; readonly all: (columns: readonly string[]) => FigureScope };
}

/** A figure over rows, as a value. */
export function figureOver(expression: string, { relation, where }: FigureScope): string {
  const conditions = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
  return `(SELECT ${expression} FROM ${relation}${conditions})`;
}

/** Plans also come from a model, as data that only looks typed. */
export function operatorFrom(operator: string): string {
  const known = COMPARISONS.find((one) => one === operator);
  if (known !== undefined) return known === '!=' ? '<>' : known;
  throw new AppError('invalid_input', `the plan has an unknown operator "${operator.slice(0, 50)}"`);
}

export type PlanValue = string | number | boolean | null;

/** What a plan reads in place of the table alone: a query that joins it with another. */
interface WrittenJoin {
  readonly query: string;
  /** The name of the other table. */
  readonly table: string;
}

const JOINED = 'joined';

/**
 * Writes the parts of a query that differ between what is shown and what runs. This one is for what is shown: the header's names, the values in
 * place.
 */
export class PlanWriter {
  /** The table, or what its join with another is called. */
  readonly relation: string;

  constructor(
    /** Whether figures are to be kept from overflowing, at the price of a query that is harder to read. */
    readonly guarded: boolean,
    readonly join: WrittenJoin | null = null,
  ) {
    this.relation = join === null ? MAIN_TABLE : join.table === JOINED ? `${JOINED}_2` : JOINED;
  }

  /** All columns of a relation that holds these. */
  everything(_columns: readonly PlanColumn[]): string {
    return '*';
  }

  column(column: PlanColumn): string {
    return quotedName(column.visible);
  }

  /** What a column of the result is called in the query. */
  label(label: string): string {
    return quotedName(label);
  }

  number(value: number): string {
    assertFinite(value);
    // A fraction would be read as a decimal, which compares with a large integer only up to its own width.
    return Number.isSafeInteger(value) ? String(value) : `${String(value)}::DOUBLE`;
  }

  text(value: string): string {
    return quotedText(storable(value));
  }

  boolean(value: boolean): string {
    return String(value);
  }

  /** A UTC instant. */
  time(value: Date): string {
    return `TIMESTAMP ${quotedText(
      sqlTime(value)
        .replace('T', ' ')
        .replace(/(?: 00:00:00)?\.000$/, ''),
    )}`;
  }
}

/** For the query that runs: physical columns, bound values. */
export class BoundWriter extends PlanWriter {
  override readonly relation = 'visible';
  readonly params: PlanValue[] = [];
  private readonly labels: string[] = [];

  /** One by one, because a relation that is used twice is kept, and should not be kept with columns that nobody reads. */
  override everything(columns: readonly PlanColumn[]): string {
    return columns.length === 0 ? '*' : columns.map((column) => this.column(column)).join(', ');
  }

  override column(column: PlanColumn): string {
    return quotedName(column.physical);
  }

  /** A name of our own, so that no label can be taken for a column. */
  override label(label: string): string {
    const known = this.labels.indexOf(label);
    return `result_${known >= 0 ? known : this.labels.push(label) - 1}`;
  }

  override number(value: number): string {
    assertFinite(value);
    if (Number.isSafeInteger(value)) return `${this.bind(value)}::BIGINT`;
    // A whole number without exact neighbours would be bound as an integer, and may be none of 64 bits.
    return `${this.bind(Number.isInteger(value) ? String(value) : value)}::DOUBLE`;
  }

  override text(value: string): string {
    return `${this.bind(storable(value))}::VARCHAR`;
  }

  override boolean(value: boolean): string {
    return `${this.bind(value)}::BOOLEAN`;
  }

  override time(value: Date): string {
    return `${this.bind(sqlTime(value))}::TIMESTAMP`;
  }

  private bind(value: PlanValue): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }
}
