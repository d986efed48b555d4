import type { TableRelation } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { isRecord } from '../../shared/json.js';
import { quotedName } from '../sql-text.js';

/** A column of a table, in lower letters. */
interface Origin {
  readonly table: string;
  readonly column: string;
}

/** What stands after FROM, or a query: its columns, as far as they are columns of tables, and the tables whose rows it has. */
interface Source {
  readonly alias: string;
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlyMap<string, Origin | null>;
}

/** Two columns that are equal in each row, and what they belong to. */
type Equality = readonly [Bound, Bound];
type Bound = Origin & { readonly source: Source };

type Queries = ReadonlyMap<string, Source>;
type Node = Readonly<Record<string, unknown>>;

const NOTHING: Source = { alias: '', tables: new Set(), columns: new Map() };
const QUERIES: ReadonlySet<unknown> = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE']);
/** Functions of one text that may stand around a key. */
const AROUND_KEYS: ReadonlySet<unknown> = new Set(['trim', 'ltrim', 'rtrim', 'lower', 'upper']);

/**
 * Finds along which relations a statement joins its tables, by the engine's own parse. What stands side by side after FROM has to be
 * joined by equal columns of a confirmed relation; columns are followed through subqueries and WITH. Subqueries that stand in
 * place of a value are not looked at: they add no rows.
 */
export class JoinCheck {
  readonly used = new Set<TableRelation>();

  constructor(
    private readonly tables: ReadonlyMap<string, readonly string[]>,
    private readonly relations: readonly TableRelation[],
  ) {}

  /** @throws AppError `invalid_input` for a join that is along no relation. */
  check(statement: unknown): void {
    this.walk(statement, new Map());
  }

  private walk(node: unknown, queries: Queries): void {
    if (Array.isArray(node)) for (const child of node) this.walk(child, queries);
    if (!isRecord(node)) return;
    if (QUERIES.has(node['type'])) this.query(node, queries);
    else for (const child of Object.values(node)) this.walk(child, queries);
  }

  private query(node: Node, outer: Queries): Source {
    const queries = this.named(node['cte_map'], outer);
    if (node['type'] === 'SELECT_NODE') return this.select(node, queries);
    const left = this.part(node['left'], queries);
    const isRepeated = node['type'] === 'RECURSIVE_CTE_NODE';
    const right = this.part(
      node['right'],
      isRepeated ? new Map([...queries, [lowered(node['cte_name']), left]]) : queries,
    );
    this.walk(node['modifiers'], queries);
    return isRepeated
      ? left
      : { ...left, tables: new Set([...left.tables, ...right.tables]), columns: shared(left, right) };
  }

  private part(node: unknown, queries: Queries): Source {
    return isRecord(node) ? this.query(node, queries) : NOTHING;
  }

  private named(map: unknown, outer: Queries): Queries {
    const entries = isRecord(map) && Array.isArray(map['map']) ? map['map'].filter(isRecord) : [];
    return entries.reduce<Queries>((queries, { key, value }) => {
      if (!isRecord(value)) return queries;
      return new Map([...queries, [lowered(key), renamed(this.subquery(value['query'], queries), value['aliases'])]]);
    }, outer);
  }

  private subquery(node: unknown, queries: Queries): Source {
    return isRecord(node) ? this.part(node['node'], queries) : NOTHING;
  }

  private select(node: Node, queries: Queries): Source {
    const from = this.from(node['from_table'], queries);
    const where = equalitiesIn(node['where_clause'], from.sources);
    this.assertJoined(from.sources, [...from.equalities, ...where]);
    for (const [name, child] of Object.entries(node)) {
      if (name !== 'from_table' && name !== 'cte_map') this.walk(child, queries);
    }
    const selected = Array.isArray(node['select_list']) ? node['select_list'].filter(isRecord) : [];
    const columns = new Map(selected.flatMap((one) => outputsOf(one, from.sources)));
    return { alias: '', tables: union(from.sources), columns };
  }

  private from(ref: unknown, queries: Queries): From {
    if (!isRecord(ref)) return { sources: [], equalities: [] };
    switch (ref['type']) {
      case 'BASE_TABLE':
        return only(ref, this.table(lowered(ref['table_name']), queries));
      case 'JOIN':
        return this.join(ref, queries);
      case 'SUBQUERY':
        return only(ref, this.subquery(ref['subquery'], queries));
      case 'PIVOT': {
        const { sources, equalities } = this.from(ref['source'], queries);
        this.assertJoined(sources, equalities);
        return only(ref, { alias: '', tables: union(sources), columns: allColumns(sources) });
      }
      default:
        this.walk(Object.values(ref), queries);
        return only(ref, NOTHING);
    }
  }

  private table(name: string, queries: Queries): Source {
    const query = queries.get(name);
    if (query !== undefined) return { ...query, alias: name };
    const columns = (this.tables.get(name) ?? []).map((column): [string, Origin] => [
      lowered(column),
      { table: name, column: lowered(column) },
    ]);
    return { alias: name, tables: new Set([name]), columns: new Map(columns) };
  }

  private join(ref: Node, queries: Queries): From {
    const [left, right] = [this.from(ref['left'], queries), this.from(ref['right'], queries)];
    const sources = [...left.sources, ...right.sources];
    const isOfOne = union(sources).size < 2;
    if (!isOfOne && (ref['ref_type'] === 'NATURAL' || ref['ref_type'] === 'POSITIONAL')) {
      throw new AppError('invalid_input', `write the columns of the join: ${this.relationWords([...union(sources)])}`);
    }
    this.walk(ref['condition'], queries);
    const using = Array.isArray(ref['using_columns']) ? ref['using_columns'] : [];
    const equal = using.flatMap((name): Equality[] => {
      const [one, other] = [bound([String(name)], left.sources), bound([String(name)], right.sources)];
      return one === null || other === null ? [] : [[one, other]];
    });
    const equalities = [...left.equalities, ...right.equalities, ...equal, ...equalitiesIn(ref['condition'], sources)];
    return { sources, equalities };
  }

  /** What has rows of tables must hang together. */
  private assertJoined(sources: readonly Source[], equalities: readonly Equality[]): void {
    const withRows = sources.filter(({ tables }) => tables.size > 0);
    const [first] = withRows;
    if (first === undefined || union(withRows).size < 2) return;
    const links = [...this.linksAlong(equalities)];
    const reached = new Set([first]);
    for (const source of reached) {
      for (const other of withRows) {
        const isLinked = links.some((pair) => pair.includes(source) && pair.includes(other));
        if (isLinked || [...other.tables].some((name) => source.tables.has(name))) reached.add(other);
      }
    }
    const apart = withRows.find((source) => !reached.has(source));
    if (apart === undefined) return;
    const names = [...union(withRows)];
    throw new AppError(
      'invalid_input',
      `tables are joined along their confirmed relations alone: ${this.relationWords(names)}`,
    );
  }

  private *linksAlong(equalities: readonly Equality[]): Generator<readonly Source[]> {
    for (const relation of this.relations) {
      const [left, right] = [lowered(relation.left), lowered(relation.right)];
      const both = equalities.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]);
      const starts = both.filter(([one, other]) => one.table === left && other.table === right);
      for (const [{ source }, { source: target }] of starts) {
        const isWhole = relation.on.every(([own, its]) =>
          starts.some(
            ([one, other]) =>
              one.source === source &&
              other.source === target &&
              one.column === lowered(own) &&
              other.column === lowered(its),
          ),
        );
        if (!isWhole) continue;
        this.used.add(relation);
        yield [source, target];
      }
    }
  }

  /** Which relations there are between these tables, as conditions. */
  private relationWords(names: readonly string[]): string {
    const known = this.relations.filter(({ left, right }) =>
      [left, right].every((name) => names.includes(lowered(name))),
    );
    if (known.length === 0) return `there is none between ${names.join(' and ')}`;
    const conditions = known.map(({ left, right, on }) =>
      on.map(([one, other]) => `${left}.${quotedName(one)} = ${right}.${quotedName(other)}`).join(' AND '),
    );
    return conditions.join('; ').slice(0, 500);
  }
}

interface From {
  readonly sources: readonly Source[];
  readonly equalities: readonly Equality[];
}

function only(ref: Node, source: Source): From {
  const alias = lowered(ref['alias']);
  const named = renamed(source, ref['column_name_alias']);
  return { sources: [{ ...named, alias: alias === '' ? source.alias : alias }], equalities: [] };
}

/** `AS c(a, b)` names the first columns anew. */
function renamed(source: Source, names: unknown): Source {
  if (!Array.isArray(names) || names.length === 0) return source;
  const columns = [...source.columns].map(([name, origin], at): [string, Origin | null] => [
    at < names.length ? lowered(names[at]) : name,
    origin,
  ]);
  return { ...source, columns: new Map(columns) };
}

function union(sources: readonly Source[]): ReadonlySet<string> {
  return new Set(sources.flatMap(({ tables }) => [...tables]));
}

function allColumns(sources: readonly Source[]): ReadonlyMap<string, Origin | null> {
  return new Map(sources.flatMap(({ columns }) => [...columns]));
}

/** What is the same column of the same table in both halves. */
function shared(left: Source, right: Source): ReadonlyMap<string, Origin | null> {
  const others = [...right.columns.values()];
  return new Map(
    [...left.columns].map(([name, origin], at) => {
      const other = others[at];
      return [name, other?.table === origin?.table && other?.column === origin?.column ? origin : null];
    }),
  );
}

function outputsOf(node: Node, sources: readonly Source[]): readonly (readonly [string, Origin | null])[] {
  if (node['class'] === 'STAR') {
    const of = lowered(node['relation_name']);
    return [...allColumns(sources.filter(({ alias }) => of === '' || alias === of))];
  }
  const own = boundBy(node, sources);
  const alias = lowered(node['alias']);
  const names = Array.isArray(node['column_names']) ? node['column_names'] : [];
  const name = alias === '' ? lowered(names.at(-1)) : alias;
  return [[name, own === null ? null : { table: own.table, column: own.column }]];
}

/** The equalities that hold for each row of a condition. */
function equalitiesIn(node: unknown, sources: readonly Source[]): readonly Equality[] {
  if (!isRecord(node)) return [];
  if (node['type'] === 'CONJUNCTION_AND' && Array.isArray(node['children'])) {
    return node['children'].flatMap((child) => equalitiesIn(child, sources));
  }
  if (node['type'] !== 'COMPARE_EQUAL') return [];
  const [one, other] = [boundBy(node['left'], sources), boundBy(node['right'], sources)];
  return one === null || other === null ? [] : [[one, other]];
}

/** The column that an expression is, be it cast, trimmed or in other letters. */
function boundBy(node: unknown, sources: readonly Source[]): Bound | null {
  if (!isRecord(node)) return null;
  if (node['class'] === 'CAST') return boundBy(node['child'], sources);
  if (node['class'] === 'COLUMN_REF' && Array.isArray(node['column_names'])) {
    return bound(node['column_names'].map(String), sources);
  }
  const parts: readonly unknown[] = Array.isArray(node['children']) ? node['children'] : [];
  const isAround = node['class'] === 'FUNCTION' && AROUND_KEYS.has(node['function_name']) && parts.length === 1;
  return isAround ? boundBy(parts[0], sources) : null;
}

function bound(names: readonly string[], sources: readonly Source[]): Bound | null {
  const [first = '', second] = names.map(lowered);
  const column = second ?? first;
  const source = sources.find(({ alias, columns }) => (second === undefined || alias === first) && columns.has(column));
  const origin = source?.columns.get(column) ?? null;
  return source === undefined || origin === null || names.length > 2 ? null : { ...origin, source };
}

/** As the engine compares names: letters beyond ASCII are never alike, so that `K` (the Kelvin sign) is no `k`. */
export function lowered(name: unknown): string {
  return typeof name === 'string' ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : '';
}
