import type { DerivedColumn, Filter } from '../../ports/analysis-plan.js';
import type { AggregateDraft, MeasureDraft, Sketch } from './draft.js';
import { type FigureList, withRowCount } from './figure-list.js';
import type { GroupList } from './groups.js';
import type { LimitPart } from './orders.js';
import type { Features, Part, Question, Use } from './question.js';
import { feature } from './weights.js';

/** What is asked for, without its conditions. Of thousands only the likeliest are looked at more closely. */
export class Head {
  readonly score: number;
  readonly parts: readonly Part[];
  private ownKey: string | null = null;
  private ownUses: readonly Use[] | null = null;
  private ownFacts: HeadFacts | null = null;

  constructor(
    kindPart: Part,
    private readonly bare: BareHead,
  ) {
    this.parts = [kindPart, ...bare.parts];
    this.score = kindPart.score + bare.score;
  }

  get kind(): string {
    return this.bare.kind;
  }

  get key(): string {
    return (this.ownKey ??= `${this.kind}:${this.bare.key}`);
  }

  get uses(): readonly Use[] {
    return (this.ownUses ??= this.parts.flatMap(({ uses }) => uses));
  }

  get facts(): HeadFacts {
    return (this.ownFacts ??= { ...NO_FACTS, ...this.bare.facts });
  }

  get build(): (filters: readonly Filter[], derived: readonly DerivedColumn[]) => Sketch | null {
    return this.bare.build;
  }
}

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
  readonly build: Head['build'];
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

/** What is known of a head with one list of figures by groups. */
export function groupedFacts(group: GroupList, figures: FigureList): Partial<HeadFacts> {
  return { groups: group.dimensions.length, isTimed: group.isTimed, aggregates: figures.aggregates };
}

/** Figures by groups. */
export interface Grouped {
  readonly group: GroupList;
  readonly list: FigureList;
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

export function withComputed({ computed }: FigureList): Partial<AggregateDraft> {
  return computed === undefined ? {} : { computed };
}

/** Series come in the order of time. */
export function inTime(group: GroupList): Partial<AggregateDraft> {
  const place = group.dimensions.findIndex(({ kind }) => kind !== 'column');
  return place < 0 ? {} : { order: [{ dimension: place, direction: 'asc' }] };
}
