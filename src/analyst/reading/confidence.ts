import type { Candidate } from './candidates.js';
import { KNOWN_WORDS, SMALL } from './lexicon.js';
import type { Question } from './question.js';
import { feature } from './weights.js';

/** Words that say something, and that nothing in a reading explains. */
export function unexplained({ linked, facts }: Question, { uses }: Candidate): readonly string[] {
  const used = new Set<number>();
  for (const { mention } of uses) for (let at = mention.from; at < mention.to; at++) used.add(at);
  return linked.tokens.flatMap(({ word, stem, isQuoted }, at) => {
    const isEmpty =
      used.has(at) ||
      SMALL.has(word) ||
      KNOWN_WORDS.has(word) ||
      facts.nouns.has(stem) ||
      (!/\p{L}{2}/u.test(word) && !isQuoted);
    return isEmpty ? [] : [stem];
  });
}

/** A word that right readings often leave unexplained, such as `please`: its weight is how often. */
export function benignPlace(stem: string): number {
  return feature(`benign|${stem}`);
}

export const CONFIDENCE_KINDS = [
  'rows',
  'rowsorder',
  'rowstop',
  'figure',
  'contrast',
  'distinct',
  'group',
  'grouporder',
  'rank',
  'rankeach',
  'summary',
  'having',
  'havingcount',
  'share',
  'portion',
  'portions',
  'series',
  'statistic',
  'missing',
  'edit',
];

/** What tells how sure the first of the readings is. */
export function confidenceFeatures(
  question: Question,
  candidates: readonly Candidate[],
  weights: Float32Array,
): Float32Array {
  const [top, second] = candidates;
  if (top === undefined) return new Float32Array(17 + CONFIDENCE_KINDS.length);
  let sum = 0;
  for (const { score } of candidates) sum += Math.exp(score - top.score);
  const share = 1 / sum;
  const margin = second === undefined ? 6 : Math.min(6, top.score - second.score);
  const open = unexplained(question, top);
  const odd = open.filter((stem) => (weights[benignPlace(stem)] ?? 0) <= 0).length;
  const content = Math.max(1, question.linked.tokens.filter(({ word }) => !SMALL.has(word)).length);
  const columns = top.uses.flatMap(({ mention }) => (mention.kind === 'column' ? [mention.best] : []));
  const sketch = top.sketch;
  const hasText = sketch.filters.some(({ kind }) => kind === 'contains');
  return Float32Array.from([
    1,
    share,
    Math.log(share),
    margin / 3,
    Math.min(3, odd),
    odd > 0 ? 1 : 0,
    Math.min(4, open.length),
    odd / content,
    Math.min(3, top.open.length),
    top.open.some(({ kind }) => kind === 'value') ? 1 : 0,
    top.open.some(({ kind }) => kind === 'number') ? 1 : 0,
    columns.length === 0 ? 0.3 : Math.min(...columns),
    columns.length === 0 ? 1 : 0,
    columns.length === 0 ? odd : 0,
    sketch.filters.length,
    hasText ? 1 : 0,
    Math.min(30, question.linked.tokens.length) / 10,
    ...CONFIDENCE_KINDS.map((kind) => (kind === top.kind ? 1 : 0)),
  ]);
}

/** How likely the first reading is right: 0 to 1. */
export function confidenceOf(features: Float32Array, weights: Float32Array): number {
  let sum = 0;
  for (const [index, value] of features.entries()) sum += value * (weights[index] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}
