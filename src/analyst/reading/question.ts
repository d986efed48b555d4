import { CLASSES, DETERMINERS, type WordClass } from './lexicon.js';
import { lexicalFeatures } from './column-mentions.js';
import type { ColumnMention, Linked, Mention, Span } from './mentions.types.js';
import type { Sketch } from './draft.js';
import type { ColumnFacts, TableFacts } from './table.js';
import { feature } from './weights.js';
import { keptIn, wordAt } from './words.js';

/** Places of weights. */
export type Features = readonly number[];

/** What a part of a reading uses, and as what: a mention that is used explains its words. */
export interface Use {
  readonly mention: Mention;
  readonly role: Role;
}
export type Role = 'shown' | 'condition' | 'figure' | 'group' | 'order' | 'limit' | 'having' | 'count';

/** A part of a reading with what speaks for it. */
export interface Part {
  readonly features: Features;
  readonly uses: readonly Use[];
  readonly score: number;
}

const REFERRING = /^(?:this|that|those|these|them|they|their|it|its|her|his|he|she|same|there|then|ones?)$/;
const PERIOD_WORD = /^(?:day|week|month|quarter|year|time|period)s?$/;

interface Around {
  /** The signs before and after a span; determiners before it are passed over. */
  readonly before: string;
  readonly before2: string;
  readonly before3: string;
  readonly after: string;
  readonly after2: string;
}

/** Of things with the same key the best one, in the order of the keys. */
export function bestByKey<T extends { readonly key: string; readonly score: number }>(all: readonly T[]): T[] {
  const best = new Map<string, T>();
  for (const one of all) {
    const known = best.get(one.key);
    if (known === undefined || known.score < one.score) best.set(one.key, one);
  }
  return [...best.values()];
}

/** A linked message whose parts can be weighed. */
export class Question {
  readonly words: ReadonlySet<string>;
  /** Columns that are surely mentioned, in order. */
  readonly strong: readonly ColumnMention[];
  readonly usable: readonly ColumnMention[];
  /** Those of the usable ones that are like a word of the column. */
  readonly sure: readonly ColumnMention[];
  readonly opening: string;
  private readonly arounds = new Map<number, Around>();
  private readonly tags = new Map<string, Features>();
  private readonly sharedParts = new Map<string, Part>();
  private readonly roles = new Map<string, Features>();
  private readonly present = new Map<WordClass, boolean>();
  private readonly grams: readonly string[];

  constructor(
    readonly linked: Linked,
    readonly facts: TableFacts,
    private readonly weights: Float32Array,
    /** What the message before asked, if there was one. */
    readonly before: Sketch | null = null,
  ) {
    const { tokens, signs, columns } = linked;
    this.words = new Set(tokens.map(({ word }) => word));
    this.strong = columns.filter(({ isDegree, inValue, isWeak }) => !isDegree && !inValue && !isWeak);
    this.usable = columns.filter(({ isDegree, best }) => !isDegree || best >= 0.5);
    this.sure = this.usable.filter(({ isGuess }) => !isGuess);
    this.opening = `${signs[0] ?? ''}_${signs[1] ?? ''}`;
    const grams = new Set(signs.flatMap((sign, at) => [sign, `${signs[at - 1] ?? '^'}_${sign}`]));
    this.grams = [...grams, `1^${signs[0] ?? ''}`, `2^${this.opening}`, `len${Math.min(4, signs.length >> 2)}`];
  }

  /** The same message with nothing asked before it. */
  alone(): Question {
    return new Question(this.linked, this.facts, this.weights);
  }

  /** How much the words sound like going on with the question before, whether there is one or not: -3 (not at all) to 3. */
  get continuing(): number {
    const score = this.score(this.followUpFeatures);
    return Math.max(-3, Math.min(3, Math.round(score)));
  }

  get followUpFeatures(): Features {
    const strong = `${Math.min(3, this.strong.length)}|${Math.min(3, this.linked.values.length)}`;
    return [
      ...this.grams.map((gram) => feature(`fu|${gram}`)),
      ...this.referring,
      feature(`fu#${strong}`),
      feature(`fu#len${Math.min(8, this.linked.tokens.length)}`),
    ];
  }

  /** Words that stand for something said before, `in that week`, `of those`, by what follows them. */
  private get referring(): Features {
    return this.linked.tokens.flatMap(({ word }, at) => {
      if (!REFERRING.test(word)) return [];
      const isPeriod = PERIOD_WORD.test(this.wordAt(at + 1));
      const isColumn = this.strong.some(({ from }) => from === at + 1);
      const next = isPeriod ? 'period' : isColumn ? 'column' : at === this.linked.tokens.length - 1 ? 'end' : 'other';
      return [feature(`fu|ref|${next}`), feature(`fu|ref|${word}|${next}`)];
    });
  }

  /** The sum of the weights, added to what there is. */
  score(features: Features, start = 0): number {
    let sum = start;
    for (const place of features) sum += this.weights[place] ?? 0;
    return sum;
  }

  part(features: Features, uses: readonly Use[]): Part {
    return { features, uses, score: this.score(features) };
  }

  /** A part that many readings have in common, weighed once. */
  shared(name: string, featuresOf: () => Features): Part {
    return keptIn(this.sharedParts, name, () => this.part(featuresOf(), []));
  }

  has(words: WordClass): boolean {
    const wanted: ReadonlySet<string> = CLASSES[words];
    return keptIn(this.present, words, () => [...this.words].some((word) => wanted.has(word)));
  }

  wordAt(at: number): string {
    return wordAt(this.linked.tokens, at);
  }

  isAt(at: number, words: WordClass): boolean {
    return CLASSES[words].has(this.wordAt(at));
  }

  around(from: number, to: number): Around {
    return keptIn(this.arounds, from * 1000 + to, () => this.lookAround(from, to));
  }

  private lookAround(from: number, to: number): Around {
    const { signs, signOf } = this.linked;
    const last = signOf[to - 1] ?? 0;
    let place = (signOf[from] ?? 0) - 1;
    while (place >= 0 && DETERMINERS.has(signs[place] ?? '')) place--;
    const before = signs[place] ?? '^';
    const before2 = `${signs[place - 1] ?? '^'}_${before}`;
    const after = signs[last + 1] ?? '$';
    return {
      before,
      before2,
      before3: `${signs[place - 2] ?? '^'}_${before2}`,
      after,
      after2: `${after}_${signs[last + 2] ?? '$'}`,
    };
  }

  /** A decision about the whole reading, with every word and pair of words of the message. */
  tag(name: string): Features {
    return keptIn(this.tags, name, () => [
      feature(`tag|${name}`),
      ...this.grams.map((gram) => feature(`t|${name}|${gram}`)),
    ]);
  }

  /** A column in a role, by a mention of it or (`null`) unsaid. */
  role(role: string, mention: ColumnMention | null, column: ColumnFacts): Features {
    return keptIn(this.roles, `${role}|${mention?.from ?? -1}|${column.index}`, () =>
      mention === null ? this.unsaid(role, column) : this.said(role, mention, column),
    );
  }

  private unsaid(role: string, { kind, index, concept, isTotal }: ColumnFacts): Features {
    const { facts } = this;
    const part =
      facts.identity?.index === index
        ? 'identity'
        : facts.meta?.index === index
          ? 'meta'
          : facts.time?.index === index
            ? 'time'
            : 'other';
    return [
      feature(`${role}|kind|${kind}`),
      feature(`${role}|unsaid`),
      feature(`${role}|unsaid|${kind}`),
      feature(`${role}|unsaid|${part}`),
      feature(`${role}|unsaid|${kind}|${this.opening}`),
      feature(`${role}|unsaid|${index === 0 ? 'first' : 'later'}`),
      ...(isTotal ? [feature(`${role}|unsaid|total`)] : []),
      ...(concept === '' ? [] : [feature(`${role}|unsaid|c|${concept}`)]),
    ];
  }

  private said(role: string, mention: ColumnMention, column: ColumnFacts): Features {
    const { from, to, isDegree, isGuess } = mention;
    const around = this.around(from, to);
    const place = this.strong.indexOf(mention);
    const places = `${place < 0 ? 'w' : Math.min(place, 3)}|${Math.min(this.strong.length, 4)}`;
    const { kind, concept } = column;
    return [
      feature(`${role}|kind|${kind}`),
      ...guessFeatures(role, mention, column),
      ...aroundFeatures(role, around, kind),
      feature(`${role}|place|${places}`),
      feature(`${role}|place|${places}|${kind}`),
      feature(`${role}|flags|${flagsOf(mention)}`),
      ...(isGuess ? [feature(`${role}|guess|${around.before}|${kind}`), feature(`${role}|guess|${kind}`)] : []),
      ...this.linked.tokens.slice(from, Math.min(to, from + 3)).flatMap(({ stem }) => lexicalFeatures(stem, column)),
      ...(place === 0 ? [feature(`${role}|first|${this.opening}`)] : []),
      ...(isDegree
        ? [feature(`${role}|degree|${this.wordAt(from)}|${kind}`), feature(`${role}|degree|${this.isNamedNext(to)}`)]
        : []),
      ...(concept === ''
        ? []
        : [feature(`${role}|c|${concept}`), feature(`${role}|c|${concept}|${this.linked.tokens[from]?.stem ?? ''}`)]),
    ];
  }

  /** Whether a column is named right after a word, as in `highest rainfall`. */
  private isNamedNext(at: number): boolean {
    return this.strong.some(({ from }) => from === at);
  }

  /** The signs between two spans, in their order; `after` where the second comes first. */
  between(first: Span, second: Span): string {
    const { signs, signOf } = this.linked;
    const [start, end] = [signOf[first.to - 1] ?? 0, signOf[second.from] ?? 0];
    if (end <= start) return `after_${signs[(signOf[second.to - 1] ?? 0) + 1] ?? ''}`;
    return signs
      .slice(start + 1, end)
      .filter((sign) => !DETERMINERS.has(sign))
      .slice(0, 4)
      .join('_');
  }
}

/** How much a mention is like the column it is taken for. */
function guessFeatures(role: string, { guesses }: ColumnMention, column: ColumnFacts): Features {
  const rank = guesses.findIndex((guess) => guess.column === column);
  const [best] = guesses;
  const { share, words, far, rating } = guesses[rank] ?? best ?? { share: 0, words: 0, far: 0, rating: 0 };
  const gap = Math.round(5 * ((best?.rating ?? 0) - rating));
  return [
    feature(`${role}|share|${binOf(share)}`),
    feature(`${role}|rank|${Math.min(rank, 3)}`),
    feature(`${role}|words|${words}`),
    feature(`${role}|far|${Math.round(4 * far)}`),
    feature(`${role}|gap|${Math.min(gap, 9)}`),
    ...(guesses.some((guess) => guess.column.isTotal) && guesses.length > 1
      ? [feature(`${role}|total|${column.isTotal}`)]
      : []),
  ];
}

function aroundFeatures(role: string, around: Around, kind: string): Features {
  return [
    feature(`${role}|b1|${around.before}`),
    feature(`${role}|b1|${around.before}|${kind}`),
    feature(`${role}|b2|${around.before2}`),
    feature(`${role}|b3|${around.before3}`),
    feature(`${role}|a1|${around.after}`),
    feature(`${role}|a2|${around.after2}`),
    feature(`${role}|ba|${around.before}|${around.after}`),
  ];
}

function flagsOf({ isDegree, inValue, isNoun, isWeak, isGuess }: ColumnMention): string {
  const certainty = isGuess ? 'g' : isWeak ? 'w' : '';
  return `${isDegree ? 'd' : ''}${inValue ? 'v' : ''}${isNoun ? 'n' : ''}${certainty}`;
}

function binOf(share: number): string {
  if (share >= 0.95) return '9';
  if (share >= 0.8) return '8';
  if (share >= 0.65) return '6';
  return share >= 0.45 ? '4' : '2';
}
