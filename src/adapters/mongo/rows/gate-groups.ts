import { type Extent, gatheredOf, holding, listOf, SCALAR } from './gate-budget.js';
import { fieldName, GateFields, partsOf } from './gate-fields.js';
import { type GateDocument, type GateValue, isDocument, isList, refused, shown } from './gate-json.js';
import { ACCUMULATORS, KEEPING_ACCUMULATORS, WINDOW_OPERATORS } from './gate-operators.js';
import { type ExpressionVisitor, scopeOf } from './gate-scope.js';
import { documentOf } from './gate-shapes.js';

const MOST_BUCKETS = 10_000;
const BUCKET_PARTS: Readonly<Record<string, readonly string[]>> = {
  $bucket: ['groupBy', 'boundaries', 'default', 'output'],
  $bucketAuto: ['groupBy', 'buckets', 'granularity', 'output'],
};
const WINDOW_PARTS = ['documents', 'range', 'unit'];
const COUNTERS: ReadonlySet<string> = new Set(['$rank', '$denseRank', '$documentNumber', '$count', '$linearFill']);

/** Looks through the stages that gather rows, and says which fields there are afterwards. */
export class GroupGate {
  constructor(private readonly expressions: ExpressionVisitor) {}

  group(given: GateValue, fields: GateFields): GateFields {
    const document = documentOf('$group', given);
    const id = document.get('_id');
    if (id === undefined) throw refused('$group needs an _id: an expression, or null for all rows together');
    const after = GateFields.of([['_id', this.expressions.visit(id, scopeOf(fields))]]);
    return this.outputs(without(document, ['_id']), fields, after);
  }

  sortByCount(given: GateValue, fields: GateFields): GateFields {
    return GateFields.of([
      ['_id', this.expressions.visit(given, scopeOf(fields))],
      ['count', SCALAR],
    ]);
  }

  /** `$bucket`, `$bucketAuto`. */
  bucket(stage: string, given: GateValue, fields: GateFields): GateFields {
    const document = documentOf(stage, given);
    assertNames(stage, document, BUCKET_PARTS[stage] ?? []);
    for (const name of ['groupBy', 'boundaries', 'default'])
      this.expressions.visit(document.get(name) ?? null, scopeOf(fields));
    assertBuckets(stage, document);
    const after = GateFields.of([['_id', holding([SCALAR, SCALAR])]]);
    const output = document.get('output');
    return output === undefined ? after.with('count', SCALAR) : this.outputs(documentOf(stage, output), fields, after);
  }

  setWindowFields(given: GateValue, fields: GateFields): GateFields {
    const document = documentOf('$setWindowFields', given);
    assertNames('$setWindowFields', document, ['partitionBy', 'sortBy', 'output']);
    if (document.has('partitionBy')) this.expressions.visit(document.get('partitionBy') ?? null, scopeOf(fields));
    if (document.has('sortBy')) assertSort(document.get('sortBy') ?? null, fields);
    const output = documentOf('$setWindowFields', document.get('output') ?? null);
    return [...output].reduce((after, [name, value]) => {
      partsOf(name);
      return after.with(name, this.windowed(documentOf('$setWindowFields', value), fields));
    }, fields);
  }

  private windowed(given: GateDocument, fields: GateFields): Extent {
    const window = given.get('window');
    if (window !== undefined) assertNames('a window', documentOf('a window', window), WINDOW_PARTS);
    return this.accumulator(without(given, ['window']), fields, WINDOW_OPERATORS);
  }

  private outputs(document: GateDocument, fields: GateFields, before: GateFields): GateFields {
    return [...document].reduce((after, [name, value]) => {
      fieldName(name);
      const accumulator = documentOf(`the field ${name}`, value);
      return after.with(name, this.accumulator(accumulator, fields, ACCUMULATORS));
    }, before);
  }

  private accumulator(given: GateDocument, fields: GateFields, allowed: ReadonlySet<string>): Extent {
    const [name, value] = onlyOf(given, allowed);
    if (COUNTERS.has(name) && isDocument(value) && value.size === 0) return SCALAR;
    const extent = this.gatheredFrom(value, fields);
    if (KEEPING_ACCUMULATORS.has(name) || name === '$mergeObjects') return gatheredOf(extent);
    return name.endsWith('N') ? firstOf(value, extent) : extent;
  }

  /** What an accumulator is given: an expression, or some by name, of which `sortBy` is an order. */
  private gatheredFrom(value: GateValue, fields: GateFields): Extent {
    const isNamed = isDocument(value) && ![...value.keys()].some((key) => key.startsWith('$'));
    if (!isNamed) return this.expressions.visit(value, scopeOf(fields));
    if (value.has('sortBy')) assertSort(value.get('sortBy') ?? null, fields);
    return this.expressions.visit(without(value, ['sortBy']), scopeOf(fields));
  }
}

function onlyOf(given: GateDocument, allowed: ReadonlySet<string>): readonly [string, GateValue] {
  const [entry = ['', null] as const] = given;
  if (given.size === 1 && allowed.has(entry[0])) return entry;
  const wrong = [...given.keys()].find((key) => !allowed.has(key)) ?? entry[0];
  throw refused(`${shown(wrong)} is no accumulator that is allowed; there are ${[...allowed].join(', ')}`);
}

function assertBuckets(stage: string, document: GateDocument): void {
  const [count, granularity] = [document.get('buckets') ?? 1, document.get('granularity') ?? ''];
  if (typeof count !== 'number' || count > MOST_BUCKETS)
    throw refused(`${stage} makes at most ${MOST_BUCKETS} buckets`);
  if (typeof granularity !== 'string' || granularity.startsWith('$'))
    throw refused('a granularity is one of those of $bucketAuto');
}

/** The list that `$topN` and its like make. */
function firstOf(value: GateValue, element: Extent): Extent {
  const n = isDocument(value) ? value.get('n') : undefined;
  const gathered = gatheredOf(element);
  const list = typeof n === 'number' && n > 0 ? listOf(n, element) : gathered;
  return list.items < gathered.items ? list : gathered;
}

/** @throws AppError `invalid_input` when it is no order by fields that are there. */
export function assertSort(given: GateValue, fields: GateFields): void {
  const order = documentOf('an order', given);
  if (order.size === 0 || order.size > 32) throw refused('an order has 1 to 32 fields');
  for (const [name, direction] of order) {
    fields.at(name);
    if (direction !== 1 && direction !== -1) throw refused(`the order of ${shown(name)} is 1 or -1`);
  }
}

export function assertNames(stage: string, document: GateDocument, known: readonly string[]): void {
  for (const name of document.keys())
    if (!known.includes(name)) throw refused(`${stage} knows no ${shown(name)}; there are ${known.join(', ')}`);
}

function without(document: GateDocument, names: readonly string[]): GateDocument {
  return new Map([...document].filter(([name]) => !names.includes(name)));
}

/** Names of fields: texts without a dollar. */
export function namesIn(given: GateValue, what: string): readonly string[] {
  if (!isList(given)) throw refused(`${what} is a list of names of fields`);
  return given.map((name) => {
    if (typeof name !== 'string' || name.startsWith('$'))
      throw refused(`${what} is a list of names of fields, without $`);
    return name;
  });
}
