import type { PlanColumn } from '../plan/plan-columns.js';
import type { PlanWriter } from './plan-compiler.writers.js';

/** One column of a query's result or of a step: its expression and its name, quoted. */
export interface Selected {
  readonly expression: string;
  readonly name: string;
}

/**
 * A query as it grows: named steps (WITH), each over the one before, and conditions that wait for the next of them. Rows are
 * always those of `relation` that fit `waiting`.
 */
export class Steps {
  private readonly steps: string[] = [];
  private readonly names = new Set<string>();
  private current: string;
  private conditions: readonly string[] = [];

  constructor(
    readonly writer: PlanWriter,
    /** Columns of the table that the plan reads. */
    private columns: readonly PlanColumn[],
  ) {
    this.current = writer.relation;
  }

  get relation(): string {
    return this.current;
  }

  get waiting(): readonly string[] {
    return this.conditions;
  }

  where(conditions: readonly string[]): void {
    this.conditions = [...this.conditions, ...conditions];
  }

  /** The name of a relation that holds the rows as they are now. */
  settled(name: string): string {
    if (this.conditions.length > 0) this.extend(name, []);
    return this.current;
  }

  /** Adds columns to the rows. */
  extend(name: string, added: readonly { readonly expression: string; readonly column: PlanColumn }[]): void {
    const listed = added.map(({ expression, column }) => ({ expression, name: this.writer.column(column) }));
    const all = this.columns.length === 0 && added.length > 0 && this.writer.relation === 'visible';
    const before = all ? [] : [this.writer.everything(this.columns)];
    this.push(name, [...before, ...listed.map(selected)], []);
    this.columns = [...this.columns, ...added.map(({ column }) => column)];
  }

  /** A step that gives something else than the rows. */
  push(name: string, outputs: readonly string[], clauses: readonly string[]): void {
    this.pushText(name, this.lines(outputs, clauses, '  '));
  }

  /** A step that is written already, over what it names itself. */
  pushText(name: string, query: string): void {
    const own = this.free(name);
    this.steps.push(`${own} AS (\n  ${query}\n)`);
    this.current = own;
    this.conditions = [];
  }

  /** The whole query; what runs follows a WITH that gives the table, so that its own steps begin with a comma. */
  statement(outputs: readonly string[], clauses: readonly string[]): string {
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
    return [`SELECT${list}`, `FROM ${this.current}`, ...where, ...clauses].join(`\n${indent}`);
  }

  private free(name: string): string {
    let free = name;
    for (let number = 2; this.names.has(free); number++) free = `${name}_${number}`;
    this.names.add(free);
    return free;
  }
}

export function selected({ expression, name }: Selected): string {
  return expression === name ? name : `${expression} AS ${name}`;
}

export function clause(word: string, terms: readonly string[], separator: string): readonly string[] {
  return terms.length === 0 ? [] : [`${word} ${terms.join(separator)}`];
}
