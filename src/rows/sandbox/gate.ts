import { MAIN_TABLE, type TableRelation } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { isRecord } from '../../shared/json.js';
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS, ALLOWED_TYPES, LIST_AGGREGATES } from './gate-functions.js';
import { JoinCheck, lowered } from './joins.js';
import { DAY_MS, HOUR_MS } from '../../shared/durations.js';

export const LONGEST_STATEMENT = 20_000;

const DEEPEST = 400;

const EXPRESSIONS: ReadonlySet<string> = new Set(
  'COLUMN_REF CONSTANT FUNCTION WINDOW COMPARISON CONJUNCTION CAST CASE BETWEEN OPERATOR SUBQUERY STAR LAMBDA COLLATE POSITIONAL_REFERENCE'.split(
    ' ',
  ),
);

/** Query nodes, what stands after FROM, and what follows a query. */
const PARTS: ReadonlySet<string> = new Set(
  (
    'SELECT_NODE SET_OPERATION_NODE RECURSIVE_CTE_NODE BASE_TABLE SUBQUERY JOIN TABLE_FUNCTION EXPRESSION_LIST EMPTY PIVOT SHOW_REF ORDER_MODIFIER LIMIT_MODIFIER ' +
    'LIMIT_PERCENT_MODIFIER DISTINCT_MODIFIER ORDER_DEFAULT ASCENDING DESCENDING'
  ).split(' '),
);

/** Without its list of values, PIVOT is parsed to several statements, one of which makes a type. */
const NO_SELECT = 'only a SELECT is allowed, and PIVOT only with a list of values: ON x IN (…)';

/** Where the walk is: the tables that can be named there, and how deep. */
interface Place {
  readonly tables: ReadonlySet<string>;
  readonly depth: number;
}

/** Tables by the names that statements know them by, with the names of their columns. */
export type ReadableTables = ReadonlyMap<string, readonly string[]>;

/**
 * Decides by the engine's own parse whether a statement that somebody else wrote may run: one SELECT that reads the
 * table `data`, and those that it may be joined with, along confirmed relations, through functions that only compute. What is not known
 * to be harmless is refused.
 */
export class Gate {
  private readonly reserved: ReadonlySet<string>;
  /** What the writer is told of the tables. */
  private readonly known: string;

  /** @param catalog names that mean a table or view of the engine; a statement must not give one to a table of its own. */
  constructor(
    catalog: readonly string[],
    private readonly tables: ReadableTables = new Map([[MAIN_TABLE, []]]),
  ) {
    const names = [...tables.keys()];
    this.reserved = new Set([...names, ...catalog.map(lowered)]);
    this.known = names.length === 1 ? 'the only table is data' : `the tables are ${names.join(', ')}`;
  }

  /**
   * @param serialized what `json_serialize_sql` says of the statement
   * @returns the relations along which it joins
   * @throws AppError `invalid_input` that tells the writer what is not allowed
   */
  assertAllowed(serialized: string, relations: readonly TableRelation[] = []): readonly TableRelation[] {
    const parsed = parsedJson(serialized);
    if (!isRecord(parsed) || parsed['error'] !== false) throw notAllowed(parseProblem(parsed));
    const statements = parsed['statements'];
    if (!Array.isArray(statements) || statements.length !== 1) throw notAllowed('only one statement is allowed');
    this.walk(statements[0], { tables: new Set(this.tables.keys()), depth: 0 });
    if (this.tables.size === 1) return [];
    const joins = new JoinCheck(this.tables, relations);
    joins.check(statements[0]);
    return [...joins.used];
  }

  private walk(node: unknown, place: Place): void {
    if (place.depth > DEEPEST) throw notAllowed('the statement is nested too deeply');
    const below = { ...place, depth: place.depth + 1 };
    if (Array.isArray(node)) {
      for (const child of node) this.walk(child, below);
      return;
    }
    // Nothing in a literal value is looked up or called.
    if (!isRecord(node) || isLiteral(node)) return;
    if (typeof node['class'] === 'string') this.expression(node['class'], node, below);
    else if (typeof node['type'] === 'string') this.part(node['type'], node, below);
    else this.children(node, below);
  }

  private children(node: Record<string, unknown>, place: Place): void {
    for (const child of Object.values(node)) this.walk(child, place);
  }

  private expression(kind: string, node: Record<string, unknown>, place: Place): void {
    if (!EXPRESSIONS.has(kind))
      throw notAllowed(kind === 'PARAMETER' ? 'write values in place of parameters' : `${kind} is not allowed`);
    if (kind === 'FUNCTION' || kind === 'WINDOW') this.assertFunction(node, false);
    if (kind !== 'CAST') {
      this.children(node, place);
      return;
    }
    assertType(node['cast_type'], place.depth);
    this.walk(node['child'], place);
  }

  private part(kind: string, node: Record<string, unknown>, place: Place): void {
    if (!PARTS.has(kind)) throw notAllowed(`${kind} is not allowed`);
    this.assertAlias(kind, node);
    if (kind === 'BASE_TABLE') this.assertTable(node, place.tables);
    if (kind === 'SHOW_REF') this.assertQueryShown(node);
    if (kind === 'PIVOT' && hasEnum(node)) throw notAllowed('PIVOT is only allowed with a list of values: ON x IN (…)');
    if (kind === 'TABLE_FUNCTION') this.tableFunction(node, place);
    else this.query(kind, node, this.withQueries(node['cte_map'], place));
  }

  private query(kind: string, node: Record<string, unknown>, place: Place): void {
    if (kind !== 'RECURSIVE_CTE_NODE') {
      this.children(without(node, 'cte_map'), place);
      return;
    }
    // Only what is repeated sees the rows that were found before.
    this.walk(node['right'], this.withName(lowered(node['cte_name']), place));
    this.children(without(without(node, 'cte_map'), 'right'), place);
  }

  private tableFunction(node: Record<string, unknown>, place: Place): void {
    const call = node['function'];
    if (!isRecord(call)) throw notAllowed('this table function is not allowed');
    this.assertFunction(call, true);
    this.children(call, place);
  }

  /** Checks the queries of a WITH, each of which sees those before it, and gives the place of what follows them. */
  private withQueries(map: unknown, place: Place): Place {
    const entries = isRecord(map) && Array.isArray(map['map']) ? map['map'].filter(isRecord) : [];
    return entries.reduce<Place>((seen, entry) => {
      const named = this.withName(lowered(entry['key']), seen);
      this.walk(entry['value'], seen);
      return named;
    }, place);
  }

  private withName(name: string, place: Place): Place {
    if (this.reserved.has(name)) throw notAllowed(`a WITH query can't be named "${name}"`);
    return { ...place, tables: new Set([...place.tables, name]) };
  }

  private assertAlias(kind: string, node: Record<string, unknown>): void {
    const alias = lowered(node['alias']);
    const isOwnName = kind === 'BASE_TABLE' && lowered(node['table_name']) === alias;
    if (!isOwnName && this.reserved.has(alias)) throw notAllowed(`a table can't be given the name "${alias}"`);
  }

  private assertTable(node: Record<string, unknown>, tables: ReadonlySet<string>): void {
    const name = String(node['table_name']);
    const isPlain = node['schema_name'] === '' && node['catalog_name'] === '' && node['at_clause'] === null;
    if (isPlain && tables.has(lowered(name))) return;
    const shown = [node['catalog_name'], node['schema_name'], name].filter((part) => part !== '').join('.');
    throw notAllowed(`the table "${shown.slice(0, 100)}" can't be read; ${this.known}`);
  }

  private assertFunction(node: Record<string, unknown>, asTable: boolean): void {
    const name = lowered(node['function_name']);
    // `value.name()` is parsed to a call in the schema `value`.
    const isPlain = ['', 'main'].includes(lowered(node['schema'])) && lowered(node['catalog']) === '';
    const check = BOUNDED_FUNCTIONS.get(name);
    const isKnown = asTable ? ALLOWED_TABLE_FUNCTIONS.has(name) : ALLOWED_FUNCTIONS.has(name) || check !== undefined;
    if (!isPlain || !isKnown) throw notAllowed(this.functionProblem(name, isPlain, asTable));
    const args: readonly unknown[] = Array.isArray(node['children']) ? node['children'] : [];
    const problem = check?.(name, args, asTable) ?? null;
    if (problem !== null) throw notAllowed(problem);
  }

  private functionProblem(name: string, isPlain: boolean, asTable: boolean): string {
    const shown = name.slice(0, 100);
    if (!isPlain) return `write ${shown}(value) in place of a call with a dot`;
    return asTable ? `${shown}() can't be read from; ${this.known}` : `the function ${shown}() is not allowed`;
  }

  /** DESCRIBE and SUMMARIZE of a table are parsed to those of a query over it; what has no query is about the catalog. */
  private assertQueryShown(node: Record<string, unknown>): void {
    const isQuery = isRecord(node['query']) && node['table_name'] === '';
    if (!isQuery) throw notAllowed(`only the table data and queries over it can be described; ${this.known}`);
  }
}

/** Also the types that a type is made of. */
function assertType(type: unknown, depth: number): void {
  if (depth > DEEPEST) throw notAllowed('the statement is nested too deeply');
  if (isRecord(type) && type['id'] === 'UNBOUND') {
    assertNamedType(type['type_info']);
    return;
  }
  const parts = isRecord(type) ? Object.values(type) : type;
  const id = isRecord(type) ? type['id'] : undefined;
  if (typeof id === 'string' && !ALLOWED_TYPES.has(id)) throw notAllowed(`a cast to ${id} is not allowed`);
  if (Array.isArray(parts)) for (const part of parts) assertType(part, depth + 1);
}

function assertNamedType(info: unknown): void {
  const name = isRecord(info) ? String(info['name']) : '';
  const isJson = lowered(name) === 'json' && isRecord(info) && info['schema'] === '' && info['catalog'] === '';
  if (!isJson) throw notAllowed(`a cast to ${name.slice(0, 100)} is not allowed`);
}

/** A pivot over the values of a type of the catalog. */
function hasEnum(node: Record<string, unknown>): boolean {
  const pivots = Array.isArray(node['pivots']) ? node['pivots'].filter(isRecord) : [];
  return pivots.some((pivot) => pivot['pivot_enum'] !== '');
}

/** What the engine writes for a number beyond the largest is no JSON. */
function parsedJson(serialized: string): unknown {
  try {
    return JSON.parse(serialized);
  } catch {
    throw notAllowed('a number in the statement is too large');
  }
}

function parseProblem(parsed: unknown): string {
  const message = isRecord(parsed) ? String(parsed['error_message']) : '';
  return message.startsWith('Only SELECT') || message === '' ? NO_SELECT : message;
}

/** A value with its type, as constants and the lists of PIVOT hold it. */
function isLiteral(node: Record<string, unknown>): boolean {
  return typeof node['is_null'] === 'boolean' && isRecord(node['type']);
}

function without(node: Record<string, unknown>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node).filter(([name]) => name !== key));
}

function notAllowed(problem: string): AppError {
  return new AppError('invalid_input', problem);
}

const MOST_REPEATS = 1000;
const MOST_LISTED = 100_000;
const MOST_BRACKETS = 50;
const MOST_ROWS = 1_000_000;
/** With steps as long as this, times of the data may bound a series: the years that data have make no list that is too long. */
const SHORTEST_STEP_MS = 60_000;
const WHOLE = /^U?(TINY|SMALL|BIG)?INT(EGER)?$/;
const STRUCTURE = /^[\w\s"'[\]{}:,().-]*$/;

/** Milliseconds in one of each unit, the shortest it can have. */
const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['second', 1000],
  ['minute', 60_000],
  ['hour', HOUR_MS],
  ['day', DAY_MS],
  ['week', 7 * DAY_MS],
  ['month', 28 * DAY_MS],
  ['quarter', 90 * DAY_MS],
  ['year', 365 * DAY_MS],
]);

/** Why a call of one of the bounded functions is not allowed; null when it is. */
type Check = (name: string, args: readonly unknown[], asTable: boolean) => string | null;

/** Functions that are allowed with constants only, and small or known ones. */
const BOUNDED_FUNCTIONS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...each('repeat lpad rpad', lengthProblem(1)),
  ...each('equi_width_bins', lengthProblem(2)),
  ...each('bar', lengthProblem(3)),
  ...each('format printf', formatProblem),
  ...each('range generate_series', seriesProblem),
  ...each('from_json from_json_strict json_transform json_transform_strict', structureProblem),
  ...each('aggregate list_aggregate list_aggr array_aggregate array_aggr', aggregateProblem),
]);

function each(names: string, check: Check): readonly (readonly [string, Check])[] {
  return names.split(' ').map((name) => [name, check]);
}

/** The argument at this place says how long the text becomes. */
function lengthProblem(place: number): Check {
  return (name, args) => {
    const length = args[place];
    const most = constantNumber(length) ?? mostOf(length);
    const isFine = length === undefined ? name === 'bar' : most !== null && most <= MOST_REPEATS;
    return isFine
      ? null
      : `${name}() is only allowed with a size of at most ${MOST_REPEATS}: a constant, or least(…, ${MOST_REPEATS})`;
  };
}

/** A width can make a text of any length, and `*` or a nested brace takes it from the data. */
function formatProblem(name: string, args: readonly unknown[]): string | null {
  const layout = constantText(args[0]);
  const isFine = layout !== null && !/\d{4,}|\*|\{[^}]*\{/.test(layout);
  return isFine ? null : `${name}() is only allowed with a constant layout and widths below 1000`;
}

/** The second argument is a type, written as JSON. */
function structureProblem(name: string, [, structure]: readonly unknown[]): string | null {
  const text = constantText(structure);
  // Each bracket is a level of the type, and of whoever reads its values.
  const isPlain = text !== null && STRUCTURE.test(text) && (text.match(/[[{(]/g) ?? []).length <= MOST_BRACKETS;
  return isPlain ? null : `${name}() is only allowed with a constant structure`;
}

/** It calls the function that the text names. */
function aggregateProblem(name: string, [, called]: readonly unknown[]): string | null {
  const text = constantText(called)?.toLowerCase();
  return text !== undefined && LIST_AGGREGATES.has(text)
    ? null
    : `${name}() is only allowed with the constant name of an aggregate function`;
}

function seriesProblem(name: string, args: readonly unknown[], asTable: boolean): string | null {
  const most = asTable ? MOST_ROWS : MOST_LISTED;
  const elements = numberCount(args) ?? timeCount(args);
  if (elements === null) return stepsInTime(args) ? null : `${name}() is only allowed with ${BOUNDS}`;
  return elements <= most ? null : `${name}() is only allowed up to ${most} elements`;
}

/** Said to who has to write it anew. */
const BOUNDS = 'constant bounds, such as least(…, 1000), or between times in constant steps of a minute or longer';

function numberCount(args: readonly unknown[]): number | null {
  const [first, second] = args.length === 1 ? [0, args[0]] : [constantNumber(args[0]), args[1]];
  const step = args.length < 3 ? 1 : constantNumber(args[2]);
  return first === null || step === null || step === 0 ? null : elementsBetween(first, second, step);
}

function elementsBetween(start: number, end: unknown, step: number): number | null {
  const stop = constantNumber(end);
  if (stop !== null) return Math.abs(stop - start) / Math.abs(step);
  // How far below its limit the end lies is unknown, so it must not be walked to downwards.
  const most = mostOf(end);
  return most === null || step < 0 ? null : Math.max(most - start, 0) / step;
}

/** What `least(…, 1000)` can be at most, also as a whole number. */
function mostOf(node: unknown): number | null {
  if (!isRecord(node)) return null;
  if (node['class'] === 'CAST') {
    const type = node['cast_type'];
    return isRecord(type) && WHOLE.test(String(type['id'])) ? mostOf(node['child']) : null;
  }
  if (node['class'] !== 'FUNCTION' || node['function_name'] !== 'least') return null;
  const parts: readonly unknown[] = Array.isArray(node['children']) ? node['children'] : [];
  const limits = parts.map(constantNumber).filter((limit) => limit !== null);
  return limits.length === 0 ? null : Math.min(...limits);
}

function stepsInTime(args: readonly unknown[]): boolean {
  const step = constantInterval(args[2]);
  return step !== null && Math.abs(step) >= SHORTEST_STEP_MS;
}

function timeCount(args: readonly unknown[]): number | null {
  const [start, stop] = [constantTime(args[0]), constantTime(args[1])];
  const step = constantInterval(args[2]);
  if (start === null || stop === null || step === null || step === 0) return null;
  return Math.abs(stop - start) / Math.abs(step);
}

/** The value of a whole constant, of which a minus is a part; null for everything else. */
function constantNumber(node: unknown): number | null {
  const constant = constantOf(node);
  if (constant === null || !WHOLE.test(constant.type)) return null;
  return typeof constant.value === 'number' ? constant.value : null;
}

function constantText(node: unknown): string | null {
  const constant = constantOf(node);
  return constant?.type === 'VARCHAR' && typeof constant.value === 'string' ? constant.value : null;
}

function constantTime(node: unknown): number | null {
  const text = castText(node, /^(DATE|TIMESTAMP.*)$/);
  const at = text === null ? Number.NaN : Date.parse(text.trim().replace(' ', 'T'));
  return Number.isNaN(at) ? null : at;
}

/** Milliseconds of `INTERVAL 1 HOUR`, which is parsed to a call of `to_hours`, or of `INTERVAL '1 hour'`. */
function constantInterval(node: unknown): number | null {
  const text = castText(node, /^INTERVAL$/);
  if (text !== null) return textInterval(text);
  if (!isRecord(node) || node['class'] !== 'FUNCTION' || !Array.isArray(node['children'])) return null;
  const name = String(node['function_name']).replace(/^to_(.*?)s?$/, '$1');
  const count = constantNumber(unwrapped(node['children'][0]));
  return count === null ? null : unitMs(count, name);
}

function textInterval(text: string): number | null {
  const [, amount, unit] = /^\s*(-?\d+)\s*([a-z]+?)s?\s*$/i.exec(text) ?? [];
  return unit === undefined ? null : unitMs(Number(amount), unit.toLowerCase());
}

function unitMs(amount: number, unit: string): number | null {
  const length = UNIT_MS.get(unit);
  return length === undefined ? null : amount * length;
}

/** The parser wraps the number of an interval into casts and `trunc`. */
function unwrapped(node: unknown): unknown {
  if (!isRecord(node)) return node;
  if (node['class'] === 'CAST') return unwrapped(node['child']);
  const children = node['children'];
  return node['function_name'] === 'trunc' && Array.isArray(children) ? unwrapped(children[0]) : node;
}

function castText(node: unknown, type: RegExp): string | null {
  if (!isRecord(node) || node['class'] !== 'CAST' || !isRecord(node['cast_type'])) return null;
  return type.test(String(node['cast_type']['id'])) ? constantText(node['child']) : null;
}

function constantOf(node: unknown): { readonly type: string; readonly value: unknown } | null {
  if (!isRecord(node) || node['class'] !== 'CONSTANT' || !isRecord(node['value'])) return null;
  const { type, value } = node['value'];
  return isRecord(type) ? { type: String(type['id']), value } : null;
}
