import { type ColumnType, isNumeric } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { visibleNames } from './sandbox-names.js';

/** A column as it is stored and as its header calls it. */
export interface TableColumn {
  readonly physical: string;
  readonly name: string;
  readonly type: ColumnType;
}

/** A column of a plan, with the name it has in the table `data`. */
export interface PlanColumn extends TableColumn {
  readonly visible: string;
}

/** The columns that a plan may name. */
export class PlanColumns {
  readonly all: readonly PlanColumn[];

  constructor(columns: readonly TableColumn[]) {
    const visible = visibleNames(columns.map(({ name }) => name));
    this.all = columns.map((column, index) => ({ ...column, visible: visible[index] ?? column.name }));
  }

  /** Finds by the exact name; a name that differs in case alone will do when only one column has it. */
  named(name: string): PlanColumn {
    const exact = this.all.find((column) => column.name === name || column.visible === name);
    if (exact) return exact;
    const [alike, ...others] = this.all.filter((column) => column.name.toLowerCase() === name.toLowerCase());
    if (!alike || others.length > 0) throw new AppError('invalid_input', `there is no column "${shown(name)}"`);
    return alike;
  }

  /** @throws AppError `invalid_input` when the column is not of the wanted type; `purpose` says in the message what it was for. */
  typed(name: string, wanted: 'numeric' | 'time' | 'text', purpose: string): PlanColumn {
    const column = this.named(name);
    const fits = wanted === 'numeric' ? isNumeric(column.type) : column.type === wanted;
    if (fits) return column;
    const kind = wanted === 'numeric' ? 'a column of numbers' : `a ${wanted} column`;
    throw new AppError('invalid_input', `${purpose} needs ${kind}; "${shown(name)}" is of type ${column.type}`);
  }
}

function shown(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}
