import type { PlanOrder } from '../../../ports/analysis-plan.js';
import type { Stage } from './mongo-table.js';
import { isMissing, isPresent, type Term, textTerm, when } from './pipeline-terms.js';
import type { PipelineWriter } from './pipeline-writers.js';

/** What rows are sorted by. */
export interface SortKey {
  /** A field of the rows. */
  readonly field: string;
  readonly direction: PlanOrder['direction'];
  readonly ranked?: readonly string[] | undefined;
}

/** How rows are sorted: fields that are added for it, and the order. */
export interface Sorting {
  readonly added: Readonly<Record<string, Term>>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
}

/** Texts that have an order of their own are sorted by it. */
export function rankedTerm(of: Term, ranked: readonly string[] | undefined): Term {
  if (ranked === undefined) return of;
  return when(isPresent(of), { $indexOfArray: [ranked.map(textTerm), of] });
}

/** What has no value comes last, in both directions. */
export function sortingOf(keys: readonly SortKey[], writer: PipelineWriter): Sorting {
  const added: Record<string, Term> = {};
  const sort = keys.flatMap(({ field, direction, ranked }): [string, 1 | -1][] => {
    const key = ranked === undefined ? field : writer.fresh('place');
    if (ranked !== undefined) added[key] = rankedTerm(`$${field}`, ranked);
    if (direction === 'desc') return [[key, -1]];
    const missing = writer.fresh('missing');
    added[missing] = isMissing(`$${field}`);
    return [
      [missing, 1],
      [key, 1],
    ];
  });
  // The first of two terms on the same field decides.
  const first = sort.filter(([field], index) => sort.findIndex(([other]) => other === field) === index);
  return { added, sort: Object.fromEntries(first) };
}

/** Rows in order, from the first that is not passed over to the limit. */
export function sorted({ added, sort }: Sorting, limit: number | null, skip: number): readonly Stage[] {
  return [
    ...(Object.keys(added).length === 0 ? [] : [{ $set: added }]),
    ...(Object.keys(sort).length === 0 ? [] : [{ $sort: sort }]),
    ...limited(limit, skip),
  ];
}

export function limited(limit: number | null, skip: number): readonly Stage[] {
  return [...(skip === 0 ? [] : [{ $skip: skip }]), ...(limit === null ? [] : [{ $limit: limit }])];
}

/** Of each combination of the fields the first rows in order. */
export function firstOfEach(
  each: readonly string[],
  { added, sort }: Sorting,
  { limit, skip, writer }: { readonly limit: number; readonly skip: number; readonly writer: PipelineWriter },
): readonly Stage[] {
  const rows = writer.fresh('rows');
  const key = Object.fromEntries(each.map((field, index) => [`part_${index}`, { $ifNull: [`$${field}`, null] }]));
  const most = Math.min(limit + skip, MOST_OF_EACH);
  const top = { $topN: { n: most, sortBy: sort, output: '$$ROOT' } };
  return [
    ...(Object.keys(added).length === 0 ? [] : [{ $set: added }]),
    { $group: { _id: key, [rows]: top } },
    ...(skip === 0 ? [] : [{ $set: { [rows]: { $slice: [`$${rows}`, Math.min(skip, MOST_OF_EACH), most] } } }]),
    { $unwind: `$${rows}` },
    { $replaceWith: `$${rows}` },
  ];
}

/** More than any result has. */
const MOST_OF_EACH = 2 ** 31 - 1;
