import { isRecord } from '../../../shared/json.js';
import type { PlanColumn, PlanColumns } from '../../../plan/plan-columns.js';
import type { ColumnScale, Stage } from './mongo-table.js';
import { isPlainName, type Term } from './pipeline-terms.js';
import { folded, sameText, spelled } from './pipeline-text.js';

/** Where a part of a pipeline finds the rows once more. */
export interface PipelineSource {
  readonly collection: string;
  /** The first stages of every pipeline over it. */
  readonly visible: readonly Stage[];
}

/** Where in a text something stands. */
export type Place = 'anywhere' | 'start' | 'end' | 'whole';

/** A search in text. */
export interface Pattern {
  readonly regex: string;
  readonly options?: string;
}

/** Writes the parts of a pipeline that differ between what runs and what is shown. */
export interface PipelineWriter {
  readonly source: PipelineSource;
  /** The field of a column in the rows; null when no path can name it. */
  field(column: PlanColumn): string | null;
  /** The value of a column in a row. */
  column(column: PlanColumn): Term;
  /** The field of a result. */
  label(label: string): string;
  /** What a result is called in the end. */
  named(label: string): string;
  /** A field that is no other's. */
  fresh(name: string): string;
  /** Whether figures over other rows are looked up, for which the rows are read again. */
  readonly looksUp: boolean;
  /** Where the numbers of a value lie; null: it is not known. */
  scaleOf(of: Term): ColumnScale | null;
  /** Whether two texts are the same, in capitals or not. */
  same(left: Term, right: Term): Term;
  /** Finds any of the texts, in capitals or not. */
  pattern(texts: readonly string[], place: Place): Pattern;
}

class Names {
  private readonly taken: Set<string>;

  constructor(taken: readonly string[]) {
    this.taken = new Set(taken);
  }

  free(name: string): string {
    let free = name;
    for (let number = 2; this.taken.has(free); number++) free = `${name}_${number}`;
    this.taken.add(free);
    return free;
  }
}

/** Scales of the table's columns, by the fields that they are stored under. */
export type Scales = ReadonlyMap<string, ColumnScale>;

/** For the pipeline that runs: fields as they are stored, and names of our own. */
export class StoredWriter implements PipelineWriter {
  readonly looksUp = true;
  private readonly names: Names;
  private readonly labels: string[] = [];

  constructor(
    readonly source: PipelineSource,
    table: PlanColumns,
    private readonly scales: Scales = new Map(),
  ) {
    this.names = new Names([...table.all.map(({ physical }) => physical), '_id', 'b']);
  }

  field(column: PlanColumn): string {
    return column.physical;
  }

  column(column: PlanColumn): Term {
    return `$${column.physical}`;
  }

  label(label: string): string {
    const known = this.labels.indexOf(label);
    return `result_${known >= 0 ? known : this.labels.push(label) - 1}`;
  }

  named(label: string): string {
    return this.label(label);
  }

  fresh(name: string): string {
    return this.names.free(name);
  }

  scaleOf(of: Term): ColumnScale | null {
    return typeof of === 'string' ? (this.scales.get(of.slice(1)) ?? null) : null;
  }

  same(left: Term, right: Term): Term {
    return sameText(left, right);
  }

  pattern(texts: readonly string[], place: Place): Pattern {
    return { regex: anchored(texts.map(folded), place, '\\z') };
  }
}

/** For the pipeline that is shown: over the collection `data`, with the names that the columns have in it. */
export class ShownWriter implements PipelineWriter {
  readonly looksUp = false;
  readonly source: PipelineSource = { collection: 'data', visible: [] };
  private readonly names: Names;
  private readonly standIns = new Map<string, string>();

  /** @param columns the names of the table's columns, by the fields that they are stored under */
  constructor(
    private readonly columns: ReadonlyMap<string, string>,
    labels: readonly string[],
    private readonly scales: Scales = new Map(),
  ) {
    this.names = new Names([...columns.values(), ...labels, '_id']);
  }

  field(column: PlanColumn): string | null {
    const own = this.columns.get(column.physical);
    if (own !== undefined) return isPlainName(own) ? own : null;
    return isPlainName(column.name) ? column.name : this.standIn(column.name, 'derived');
  }

  column(column: PlanColumn): Term {
    const field = this.field(column);
    const name = this.columns.get(column.physical) ?? column.name;
    return field === null ? { $getField: { $literal: name } } : `$${field}`;
  }

  label(label: string): string {
    return isPlainName(label) && label !== '_id' ? label : this.standIn(label, 'result');
  }

  named(label: string): string {
    return label;
  }

  fresh(name: string): string {
    return this.names.free(name);
  }

  scaleOf(of: Term): ColumnScale | null {
    const name = nameIn(of);
    const [field] = [...this.columns].find(([, visible]) => visible === name) ?? [];
    return field === undefined ? null : (this.scales.get(field) ?? null);
  }

  same(left: Term, right: Term): Term {
    return { $eq: [{ $toLower: left }, { $toLower: right }] };
  }

  pattern(texts: readonly string[], place: Place): Pattern {
    const isPlain = texts.every((text) => /^[\x20-\x7e]*$/.test(text));
    if (!isPlain) return { regex: anchored(texts.map(folded), place, '$') };
    return { regex: anchored(texts.map(spelled), place, '$'), options: 'i' };
  }

  private standIn(name: string, kind: string): string {
    const key = `${kind} ${name}`;
    const known = this.standIns.get(key) ?? this.fresh(kind);
    this.standIns.set(key, known);
    return known;
  }
}

function anchored(texts: readonly string[], place: Place, end: string): string {
  // Nothing at all would leave a pattern that looks like the name of a field.
  const [only = ''] = texts;
  const any = texts.length === 1 && only !== '' ? only : `(?:${texts.join('|')})`;
  const [before, after] = [place === 'start' || place === 'whole', place === 'end' || place === 'whole'];
  return `${before ? '^' : ''}${any}${after ? end : ''}`;
}

/** The column that a value is; null: it is none. */
function nameIn(of: Term): string | null {
  if (typeof of === 'string') return of.slice(1);
  if (!isRecord(of) || !isRecord(of['$getField'])) return null;
  const name = of['$getField']['$literal'];
  return typeof name === 'string' ? name : null;
}
