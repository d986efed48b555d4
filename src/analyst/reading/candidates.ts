import { type Conditions, conditionSets } from './conditions.js';
import { seriesHeads, shareHeads } from './computed-heads.js';
import { cueFeatures, missedCalls, type Presence, presenceOf, stepFeatures } from './cues.js';
import type { Sketch } from './draft.js';
import { editHeads } from './edit-heads.js';
import { figureLists } from './figures.js';
import { groupLists } from './groups.js';
import { limitParts } from './orders.js';
import { groupHeads, havingHeads } from './group-heads.js';
import { type Head, Heads } from './heads.js';
import type { ColumnMention, Mention } from './mentions.types.js';
import { figureHeads, rowHeads } from './plain-heads.js';
import type { Features, Question, Role, Use } from './question.js';
import { missingHeads, statisticHeads } from './statistic-heads.js';
import { feature } from './weights.js';

/** A reading of a message with what speaks for it. */
export interface Candidate {
  readonly sketch: Sketch;
  /** Equal readings have equal keys. */
  readonly key: string;
  /** The part of the key that tells its conditions. */
  readonly conditions: string;
  readonly kind: string;
  readonly score: number;
  readonly features: Features;
  readonly uses: readonly Use[];
  /** Mentions that the reading leaves unexplained. */
  readonly open: readonly Mention[];
  /** How many weighty words call for what it does not do. */
  readonly missed: number;
}

const MOST_CONDITIONS = 16;
const MOST_HEADS = 100;
/** Of heads and conditions so many are weighed together. */
const MOST_PAIRS = 500;

/** All readings of a message that fit the table, best first. */
export function candidatesOf(question: Question): readonly Candidate[] {
  const conditions = conditionSets(question, MOST_CONDITIONS);
  const heads = bestHeads(headsOf(question));
  const best = new Map<string, Candidate>();
  const presence = presenceOf(question);
  const pairs = heads.flatMap((head) => conditions.map((set) => ({ head, set, score: head.score + set.score })));
  for (const { head, set } of pairs.sort((a, b) => b.score - a.score).slice(0, MOST_PAIRS)) {
    const candidate = combined(question, head, set, presence);
    if (candidate === null) continue;
    const known = best.get(candidate.key);
    if (known === undefined || known.score < candidate.score) best.set(candidate.key, candidate);
  }
  return [...best.values()].sort((a, b) => b.score - a.score);
}

/** The best of all, and the best of each kind, so that none is missing before it is weighed as a whole. */
function bestHeads(heads: readonly Head[]): readonly Head[] {
  const perKind = new Map<string, number>();
  const chosen: Head[] = [];
  for (const head of heads.toSorted((a, b) => b.score - a.score)) {
    const count = (perKind.get(head.kind) ?? 0) + 1;
    perKind.set(head.kind, count);
    if (chosen.length < MOST_HEADS * 0.7 || count <= (head.kind === 'edit' ? 20 : 4)) chosen.push(head);
    if (chosen.length >= MOST_HEADS * 1.4) break;
  }
  return chosen;
}

function headsOf(question: Question): readonly Head[] {
  const heads = new Heads(question);
  const figures = figureLists(question);
  const groups = groupLists(question);
  const limits = limitParts(question);
  rowHeads(question, heads, limits);
  figureHeads(question, heads, figures);
  groupHeads(question, heads, { figures, groups, limits });
  havingHeads(question, heads, { figures, groups });
  shareHeads(question, heads, { figures, groups });
  seriesHeads(question, heads, { figures, groups });
  statisticHeads(question, heads);
  missingHeads(question, heads);
  if (question.before !== null) editHeads(question, heads, { before: question.before, figures, groups });
  return heads.all;
}

function combined(question: Question, head: Head, set: Conditions, presence: Presence): Candidate | null {
  const uses = [...head.uses, ...set.uses];
  const roles = rolesOf(uses);
  const doubled = doubleUse(roles);
  if (doubled === null || readsTwice([...roles.keys()])) return null;
  const open = openMentions(question, [...roles.keys()]);
  const own = [
    ...doubled,
    ...open.features,
    ...cueFeatures(head, set, presence),
    ...stepFeatures(question, head),
    ...sameFeatures(head, set),
    ...shapeFeatures(question, head, set),
    ...placeFeatures(question, uses),
  ];
  const score = head.score + set.score + question.score(own);
  const sketch = head.build(set.filters, set.derived);
  if (sketch === null) return null;
  return {
    sketch,
    key: `${head.key}#${set.key}`,
    conditions: set.key,
    kind: head.kind,
    score,
    get features(): Features {
      return [...head.parts.flatMap(({ features }) => features), ...set.features, ...own];
    },
    uses,
    open: open.mentions,
    get missed(): number {
      return missedCalls(question, head, set, presence);
    },
  };
}

function rolesOf(uses: readonly Use[]): ReadonlyMap<Mention, ReadonlySet<Role>> {
  const roles = new Map<Mention, Set<Role>>();
  for (const { mention, role } of uses) {
    const known = roles.get(mention);
    if (known === undefined) roles.set(mention, new Set([role]));
    else known.add(role);
  }
  return roles;
}

/** A column may play two parts, a number or value only one; `null`: it does not. */
function doubleUse(roles: ReadonlyMap<Mention, ReadonlySet<Role>>): Features | null {
  const features: number[] = [];
  for (const [mention, own] of roles) {
    if (own.size < 2) continue;
    if (mention.kind !== 'column') return null;
    features.push(feature(`double|${[...own].sort().join('|')}`));
  }
  return features;
}

/** The same words can't be a column and a value: `rain` is the weather or the precipitation. */
function readsTwice(used: readonly Mention[]): boolean {
  const values = used.filter(({ kind }) => kind === 'value');
  return used.some(
    ({ kind, from, to }) => kind === 'column' && values.some((value) => value.from < to && from < value.to),
  );
}

/** What a reading leaves unexplained. */
interface Open {
  readonly features: Features;
  readonly mentions: readonly Mention[];
}

function openMentions(question: Question, used: readonly Mention[]): Open {
  const { columns, values, numbers, times } = question.linked;
  const isOpen = (mention: Mention): boolean => !used.some(({ from, to }) => from < mention.to && mention.from < to);
  const openColumns = columns.filter(isOpen);
  const surely = openColumns.filter(
    ({ isGuess, isDegree, isNoun, isWeak }) => !isGuess && !isDegree && !isNoun && !isWeak,
  );
  const others = [...values, ...numbers, ...times].filter((mention) => isOpen(mention) && !isPartOf(question, mention));
  return {
    features: [
      ...openColumns.flatMap((mention) => openColumnFeatures(question, mention)),
      ...others.flatMap((mention) => [
        feature(`open|${mention.kind}`),
        feature(`open|${mention.kind}|${howOf(mention)}`),
      ]),
      feature(`opencount|${Math.min(surely.length, 3)}`),
    ],
    mentions: [...surely, ...others],
  };
}

function openColumnFeatures(question: Question, mention: ColumnMention): Features {
  const stem = question.linked.tokens[mention.from]?.stem ?? '';
  if (mention.isGuess) return [feature('openguess'), feature(`openguess|${stem}`)];
  const around = question.around(mention.from, mention.to);
  const share = Math.round(mention.best * 5);
  const flags = `${mention.isDegree ? 'd' : ''}${mention.isNoun ? 'n' : ''}${mention.inValue ? 'v' : ''}`;
  return [
    feature(`open|${share}|${flags}`),
    feature(`open|b1|${around.before}`),
    feature(`open|ba|${around.before}|${around.after}`),
    feature(`open|word|${stem}`),
  ];
}

type OtherMention = Exclude<Mention, ColumnMention>;

/** Something longer has the number, or the bare year is read as a number too. */
function isPartOf({ linked }: Question, mention: OtherMention): boolean {
  if (mention.kind === 'number') return mention.isTaken;
  return mention.kind === 'time' && mention.how === 'bare' && linked.numbers.some(({ from }) => from === mention.from);
}

function howOf(mention: OtherMention): string {
  if (mention.kind === 'value') return mention.guesses[0]?.how ?? 'text';
  return mention.kind === 'time' ? mention.how : String(mention.isWord);
}

/** One column in two parts of the plan. */
function sameFeatures({ facts, kind }: Head, set: Conditions): Features {
  const features: number[] = [];
  for (const filter of set.filters) {
    if (!('column' in filter)) continue;
    if (facts.shown.includes(filter.column)) features.push(feature(`same|shown|${filter.kind}`));
  }
  const columns = set.filters.flatMap((filter) => ('column' in filter ? [filter.column] : []));
  if (new Set(columns).size < columns.length) features.push(feature('same|twice'), feature(`same|twice|${kind}`));
  return features;
}

function shapeFeatures(question: Question, { kind, facts }: Head, { filters }: Conditions): Features {
  const limit = facts.limit === null ? '' : facts.limit === 1 ? '1' : 'n';
  const shape = `${kind}${facts.groups}${facts.order === '' ? '' : `o${facts.order[0] ?? ''}`}${limit}w${Math.min(2, filters.length)}`;
  return [
    feature(`shape|${shape}`),
    feature(`shape|${shape}|${question.opening}`),
    feature(`shape|${kind}|len|${Math.min(6, question.linked.tokens.length >> 2)}`),
  ];
}

/** In which order the parts are spoken of. */
function placeFeatures(question: Question, uses: readonly Use[]): Features {
  const first = (roles: readonly Role[]): number =>
    Math.min(...uses.flatMap(({ mention, role }) => (roles.includes(role) ? [mention.from] : [])));
  const [what, where, order, group] = [
    first(['shown', 'figure', 'count']),
    first(['condition']),
    first(['order']),
    first(['group']),
  ];
  const opening = question.linked.signs[0] ?? '';
  const features: number[] = [];
  const pair = (name: string, a: number, b: number): void => {
    if (Number.isFinite(a) && Number.isFinite(b))
      features.push(feature(`pos|${name}|${a < b}`), feature(`pos|${name}|${a < b}|${opening}`));
  };
  pair('what-where', what, where);
  pair('what-order', what, order);
  pair('what-group', what, group);
  pair('where-group', where, group);
  return features;
}
