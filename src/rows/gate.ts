import { AppError } from '../shared/app-error.js';
import { isRecord } from '../shared/json.js';
import { boundProblem } from './gate-bounds.js';
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS, ALLOWED_TYPES, BOUNDED_FUNCTIONS } from './gate-functions.js';

/** Longest statement that is looked at. */
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

/**
 * Decides by the engine's own parse whether a statement that somebody else wrote may run: one SELECT that reads the
 * table `data` and nothing else, through functions that only compute. What is not known to be harmless is refused.
 */
export class Gate {
  private readonly reserved: ReadonlySet<string>;

  /** @param catalog names that mean a table or view of the engine; a statement must not give one to a table of its own. */
  constructor(catalog: readonly string[]) {
    this.reserved = new Set(['data', ...catalog.map(lowered)]);
  }

  /**
   * @param serialized what `json_serialize_sql` says of the statement
   * @throws AppError `invalid_input` that tells the writer what is not allowed
   */
  assertAllowed(serialized: string): void {
    const parsed = parsedJson(serialized);
    if (!isRecord(parsed) || parsed['error'] !== false) throw notAllowed(parseProblem(parsed));
    const statements = parsed['statements'];
    if (!Array.isArray(statements) || statements.length !== 1) throw notAllowed('only one statement is allowed');
    this.walk(statements[0], { tables: new Set(['data']), depth: 0 });
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
    if (!EXPRESSIONS.has(kind)) throw notAllowed(expressionProblem(kind));
    if (kind === 'FUNCTION' || kind === 'WINDOW') assertFunction(node, false);
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
    if (kind === 'BASE_TABLE') assertTable(node, place.tables);
    if (kind === 'SHOW_REF') assertQueryShown(node);
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
    assertFunction(call, true);
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
}

function assertTable(node: Record<string, unknown>, tables: ReadonlySet<string>): void {
  const name = String(node['table_name']);
  const isPlain = node['schema_name'] === '' && node['catalog_name'] === '' && node['at_clause'] === null;
  if (isPlain && tables.has(lowered(name))) return;
  const shown = [node['catalog_name'], node['schema_name'], name].filter((part) => part !== '').join('.');
  throw notAllowed(`the table "${shown.slice(0, 100)}" can't be read; the only table is data`);
}

function assertFunction(node: Record<string, unknown>, asTable: boolean): void {
  const name = lowered(node['function_name']);
  // `value.name()` is parsed to a call in the schema `value`.
  const isPlain = ['', 'main'].includes(lowered(node['schema'])) && lowered(node['catalog']) === '';
  const isKnown = (asTable ? ALLOWED_TABLE_FUNCTIONS : ALLOWED_FUNCTIONS).has(name);
  if (!isPlain || !isKnown) throw notAllowed(functionProblem(name, isPlain, asTable));
  if (BOUNDED_FUNCTIONS.has(name)) assertBounded(name, node['children'], asTable);
}

function assertBounded(name: string, args: unknown, asTable: boolean): void {
  const problem = boundProblem(name, Array.isArray(args) ? args : [], asTable);
  if (problem !== null) throw notAllowed(problem);
}

function functionProblem(name: string, isPlain: boolean, asTable: boolean): string {
  const shown = name.slice(0, 100);
  if (!isPlain) return `write ${shown}(value) in place of a call with a dot`;
  return asTable ? `${shown}() can't be read from; the only table is data` : `the function ${shown}() is not allowed`;
}

/** Also the types that a type is made of. */
function assertType(type: unknown, depth: number): void {
  if (depth > DEEPEST) throw notAllowed('the statement is nested too deeply');
  if (isRecord(type) && type['id'] === 'UNBOUND') {
    assertNamedType(type['type_info']);
    return;
  }
  const parts = isRecord(type) ? Object.values(type) : type;
  if (isRecord(type)) assertKnownType(type['id']);
  if (Array.isArray(parts)) for (const part of parts) assertType(part, depth + 1);
}

function assertKnownType(id: unknown): void {
  if (typeof id === 'string' && !ALLOWED_TYPES.has(id)) throw notAllowed(`a cast to ${id} is not allowed`);
}

function assertNamedType(info: unknown): void {
  const name = isRecord(info) ? String(info['name']) : '';
  const isJson = lowered(name) === 'json' && isRecord(info) && info['schema'] === '' && info['catalog'] === '';
  if (!isJson) throw notAllowed(`a cast to ${name.slice(0, 100)} is not allowed`);
}

/** DESCRIBE and SUMMARIZE of a table are parsed to those of a query over it; what has no query is about the catalog. */
function assertQueryShown(node: Record<string, unknown>): void {
  const isQuery = isRecord(node['query']) && node['table_name'] === '';
  if (!isQuery) throw notAllowed('only the table data and queries over it can be described; the only table is data');
}

/** A pivot over the values of a type of the catalog. */
function hasEnum(node: Record<string, unknown>): boolean {
  const pivots = Array.isArray(node['pivots']) ? node['pivots'].filter(isRecord) : [];
  return pivots.some((pivot) => pivot['pivot_enum'] !== '');
}

function expressionProblem(kind: string): string {
  return kind === 'PARAMETER' ? 'write values in place of parameters' : `${kind} is not allowed`;
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

/** As the engine compares names: letters beyond ASCII are never alike, so that `K` (the Kelvin sign) is no `k`. */
function lowered(name: unknown): string {
  return typeof name === 'string' ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : '';
}

function without(node: Record<string, unknown>, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(node).filter(([name]) => name !== key));
}

function notAllowed(problem: string): AppError {
  return new AppError('invalid_input', problem);
}
