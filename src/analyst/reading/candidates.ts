import { type Conditions, conditionSets } from './conditions.js';
import { seriesHeads, shareHeads } from './computed-heads.js';
import { Cues } from './cues.js';
import type { Sketch } from './draft.js';
import { editHeads } from './edit-heads.js';
import { figureLists } from './figures.js';
import { groupLists } from './groups.js';
import { limitParts } from './orders.js';
import { groupHeads, havingHeads } from './group-heads.js';
import { type BareHead, type Head, Heads, kindPart, type Lists, wholeHead } from './heads.js';
import { marked } from './mentions.js';
import type { ColumnMention, Mention, Span } from './mentions.types.js';
import { figureHeads, rowHeads } from './plain-heads.js';
import type { Features, Question, Role, Use } from './question.js';
import { missingHeads, statisticHeads } from './statistic-heads.js';
import { wordFeatures } from './value-conditions.js';
import { feature } from './weights.js';
import { keptIn } from './words.js';

/** A reading of a message with what speaks for it. */
export interface Candidate {
  readonly sketch: Sketch;
  /** Equal readings have the same two keys: what is asked for, and under which conditions. */
  readonly asked: string;
  readonly conditions: string;
  readonly kind: string;
  readonly score: number;
  /** The features of its parts, which readings have in common, and its own. */
  readonly features: readonly Features[];
  readonly uses: readonly Use[];
  /** Mentions that the reading leaves unexplained. */
  readonly open: readonly Mention[];
  /** How many weighty words call for what it does not do: of the likeliest alone somebody wants to know. */
  readonly missed: () => number;
}

const MOST_CONDITIONS = 16;
const MOST_HEADS = 100;
/** Of heads and conditions so many are weighed together. */
const MOST_PAIRS = 300;

/** What is found in a message, whatever was asked before it. */
export interface Found extends Lists {
  readonly conditions: readonly Conditions[];
  readonly heads: readonly BareHead[];
}

export function foundIn(question: Question): Found {
  const heads = new Heads(question);
  const figures = figureLists(question);
  const groups = groupLists(question);
  const limits = limitParts(question);
  rowHeads(question, heads, limits);
  figureHeads(question, heads, figures);
  groupHeads(question, heads, { figures, groups, limits });
  havingHeads(question, heads, { figures, groups });
  shareHeads(question, heads, { figures, groups, limits });
  seriesHeads(question, heads, { figures, groups });
  statisticHeads(question, heads);
  missingHeads(question, heads);
  return { conditions: conditionSets(question, MOST_CONDITIONS), heads: heads.all, figures, groups, limits };
}

/** All readings of a message that fit the table, best first. */
export function candidatesOf(question: Question, found = foundIn(question)): readonly Candidate[] {
  const { conditions } = found;
  const heads = bestHeads(question, headsOf(question, found));
  const best = new Map<number, Candidate>();
  const asked = numbered(heads);
  const under = numbered(conditions);
  const common = { cues: new Cues(question), open: new Map<Mention, Features>() };
  // Both are sorted: as many pairs as come before one in both are at least as good.
  const pairs = heads.flatMap((head, at) =>
    conditions.slice(0, Math.ceil(MOST_PAIRS / (at + 1))).map((set) => ({ head, set, score: head.score + set.score })),
  );
  for (const { head, set } of pairs.sort((a, b) => b.score - a.score).slice(0, MOST_PAIRS)) {
    const candidate = combined(question, head, set, common);
    if (candidate === null) continue;
    const key = (asked.get(head.key) ?? 0) * conditions.length + (under.get(set.key) ?? 0);
    const known = best.get(key);
    if (known === undefined || known.score < candidate.score) best.set(key, candidate);
  }
  return [...best.values()].sort((a, b) => b.score - a.score);
}

/** A number for each different key. */
function numbered(all: readonly { readonly key: string }[]): ReadonlyMap<string, number> {
  return new Map(all.map(({ key }, number) => [key, number]));
}

function headsOf(question: Question, { heads, figures, groups }: Found): readonly BareHead[] {
  if (question.before === null) return heads;
  const edits = new Heads(question);
  editHeads(question, edits, { before: question.before, figures, groups });
  return [...heads, ...edits.all];
}

/** The best of all, and the best of each kind, so that none is missing before it is weighed as a whole. */
function bestHeads(question: Question, bare: readonly BareHead[]): readonly Head[] {
  const perKind = new Map<string, number>();
  const chosen: Head[] = [];
  const weighed = bare.map((one) => {
    const kind = kindPart(question, one.kind);
    return { one, kind, score: kind.score + one.score };
  });
  for (const { one, kind } of weighed.sort((a, b) => b.score - a.score)) {
    const count = (perKind.get(one.kind) ?? 0) + 1;
    perKind.set(one.kind, count);
    if (chosen.length < MOST_HEADS * 0.7 || count <= (one.kind === 'edit' ? 20 : 4)) chosen.push(wholeHead(kind, one));
    if (chosen.length >= MOST_HEADS * 1.4) break;
  }
  return chosen;
}

/** What is worked out once for all readings of a message. */
interface Common {
  readonly cues: Cues;
  /** What it says that a mention is left open. */
  readonly open: Map<Mention, Features>;
}

function combined(question: Question, head: Head, set: Conditions, common: Common): Candidate | null {
  const uses = [...head.uses, ...set.uses];
  const roles = rolesOf(uses);
  const doubled = doubleUse(roles);
  if (doubled === null || readsTwice([...roles.keys()])) return null;
  const sketch = head.build(set.filters, set.derived);
  if (sketch === null) return null;
  const open = openMentions(question, roles.keys(), common.open);
  const own = [
    ...doubled,
    ...open.features,
    ...common.cues.features(head, set),
    ...sameFeatures(head, set),
    ...groupedValueFeatures(head, set, sketch),
    ...periodFeatures(question, head, set),
    ...shapeFeatures(question, head, set),
    ...placeFeatures(question, uses),
  ];
  const score = head.score + set.score + question.score(own);
  return {
    sketch,
    asked: head.key,
    conditions: set.key,
    kind: head.kind,
    score,
    features: [...head.parts.map(({ features }) => features), set.features, own],
    uses,
    open: open.mentions,
    missed: () => common.cues.missed(head, set),
  };
}

function rolesOf(uses: readonly Use[]): ReadonlyMap<Mention, ReadonlySet<Role>> {
  const roles = new Map<Mention, Set<Role>>();
  for (const { mention, role } of uses) keptIn(roles, mention, () => new Set()).add(role);
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

function openMentions(question: Question, used: Iterable<Mention>, known: Map<Mention, Features>): Open {
  const { tokens, columns, values, numbers, times } = question.linked;
  const isUsed = marked(tokens.length, used);
  const features: number[] = [];
  const mentions: Mention[] = [];
  const note = (mention: Mention): void => {
    features.push(...keptIn(known, mention, () => openFeatures(question, mention)));
  };
  let sure = 0;
  for (const mention of columns) {
    if (overlaps(isUsed, mention)) continue;
    note(mention);
    if (mention.isGuess || mention.isDegree || mention.isNoun || mention.isWeak) continue;
    mentions.push(mention);
    sure++;
  }
  for (const mention of [...values, ...numbers, ...times]) {
    if (overlaps(isUsed, mention) || isPartOf(question, mention)) continue;
    note(mention);
    mentions.push(mention);
  }
  features.push(feature(`opencount|${Math.min(sure, 3)}`));
  return { features, mentions };
}

function overlaps(isUsed: readonly boolean[], { from, to }: Span): boolean {
  const at = isUsed.indexOf(true, from);
  return at >= 0 && at < to;
}

function openFeatures(question: Question, mention: Mention): Features {
  if (mention.kind === 'column') return openColumnFeatures(question, mention);
  return [
    feature(`open|${mention.kind}`),
    feature(`open|${mention.kind}|${howOf(mention)}`),
    ...(mention.kind === 'value' ? wordFeatures(question, mention, 'open|value') : []),
  ];
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
  for (const filter of set.filters)
    if ('column' in filter && facts.shown.includes(filter.column)) features.push(feature(`same|shown|${filter.kind}`));
  if (set.filters.length < 2) return features;
  const columns = set.filters.flatMap((filter) => ('column' in filter ? [filter.column] : []));
  if (new Set(columns).size < columns.length) features.push(feature('same|twice'), feature(`same|twice|${kind}`));
  return features;
}

/** Groups by a column of which the conditions leave one value, or some. */
function groupedValueFeatures({ kind }: Head, { filters, uses }: Conditions, sketch: Sketch): Features {
  if (sketch.kind !== 'aggregate') return [];
  const dimensions = sketch.dimensions.map(({ column }) => column);
  return filters.flatMap((filter) => {
    if (filter.kind !== 'in' || !dimensions.includes(filter.column)) return [];
    const left = filter.negated ? 'not' : filter.values.length === 1 ? 'one' : 'some';
    const how = uses.find(({ mention }) => mention.kind === 'value')?.mention;
    return [
      feature(`same|group|${left}|${kind === 'edit'}`),
      feature(`same|group|${left}|${kind === 'edit'}|${how?.kind === 'value' ? howOf(how) : ''}`),
    ];
  });
}

/** A new period is one of the same column as before, or of another, which was named or not. */
function periodFeatures({ before }: Question, { kind }: Head, { filters, uses }: Conditions): Features {
  const known = (before?.filters ?? []).flatMap((filter) => (filter.kind === 'time' ? [filter.column] : []));
  if (kind !== 'edit' || known.length === 0) return [];
  const isNamed = uses.some(({ mention }) => mention.kind === 'column');
  return filters.flatMap((filter) =>
    filter.kind === 'time' ? [feature(`period|${known.includes(filter.column)}|${isNamed}`)] : [],
  );
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

const SPOKEN: Readonly<Partial<Record<Role, 'what' | 'where' | 'order' | 'group'>>> = {
  ...{ shown: 'what', figure: 'what', count: 'what' },
  ...{ condition: 'where', order: 'order', group: 'group' },
};
const SPOKEN_PAIRS = [
  ['what', 'where'],
  ['what', 'order'],
  ['what', 'group'],
  ['where', 'group'],
] as const;

/** In which order the parts are spoken of. */
function placeFeatures(question: Question, uses: readonly Use[]): Features {
  const firsts = { what: Infinity, where: Infinity, order: Infinity, group: Infinity };
  for (const { mention, role } of uses) {
    const part = SPOKEN[role];
    if (part !== undefined) firsts[part] = Math.min(firsts[part], mention.from);
  }
  const opening = question.linked.signs[0] ?? '';
  const features: number[] = [];
  for (const [one, other] of SPOKEN_PAIRS) {
    if (firsts[one] === Infinity || firsts[other] === Infinity) continue;
    const name = `pos|${one}-${other}|${firsts[one] < firsts[other]}`;
    features.push(feature(name), feature(`${name}|${opening}`));
  }
  return features;
}
