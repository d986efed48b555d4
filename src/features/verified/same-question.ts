import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { TableBriefing } from '../../ports/chat-model.js';
import type { TableProfile } from '../../ports/table.js';
import { isRecord } from '../../shared/json.js';
import { languageOf, type Language } from '../../shared/words/languages.js';
import { stemOf } from '../../shared/words/words.js';

/**
 * Words that change nothing of what is asked. Prepositions, numbers in words, and what negates, compares or limits are none of them: `over`
 * and `under`, `with` and `without`, `who` and `when` ask for different things.
 */
const EMPTY_WORDS: Partial<Readonly<Record<Language, ReadonlySet<string>>>> = {
  english: new Set(
    `a an the please kindly me us i we you can could would like want to is are was were be do does did there show give tell display
    what what's which whats here's`.split(/\s+/),
  ),
  german: new Set(
    `der die das den dem des ein eine einen einem einer eines bitte mir uns ich wir du sie kannst können möchte zeige zeig gib nenne sag
    ist sind war waren wird werden was welche welcher welches welchen es`.split(/\s+/),
  ),
};

/** A number or a date as it is written, a word with its apostrophes and hyphens, or a mark that compares or reckons. */
const TOKEN =
  /[-+]?\d[\d.,:/_-]*\d|[-+]?\d|[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*(?:['’-][\p{L}\p{M}\p{N}_]+)*|[<>=≤≥≠%+*/^|~#@&€$£]|\S/gu;
const PUNCTUATION = /^[.,;:!?¿¡"'“”„‚‘’«»()[\]{}…–—]$/u;
const HAS_NUMBER = /\p{N}/u;
const HAS_LETTER = /\p{L}/u;

/**
 * What is asked, without what makes no difference: case, punctuation, articles and politeness, and endings of words that are neither a value
 * nor a column. Two questions are the same when their keys are.
 */
export class QuestionKeys {
  /** The words of the names and values of the table, and of those that it may be joined with; null: there are more than the profile has. */
  private readonly exact: ReadonlySet<string> | null;

  constructor({ profile, joined = [] }: Pick<TableBriefing, 'joined' | 'profile'>) {
    this.exact = exactWords([profile, ...joined.map((other) => other.profile)]);
  }

  of(question: string): string {
    return this.words(question).join(' ');
  }

  words(question: string): readonly string[] {
    const { exact } = this;
    const words = read(question);
    const language = languageOf(words);
    const empty = EMPTY_WORDS[language] ?? new Set<string>();
    return words
      .filter((word) => !empty.has(word) || exact?.has(word) === true)
      .map((word) => {
        // Of a table whose values are not all known any word may be one.
        const isExact = exact === null || exact.has(word) || HAS_NUMBER.test(word) || !HAS_LETTER.test(word);
        return isExact ? word : stemOf(word, language);
      });
  }
}

function read(text: string): readonly string[] {
  return [...text.normalize('NFKC').matchAll(TOKEN)]
    .map(([token]) => token.toLowerCase().replaceAll('’', "'").replace(/'s$/, ''))
    .filter((word) => !PUNCTUATION.test(word));
}

function exactWords(profiles: readonly TableProfile[]): ReadonlySet<string> | null {
  const texts: string[] = [];
  for (const { name, type, distinct, topValues } of profiles.flatMap(({ columns }) => columns)) {
    texts.push(name);
    if (type !== 'text') continue;
    if (topValues.length < distinct) return null;
    texts.push(...topValues.map(({ value }) => value));
  }
  return new Set(texts.flatMap(read));
}

/** How much two questions have in common: 0 to 1. */
export function likeness(one: readonly string[], other: readonly string[]): number {
  const [first, second] = [new Set(one), new Set(other)];
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared === 0 ? 0 : shared / (first.size + second.size - shared);
}

/** Beginnings and words that lean on what was said before. */
const LEANING = new RegExp(
  [
    String.raw`^(?:and|but|or|also|then|now|only|just|instead|same|again|what about|how about)\b`,
    String.raw`^(?:und|aber|oder|auch|dann|jetzt|nur|stattdessen|nochmal|wie ist es mit)\b`,
    String.raw`\b(?:of|for|from|in|with|by|about|than)\s+(?:it|those|them|these)\b`,
    String.raw`\b(?:of|for|from|in|with|by|about|than)\s+(?:that|this)\s*[?.!]*$`,
    String.raw`\b(?:is|was|did|does)\s+it\b|\b(?:are|were|do|did)\s+they\b|\b(?:instead|again)\s*[?.!]*$`,
    String.raw`\b(?:davon|daraus|darin|stattdessen|nochmal)\b`,
  ].join('|'),
  'iu',
);
/** A condition or a group alone: “by region”. */
const FRAGMENT =
  /^(?:by|per|in|for|with|without|of|from|since|until|before|after|nach|pro|im|für|mit|ohne|von|aus|seit|bis)\b/iu;
const LONGEST_FRAGMENT = 4;

/** Whether a question can be understood without the ones before it. */
export function standsAlone(question: string): boolean {
  const text = question.trim();
  return !LEANING.test(text) && !(FRAGMENT.test(text) && read(text).length <= LONGEST_FRAGMENT);
}

const UNIT = String.raw`(?:second|minute|hour|day|night|week|weekend|month|quarter|year|decade)s?`;
const GERMAN_UNIT = String.raw`(?:sekunden?|minuten?|stunden?|tage?n?|wochen?|wochenendes?|monat(?:e|en|s)?|quartale?n?s?|jahre?n?s?)`;
const MOVING = new RegExp(
  [
    String.raw`\b(?:today|yesterday|tomorrow|tonight|now|nowadays|currently|ago|so far|to date|ytd|mtd|qtd|recent(?:ly)?|lately)\b`,
    String.raw`\b(?:last|past|previous|this|current|next|coming)\s+(?:(?:\d+|\p{L}+)\s+)?${UNIT}\b`,
    String.raw`\b(?:heute|gestern|morgen|jetzt|aktuell|derzeit|bisher|kürzlich|neulich)\b`,
    String.raw`\b(?:letzte|vergangene|vorige|diese|aktuelle|laufende|nächste|kommende)[nrsm]?\s+(?:(?:\d+|\p{L}+)\s+)?${GERMAN_UNIT}\b`,
    String.raw`\bvor\s+(?:\d+|\p{L}+)\s+${GERMAN_UNIT}\b`,
  ].join('|'),
  'iu',
);

/** Whether the question names a time that is another tomorrow, and what answers it, a plan or a text, has a fixed one. */
export function outdates(question: string, plan: AnalysisPlan | null, text: string | null): boolean {
  if (!MOVING.test(question)) return false;
  const run = plan === null ? (text ?? '') : JSON.stringify(plan, (_, part: unknown) => withoutMoving(part));
  return /\b(?:19|20)\d\d\b/.test(run);
}

/** A condition without the ends that move. */
function withoutMoving(part: unknown): unknown {
  if (!isRecord(part) || !isRecord(part['moving'])) return part;
  const { from, to } = part['moving'];
  return { from: from === null ? part['from'] : null, to: to === null ? part['to'] : null };
}
