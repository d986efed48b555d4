import { type ColumnType, isNumeric } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { cut } from '../shared/tame.js';
import { joinedNames, visibleNames } from './visible-names.js';

/** A column as it is stored and as its header calls it. */
export interface TableColumn {
  readonly physical: string;
  readonly name: string;
  readonly type: ColumnType;
}

/** A column of a plan, with the name it has in the table `data`. */
export interface PlanColumn extends TableColumn {
  readonly visible: string;
  /** Texts in an order of their own, which is not the alphabet's: the intervals of bins. */
  readonly ranked?: readonly string[] | undefined;
}

type Wanted = 'numeric' | 'time' | 'text';

/** The columns that a plan may name: those of the table and those it has derived so far. */
export class PlanColumns {
  private constructor(
    readonly all: readonly PlanColumn[],
    readonly derived: readonly PlanColumn[],
  ) {}

  static of(columns: readonly TableColumn[]): PlanColumns {
    const visible = visibleNames(columns.map(({ name }) => name));
    const all = columns.map((column, index) => ({ ...column, visible: visible[index] ?? column.name }));
    return new PlanColumns(all, []);
  }

  /** Those of a table, and then those of one that it is joined with, which can be named with that table's name before them, too. */
  static joined(own: readonly PlanColumn[], right: readonly PlanColumn[], table: string): PlanColumns {
    const names = joinedNames(namesOf(own), namesOf(right), table);
    const columns = right.map((column, at): PlanColumn => {
      const visible = names[at] ?? column.visible;
      return { ...column, name: `${table}.${column.visible}`, visible };
    });
    return new PlanColumns([...own, ...columns], []);
  }

  /** @throws AppError `invalid_input` when the name is taken. */
  with(name: string, facts: Pick<PlanColumn, 'type' | 'ranked'>): PlanColumns {
    assertName(name);
    if (this.isTaken(name)) throw new AppError('invalid_input', `there is a column "${shown(name)}" already`);
    const derived = { ...facts, physical: this.free(`derived_${this.derived.length}`), name, visible: name };
    return new PlanColumns(this.all, [...this.derived, derived]);
  }

  /** A column that the plan did not ask for, under a name that is free. */
  helper(name: string): PlanColumns {
    let free = name;
    for (let number = 2; this.isTaken(free); number++) free = `${name} ${number}`;
    return this.with(free, { type: 'number' });
  }

  /** Finds by the exact name; a name that differs in case alone will do when only one column has it. */
  named(name: string): PlanColumn {
    const known = [...this.all, ...this.derived];
    const exact = known.find((column) => column.name === name || column.visible === name);
    if (exact) return exact;
    const lower = name.toLowerCase();
    const [alike, ...others] = known.filter((column) => isCalled(column, lower));
    if (!alike || others.length > 0) throw new AppError('invalid_input', `there is no column "${shown(name)}"`);
    return alike;
  }

  /** @throws AppError `invalid_input` when the column is not of the wanted type; `purpose` says in the message what it was for. */
  typed(name: string, wanted: Wanted, purpose: string): PlanColumn {
    const column = this.named(name);
    const fits = wanted === 'numeric' ? isNumeric(column.type) : column.type === wanted;
    if (fits) return column;
    const kind = wanted === 'numeric' ? 'a column of numbers' : `a ${wanted} column`;
    throw new AppError('invalid_input', `${purpose} needs ${kind}; "${shown(name)}" is of type ${column.type}`);
  }

  private isTaken(name: string): boolean {
    const lower = name.toLowerCase();
    return [...this.all, ...this.derived].some((column) => isCalled(column, lower));
  }

  private free(physical: string): string {
    const taken = new Set(this.all.map((column) => column.physical.toLowerCase()));
    let free = physical;
    while (taken.has(free)) free = `${free}_`;
    return free;
  }
}

function isCalled({ name, visible }: PlanColumn, lower: string): boolean {
  return name.toLowerCase() === lower || visible.toLowerCase() === lower;
}

function namesOf(columns: readonly PlanColumn[]): readonly string[] {
  return columns.map(({ visible }) => visible);
}

const LONGEST_SHOWN = 100;

/** Long names are cut, so that a message stays a sentence. */
export function shown(name: string): string {
  return cut(name, LONGEST_SHOWN);
}

const LONGEST_NAME = 1000;

function assertName(name: string): void {
  if (name.trim() === '') throw new AppError('invalid_input', 'a derived column of the plan has no name');
  if (name.length > LONGEST_NAME) throw new AppError('invalid_input', `the name "${shown(name)}" is too long`);
}
