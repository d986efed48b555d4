import type { DerivedColumn, Filter, RowsPlan } from '../../ports/analysis-plan.js';
import type { AggregateDraft, MeasureDraft, Sketch } from './draft.js';
import { type FigureList, withRowCount } from './figure-list.js';
import type { GroupList } from './groups.js';
import type { LimitPart } from './orders.js';
import type { Features, Part, Question, Use } from './question.js';
import { feature } from './weights.js';

/** What the features of the whole reading look at. */
export interface HeadFacts {
  readonly groups: number;
  readonly isTimed: boolean;
  readonly aggregates: ReadonlySet<string>;
  readonly shown: readonly string[];
  readonly order: string;
  readonly limit: number | null;
  readonly having: string | null;
}

const NO_FACTS: HeadFacts = {
  groups: 0,
  isTimed: false,
  aggregates: new Set(),
  shown: [],
  order: '',
  limit: null,
  having: null,
};

/** What a head of a kind is made of. */
interface GivenHead {
  readonly parts: readonly Part[];
  readonly extra?: Features;
  readonly facts: Partial<HeadFacts>;
  readonly key: string;
  readonly build: (filters: readonly Filter[], derived: readonly DerivedColumn[]) => Sketch | null;
}

/** What heads are put together from, likeliest first. */
export interface Lists {
  readonly figures: readonly FigureList[];
  readonly groups: readonly GroupList[];
  readonly limits: readonly LimitPart[];
}

/** A head before it is weighed what speaks for its kind. */
export interface BareHead extends Omit<GivenHead, 'extra'> {
  readonly kind: string;
  readonly score: number;
}

/** What is asked for, without its conditions. */
export interface Head extends BareHead {
  readonly uses: readonly Use[];
  readonly facts: HeadFacts;
}

/** Of thousands of heads the likeliest alone are looked at more closely. */
export function wholeHead(kindPart: Part, bare: BareHead): Head {
  const parts = [kindPart, ...bare.parts];
  return {
    ...bare,
    parts,
    score: kindPart.score + bare.score,
    key: `${bare.kind}:${bare.key}`,
    uses: parts.flatMap(({ uses }) => uses),
    facts: { ...NO_FACTS, ...bare.facts },
  };
}

/** Collects the heads of a message. */
export class Heads {
  readonly all: BareHead[] = [];

  constructor(private readonly question: Question) {}

  add(kind: string, given: GivenHead): void {
    const { extra, parts: own, facts, key, build } = given;
    const parts = extra === undefined ? own : [this.question.part(extra, []), ...own];
    const score = parts.reduce((sum, part) => sum + part.score, 0);
    this.all.push({ kind, parts, score, facts, key, build });
  }
}

/** What speaks for a kind of heads: the words, and whether they sound like going on with the question before. */
export function kindPart(question: Question, kind: string): Part {
  const isEdit = kind === 'edit';
  return question.shared(`kind:${kind}`, () => [
    ...question.tag(`kind:${kind}`),
    ...(question.before === null
      ? []
      : [feature(`followup|${isEdit}|${question.continuing}`), ...(isEdit ? [] : question.tag('fresh'))]),
  ]);
}

/** Figures by groups. */
export interface Grouped {
  readonly group: GroupList;
  readonly list: FigureList;
}

/** What is known of a head with one list of figures by groups. */
export function groupedFacts({ group, list }: Grouped): Partial<HeadFacts> {
  return { groups: group.dimensions.length, isTimed: group.isTimed, aggregates: list.aggregates };
}

/** A head with one list of figures by groups, and the rest of its plan. */
export function groupedHead(grouped: Grouped, rest: Partial<AggregateDraft>): GivenHead {
  const { group, list } = grouped;
  return {
    parts: [list, group],
    facts: groupedFacts(grouped),
    key: `${group.key}|${list.key}`,
    build: (filters, derived) => aggregateDraft(list.measures, group, filters, [...list.derived, ...derived], rest),
  };
}

/** Each of the groups with each of the first few lists that are a single figure. */
export function singleFigures(groups: readonly GroupList[], figures: readonly FigureList[]): readonly Grouped[] {
  const singles = withRowCount(figures, 8).filter(({ measures }) => measures.length === 1);
  return groups.flatMap((group) => singles.map((list) => ({ group, list })));
}

export function aggregateDraft(
  measures: readonly MeasureDraft[],
  groups: GroupList | null,
  filters: readonly Filter[],
  derived: readonly DerivedColumn[],
  rest: Partial<AggregateDraft> = {},
): AggregateDraft {
  return {
    kind: 'aggregate',
    measures,
    dimensions: groups?.dimensions ?? [],
    filters,
    having: [],
    rank: null,
    ...(derived.length > 0 ? { derived } : {}),
    ...rest,
  };
}

export function rowsDraft(
  columns: readonly string[],
  filters: readonly Filter[],
  derived: readonly DerivedColumn[],
  rest: Partial<RowsPlan> = {},
): RowsPlan {
  return {
    kind: 'rows',
    columns,
    filters,
    order: [],
    limit: null,
    ...(derived.length > 0 ? { derived } : {}),
    ...rest,
  };
}

export function withComputed({ computed }: FigureList): Partial<AggregateDraft> {
  return computed === undefined ? {} : { computed };
}

/** Series come in the order of time. */
export function inTime(group: GroupList): Partial<AggregateDraft> {
  const place = group.dimensions.findIndex(({ kind }) => kind !== 'column');
  return place < 0 ? {} : { order: [{ dimension: place, direction: 'asc' }] };
}
