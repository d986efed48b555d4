import type { Candidate } from './candidates.js';
import { KNOWN_WORDS, SMALL } from './lexicon.js';
import type { Question, Use } from './question.js';
import type { TableFacts } from './table.js';
import { unitNamed, unitOfColumn } from './units.js';
import { feature, LEAST } from './weights.js';

/** Where the words stand that a reading explains; to guess a column by nothing that was learned explains no word. */
function usedPlaces(uses: readonly Use[]): ReadonlySet<number> {
  const used = new Set<number>();
  for (const { mention } of uses) {
    if (mention.kind === 'column' && mention.isGuess && (mention.guesses[0]?.rating ?? 0) < LEARNED) continue;
    for (let at = mention.from; at < mention.to; at++) used.add(at);
  }
  return used;
}

/** So much speaks for a guessed column at least that was met in the training. */
const LEARNED = 0.5;

/** How much of what a message says its reading explains: 0 to 1. Words that readings were seen to leave open say nothing. */
export function graspOf({ uses }: Candidate, open: readonly string[], oddsOf: OpenOdds): number {
  const unknown = open.filter((stem) => oddsOf(stem) === 0).length;
  const explained = usedPlaces(uses).size;
  return unknown === 0 ? 1 : explained / (explained + unknown);
}

/** The logarithm of how much oftener right readings than wrong ones leave a word unexplained: 0 for one that was never met. */
export type OpenOdds = (stem: string) => number;

/** What was learned of the words that readings leave open, such as `please`. */
export function openOdds(weights: Float32Array): OpenOdds {
  return (stem) => weights[openWordPlace(stem)] ?? 0;
}

export function openWordPlace(stem: string): number {
  return feature(`benign|${stem}`);
}

/** What is left of one figure when another is taken from it, and nothing of a single one. */
const RESULT_WORDS = /^(?:profit|margin)$/;

/** Words that say something, and that nothing in a reading explains. */
function unexplained({ linked, facts }: Question, { uses, sketch }: Candidate): readonly string[] {
  const used = usedPlaces(uses);
  const isWorkedOut =
    (sketch.derived ?? []).length > 0 || (sketch.kind === 'aggregate' && (sketch.computed ?? []).length > 0);
  return linked.tokens.flatMap(({ word, stem, isQuoted }, at) => {
    const isEmpty =
      used.has(at) ||
      (used.has(at - 1) && isCurrencyOf(word, facts)) ||
      SMALL.has(word) ||
      (KNOWN_WORDS.has(word) && (isWorkedOut || !RESULT_WORDS.test(word))) ||
      facts.nouns.has(stem) ||
      (!/\p{L}[\p{L}\d]/u.test(word) && !isQuoted);
    return isEmpty ? [] : [stem];
  });
}

/** Whether a word after a number is a currency, and none that the table does not count in. */
function isCurrencyOf(word: string, { columns }: TableFacts): boolean {
  const unit = unitNamed(word);
  if (unit === null || !CURRENCIES.has(unit.dimension)) return false;
  const own = columns.flatMap((column) => unitOfColumn(column)?.dimension ?? []).filter((one) => CURRENCIES.has(one));
  return own.length === 0 || own.includes(unit.dimension);
}

const CURRENCIES: ReadonlySet<string> = new Set(['euro', 'dollar', 'pound']);

/** Of heads, in the order in which the trees know them. */
const CONFIDENCE_KINDS =
  'rows rowsorder rowstop figure contrast distinct group grouporder rank rankeach summary having havingcount both never share portion portions portionrank series statistic missing edit'.split(
    ' ',
  );

/** What is known of the likeliest reading, but for the words that right readings may leave out. */
export interface Evidence {
  readonly plain: readonly number[];
  /** Stems of words that it leaves unexplained. */
  readonly open: readonly string[];
  /** How many words say something. */
  readonly content: number;
  readonly namesColumns: boolean;
}

/** What tells how sure the first of the readings is. */
export function confidenceFeatures({ plain, open, content, namesColumns }: Evidence, oddsOf: OpenOdds): Float32Array {
  const odds = open.map(oddsOf);
  const odd = odds.filter((one) => one <= 0).length;
  return Float32Array.from([
    Math.min(3, odd),
    odd > 0 ? 1 : 0,
    Math.min(4, open.length),
    odd / content,
    namesColumns ? 0 : odd,
    odds.reduce((sum, one) => sum + one, 0),
    Math.min(1.5, ...odds),
    odds.filter((one) => one === 0).length,
    ...plain,
  ]);
}

/** Of a small table there is little to say: that is no doubt. */
const FEW = 40;

/** Right readings are learned to be ahead by a margin, so that scores are further apart than likelihoods. */
const TEMPERATURE = 2;

/** So many of the likeliest readings say how sure the first is. */
export const WEIGHED = 80;

/** What speaks for the likeliest of the readings, `top`. */
export function evidenceOf(question: Question, top: Candidate, all: readonly Candidate[]): Evidence {
  const candidates = all.slice(0, WEIGHED);
  const likelihoods = candidates.map(({ score }) => Math.exp((score - top.score) / TEMPERATURE));
  const sum = likelihoods.reduce((total, one) => total + one, 0);
  const shares = likelihoods.map((one) => one / sum);
  const second = candidates[1];
  const margin = second === undefined ? 6 : Math.min(6, (top.score - second.score) / TEMPERATURE);
  const columns = top.uses.flatMap(({ mention }) => (mention.kind === 'column' ? [mention.best] : []));
  const sketch = top.sketch;
  const hasText = sketch.filters.some(({ kind }) => kind === 'contains');
  const plain = [
    1 / sum,
    margin / 3,
    Math.min(3, top.open.length),
    top.open.some(({ kind }) => kind === 'value') ? 1 : 0,
    top.open.some(({ kind }) => kind === 'number') ? 1 : 0,
    columns.length === 0 ? 0.3 : Math.min(...columns),
    columns.length === 0 ? 1 : 0,
    sketch.filters.length,
    hasText ? 1 : 0,
    Math.min(30, question.linked.tokens.length) / 10,
    Math.min(2, top.missed()),
    ...agreement(top, candidates, shares),
    ...support(question, top, shares),
    question.before === null ? 0 : 1,
    ...CONFIDENCE_KINDS.map((kind) => (kind === top.kind ? 1 : 0)),
  ];
  return {
    plain,
    open: unexplained(question, top),
    content: Math.max(1, question.linked.tokens.filter(({ word }) => !SMALL.has(word)).length),
    namesColumns: columns.length > 0,
  };
}

/** How much of what was learned speaks for and against the first reading, for the length of the message, and how open the choice is. */
function support(question: Question, top: Candidate, shares: readonly number[]): readonly number[] {
  const weights = top.features.flat().map((place) => question.score([place]));
  const unknown = weights.filter((weight) => Math.abs(weight) < LEAST).length;
  const against = weights.reduce((total, weight) => total + Math.min(0, weight), 0);
  const entropy = shares.reduce((total, share) => (share < 1e-9 ? total : total - share * Math.log(share)), 0);
  const length = question.linked.tokens.length;
  const scale = Math.max(3, length);
  return [
    ...[top.score / 10, top.score / scale, against / 10, against / scale],
    ...[unknown / Math.max(1, weights.length), unknown / 10, weights.length / 100],
    ...[entropy, Math.log(Math.max(FEW, shares.length)), length / 10],
  ];
}

const LISTS: ReadonlySet<string> = new Set(['rows', 'rowsorder', 'rowstop', 'distinct']);

/** How much of all likelihood agrees with the first reading in its conditions, in what it asks for, and in the kind of that. */
function agreement(top: Candidate, candidates: readonly Candidate[], shares: readonly number[]): readonly number[] {
  const likelihood = (agrees: (candidate: Candidate) => boolean): number =>
    shares.filter((_, at) => agrees(candidates[at] ?? top)).reduce((total, share) => total + share, 0);
  const isAsked = ({ asked }: Candidate): boolean => asked === top.asked;
  const holds = ({ conditions }: Candidate): boolean => conditions === top.conditions;
  return [
    likelihood(holds),
    likelihood(isAsked),
    likelihood(({ kind }) => kind === top.kind),
    likelihood((one) => holds(one) && (isAsked(one) || (LISTS.has(top.kind) && LISTS.has(one.kind)))),
  ];
}

export const TREE_DEPTH = 4;
/** A tree has for each level a feature and the value that parts its readings, then what each leaf adds. */
export const TREE_SIZE = 2 * TREE_DEPTH + 2 ** TREE_DEPTH;

/** The place of the leaf that a reading comes to in the tree that begins at `from`. */
export function leafOf(features: Float32Array, trees: Float32Array, from = 0): number {
  let leaf = 0;
  for (let at = from; at < from + 2 * TREE_DEPTH; at += 2)
    leaf = 2 * leaf + ((features[trees[at] ?? 0] ?? 0) > (trees[at + 1] ?? 0) ? 1 : 0);
  return from + 2 * TREE_DEPTH + leaf;
}

/** How likely the first reading is right, 0 to 1: the sum of what was learned of readings like it. */
export function confidenceOf(features: Float32Array, trees: Float32Array): number {
  let sum = 0;
  for (let from = 0; from < trees.length; from += TREE_SIZE) sum += trees[leafOf(features, trees, from)] ?? 0;
  return 1 / (1 + Math.exp(-sum));
}
