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
  private ownUses: readonly Use[] | null = null;
  private ownFacts: HeadFacts | null = null;

  constructor(
    readonly kind: string,
    readonly parts: readonly Part[],
    private readonly given: GivenHead,
  ) {
    this.score = parts.reduce((sum, { score }) => sum + score, 0);
  }

  get key(): string {
    return `${this.kind}:${this.given.key}`;
  }

  get uses(): readonly Use[] {
    return (this.ownUses ??= this.parts.flatMap(({ uses }) => uses));
  }

  get facts(): HeadFacts {
    return (this.ownFacts ??= { ...NO_FACTS, ...this.given.facts });
  }

  get build(): (filters: readonly Filter[], derived: readonly DerivedColumn[]) => Sketch | null {
    return this.given.build;
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

/** Collects the heads of a message, each weighed with what speaks for its kind. */
export class Heads {
  readonly all: Head[] = [];

  private readonly followUp: number;

  constructor(private readonly question: Question) {
    this.followUp = question.followUp;
  }

  add(kind: string, given: GivenHead): void {
    const { question, followUp } = this;
    const isEdit = kind === 'edit';
    const shape = question.shared(`kind:${kind}`, () => [
      ...question.tag(`kind:${kind}`),
      ...(question.before === null
        ? []
        : [feature(`followup|${isEdit}|${followUp}`), ...(isEdit ? [] : question.tag('fresh'))]),
    ]);
    const extra = given.extra === undefined ? [] : [question.part(given.extra, [])];
    this.all.push(new Head(kind, [shape, ...extra, ...given.parts], given));
  }
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
