import type { TaskSubject } from './task-assignment.js';

/** A question for one datasource, in the words that fit it. */
export interface AddressedQuestion {
  readonly subject: TaskSubject;
  readonly text: string;
}

const SMALL = new Set(
  'the a an of in on at for and or by per to from is are was were what which how many much there data all with show list average total number'.split(
    ' ',
  ),
);
const MAX_VALUES = 300;
const LINK = String.raw`(?:\s*(?:,|&|/|\band\b|\bor\b|\bvs\.?|\bversus\b|\bwith\b|\bto\b|\bagainst\b|\bthan\b)\s*)`;
const BEFORE = String.raw`(?:\b(?:in|of|for|from|between|across|on|at|within|the|both|datasource|dataset|data of|data)\s+)*`;
const AFTER = String.raw`(?:\s+(?:datasources?|datasets?|data|tables?|files?))?`;
const EVERYWHERE =
  /[,\s]*\b(?:(?:in|of|for|from|across|between|within|on)\s+)?(?:both|all|each|every|the two|all of the|each of the|both of the)(?:\s+of the)?\s+(?:datasources?|datasets?|data sources?|sources?|tables?|files?)\b|[,\s]*\b(?:in|of|for|from|across|between|within|on)\s+(?:the two|the three|both|all|all of them|both of them|the two of them|them|each of them|each)(?=\s*[?.!,]?\s*$)/gi;

/**
 * The datasources that a question is for: those that it names; else those whose columns and values it speaks of; else all. The
 * names of others are taken out of the text, since each datasource is asked alone. Pure.
 */
export function addressed(question: string, subjects: readonly TaskSubject[]): readonly AddressedQuestion[] {
  if (subjects.length < 2) return subjects.map((subject) => ({ subject, text: question }));
  const text = withoutCompare(question.replace(EVERYWHERE, ''));
  if (tidy(question.replace(EVERYWHERE, '')) !== tidy(question)) {
    return subjects.map((subject) => ({ subject, text }));
  }
  const named = namedIn(question, subjects);
  if (named.length > 0) {
    const bare = withoutNames(question, named);
    return named.map((subject) => ({ subject, text: bare }));
  }
  return fitting(question, subjects).map((subject) => ({ subject, text: question }));
}

/** Longer names first, so that `Sales 2024` is not taken for `Sales`. */
function namedIn(question: string, subjects: readonly TaskSubject[]): readonly TaskSubject[] {
  let rest = question;
  const found = new Set<TaskSubject>();
  for (const { subject, pattern } of patternsOf(subjects)) {
    const without = rest.replace(new RegExp(pattern, 'giu'), ' ');
    if (without !== rest) found.add(subject);
    rest = without;
  }
  return subjects.filter((subject) => found.has(subject));
}

interface NamePattern {
  readonly subject: TaskSubject;
  readonly pattern: string;
}

function patternsOf(subjects: readonly TaskSubject[]): readonly NamePattern[] {
  return subjects
    .map((subject) => ({ subject, name: subject.name.replace(/\.\w{2,4}$/, '').trim() }))
    .filter(({ name }) => /[\p{L}\d]{2}/u.test(name))
    .sort((a, b) => b.name.length - a.name.length)
    .map(({ subject, name }) => ({ subject, pattern: nameParts(name) }));
}

/** A name as people write it: in quotes or not, with or without the ending of a file. */
function nameParts(name: string): string {
  const words = name.split(/[\s_-]+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return String.raw`(?<![\p{L}\d_])["“']?${words.join(String.raw`[\s_-]+`)}(?:\.\w{2,4})?["”']?(?![\p{L}\d_])`;
}

/** `Compare the average price between Shop A and Shop B` becomes `the average price`. */
function withoutNames(question: string, named: readonly TaskSubject[]): string {
  const any = `(?:${patternsOf(named)
    .map(({ pattern }) => pattern)
    .join('|')})`;
  if (named.length === 1) {
    const mention = new RegExp(
      String.raw`[,\s]*\b(?:in|of|for|from|on|within|at)\s+(?:the\s+)?(?:datasource\s+|dataset\s+)?${any}${AFTER}`,
      'giu',
    );
    const text = tidy(question.replace(mention, ''));
    return /\S\s+\S/.test(text) ? text : question;
  }
  const run = new RegExp(`${BEFORE}${any}${AFTER}(?:${LINK}${BEFORE}${any}${AFTER})*`, 'giu');
  return withoutCompare(question.replace(run, ' '));
}

/** Each datasource is asked for its own figure; holding them against each other comes after. */
function withoutCompare(question: string): string {
  const text = question
    .replace(/\b(?:compare|comparing|comparison of|(?:the )?differences?(?: between| in)?|versus|vs\.?)\b/gi, ' ')
    .replace(/^\s*(?:by|on|in terms of|regarding|with respect to)\s+/i, '');
  return tidy(text);
}

function tidy(text: string): string {
  const line = text
    .replace(/\s+([?.!,])/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,]*(?:by|on)\s+/i, '')
    .trim();
  return line.charAt(0).toUpperCase() + line.slice(1);
}

/** Those that know every word that any of them knows. */
function fitting(question: string, subjects: readonly TaskSubject[]): readonly TaskSubject[] {
  const asked = wordsOf(question).filter((word) => !SMALL.has(word));
  const known = subjects.map((subject) => {
    const vocabulary = vocabularyOf(subject);
    return { subject, words: new Set(asked.filter((word) => vocabulary.has(word))) };
  });
  const best = known.filter(
    ({ words }) =>
      !known.some((other) => other.words.size > words.size && [...words].every((word) => other.words.has(word))),
  );
  return best.length === 0 ? subjects : best.map(({ subject }) => subject);
}

function vocabularyOf({ profile }: TaskSubject): ReadonlySet<string> {
  const names = profile.columns.flatMap(({ name }) => wordsOf(name));
  const values = profile.columns.flatMap(({ topValues }) =>
    topValues.slice(0, MAX_VALUES).flatMap(({ value }) => wordsOf(value)),
  );
  return new Set([...names, ...values]);
}

/** Lower case, `tempMax` and `temp_max` as two words, plurals as singulars. */
export function wordsOf(text: string): readonly string[] {
  const words = text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/\p{L}+|\d+/gu);
  return (words ?? []).map((word) => (word.length > 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word));
}
