import type { Conditions, FieldTest, SortKey } from '../documents/conditions.js';
import { after, keyPart, kindEnd, kindStart, rangeEnd, rangeStart } from './document-keys.js';
import type { LmdbPlace } from './lmdb-place.js';
import type { Walk } from './stored-index.js';

/** How the candidates of a question are found. Each is still looked at whole, unless `exact`. */
export type QueryPlan =
  | { readonly kind: 'ids'; readonly ids: readonly string[] }
  | {
      readonly kind: 'walk';
      readonly walk: Walk;
      readonly lower: Buffer;
      readonly upper: Buffer;
      readonly reverse: boolean;
      /** Values at the head of each key that are in the order asked for; those behind them are not. */
      readonly orderedValues: number;
      /** Everything on the walk fits. */
      readonly exact: boolean;
    };

export type WalkPlan = Extract<QueryPlan, { kind: 'walk' }>;

/** Finds the way that looks at the fewest documents, as far as the conditions tell. `tenant`: one company alone is asked for. */
export function planFor(
  { name, indexes, byId }: LmdbPlace,
  conditions: Conditions,
  sort: readonly SortKey[],
  tenant: boolean,
): QueryPlan {
  const ids = idsOf(conditions);
  if (ids !== null) return { kind: 'ids', ids };
  const walks: readonly Walk[] = tenant
    ? indexes.filter(({ fields }) => fields[0] === 'companyId')
    : [byId, ...indexes];
  const [best] = walks.map((walk) => rank(walk, conditions, sort)).sort((left, right) => right.score - left.score);
  // A kind of a tenant always has the company's own index, any other its ids.
  if (best === undefined) throw new Error(`${name} has no index to walk`);
  return best.plan;
}

function idsOf(conditions: Conditions): readonly string[] | null {
  for (const { field, test } of conditions) {
    if (field === 'id' && test.kind === 'in')
      return [...new Set(test.values.filter((value) => typeof value === 'string'))];
  }
  return null;
}

function rank(walk: Walk, conditions: Conditions, sort: readonly SortKey[]): { score: number; plan: WalkPlan } {
  const equal = equalityPrefix(walk, conditions);
  const head = keyPart(equal);
  // What comes behind a text that was cut is in no order.
  const rest = head.whole ? walk.fields.slice(equal.length) : [];
  const range = conditions.find(({ field, test }) => field === rest[0] && test.kind === 'range');
  const [lower, upper] = boundsOf(Buffer.concat([walk.prefix, head.bytes]), range?.test);
  const wanted = sort.filter(({ field }) => !walk.fields.slice(0, equal.length).includes(field));
  const ordered = orderedRun(rest, wanted);
  const plan: WalkPlan = {
    kind: 'walk',
    walk,
    lower,
    upper,
    reverse: ordered > 0 && wanted[0]?.descending === true,
    orderedValues: ordered === 0 ? 0 : equal.length + ordered,
    exact: head.whole && conditions.length === equal.length,
  };
  return { score: equal.length * 4 + (range === undefined ? 0 : 2) + Math.min(ordered, 1), plan };
}

/** The values that the walk's first fields must have, as long as there is one for each. */
function equalityPrefix({ fields }: Walk, conditions: Conditions): readonly unknown[] {
  const values: unknown[] = [];
  for (const field of fields) {
    const wanted = conditions.flatMap(({ field: name, test }) =>
      name === field && test.kind === 'in' && test.values.length === 1 ? test.values : [],
    );
    if (wanted.length === 0) break;
    values.push(wanted[0]);
  }
  return values;
}

/** How many of the walk's next fields are the sort's next fields, all in one direction. */
function orderedRun(fields: readonly string[], sort: readonly SortKey[]): number {
  const differs = sort.findIndex(
    ({ field, descending }, index) => field !== fields[index] || descending !== sort[0]?.descending,
  );
  return differs === -1 ? sort.length : differs;
}

function boundsOf(head: Buffer, range: FieldTest | undefined): readonly [Buffer, Buffer] {
  if (range?.kind !== 'range') return [head, after(head)];
  const { gt, gte, lt, lte } = range.bounds;
  const from = gt ?? gte;
  const to = lt ?? lte;
  return [
    Buffer.concat([head, from === undefined ? kindStart(to) : rangeStart(from)]),
    Buffer.concat([head, to === undefined ? kindEnd(from) : rangeEnd(to)]),
  ];
}
