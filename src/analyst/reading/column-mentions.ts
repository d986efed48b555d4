import { CLASSES, COLUMN_WORDS, DEGREES, groupsOf, groupsOfWord, isOfDrawing, KNOWN_WORDS, SMALL } from './lexicon.js';
import type { ColumnGuess, ColumnMention, Span } from './mentions.types.js';
import { type ColumnFacts, likeness, type TableFacts, type WordPlace } from './table.js';
import { isSameUnit, unitNamed, unitOfColumn } from './units.js';
import { feature } from './weights.js';
import { fold, groupedBy, root, stem, type Token } from './words.js';

/** Words that may mean a column. */
export interface ColumnHit extends Span {
  readonly column: number;
  readonly share: number;
  readonly words: number;
  readonly far: number;
  readonly isDegree: boolean;
}

/** All that may mean a column; the same words may be in several. */
export function columnHitsIn(message: string, tokens: readonly Token[], facts: TableFacts): readonly ColumnHit[] {
  const found = [...wholeNames(message, tokens, facts), ...columnsIn(tokens, facts)];
  // The `total` of `total tax` is a sum, also beside a column Total.
  const isSum = ({ from, to, column }: ColumnHit): boolean =>
    to === from + 1 &&
    CLASSES.sum.has(tokens[from]?.word ?? '') &&
    found.some((other) => other.from === to && other.column !== column && other.share > 0.6);
  const isDrawing = tokens.map((_, at) => isOfDrawing(tokens, at));
  return found.filter((hit) => !isSum(hit) && !isDrawing.slice(hit.from, hit.to).every(Boolean));
}

const LONGEST_NAME = 8;

/** Names of columns as they stand, signs and all: PM2.5. */
function wholeNames(message: string, tokens: readonly Token[], facts: TableFacts): readonly ColumnHit[] {
  const found: ColumnHit[] = [];
  for (let from = 0; from < tokens.length; from++) {
    for (let to = Math.min(tokens.length, from + LONGEST_NAME); to > from; to--) {
      const [first, last] = [tokens[from], tokens[to - 1]];
      if (first === undefined || last === undefined) continue;
      const column = facts.names.get(fold(message.slice(first.from, last.to)).trim());
      if (column === undefined) continue;
      const words = facts.columns[column]?.words.filter(({ weight, isPart }) => weight > 0.3 && !isPart).length ?? 1;
      found.push({ from, to, column, share: 1, words: Math.max(words, 1), far: 0, isDegree: false });
      from = to - 1;
      break;
    }
  }
  return found;
}

interface WordHit {
  readonly column: number;
  readonly at: number;
  readonly place: number;
  readonly like: number;
}

/** What may stand between two words of a column's name. */
const BETWEEN = new Set('of the s - _ a / in de du der des per for to ( .'.split(' '));
const LEAST_SHARE = 0.22;

function columnsIn(tokens: readonly Token[], facts: TableFacts): readonly ColumnHit[] {
  const hits = tokens.flatMap((token, at) => (token.isQuoted ? [] : wordHits(token, at, facts)));
  const found = [...groupedBy(hits, ({ column }) => column)].flatMap(([column, own]) =>
    hitsOf(tokens, facts, column, own),
  );
  return [...found, ...pairHits(tokens, facts), ...unitHits(tokens, facts, found), ...degreeHits(tokens, facts, found)];
}

/** How much of a name its unit says; hours and days are also what periods are told in. */
const UNIT_SHARES: ReadonlyMap<string, number> = new Map([
  ['time', 0.4],
  ['calendar', 0],
]);
const UNIT_SHARE = 0.5;

/** `kWh by site` is about a column that is counted in kWh. */
function unitHits(tokens: readonly Token[], facts: TableFacts, known: readonly ColumnHit[]): readonly ColumnHit[] {
  return tokens.flatMap(({ word, isQuoted }, at) => {
    const unit = isQuoted || /^\p{L}$/u.test(word) ? null : unitNamed(word);
    if (unit === null) return [];
    const share = UNIT_SHARES.get(unit.dimension) ?? UNIT_SHARE;
    return facts.columns.flatMap((column): ColumnHit[] => {
      const { index, isNumber } = column;
      const isNew = !known.some((hit) => hit.column === index && hit.from <= at && at < hit.to);
      if (!isNumber || share === 0 || !isNew || !isSameUnit(unitOfColumn(column), unit)) return [];
      return [{ from: at, to: at + 1, column: index, share, words: 1, far: 0, isDegree: false }];
    });
  });
}

/** Two words that stand for one of a header: `cost centre` for Kostenstelle, `job title` for jobtitle. */
function pairHits(tokens: readonly Token[], facts: TableFacts): readonly ColumnHit[] {
  return tokens.slice(1).flatMap((second, at) => {
    const first = tokens[at];
    if (first === undefined || [first, second].some(({ word }) => SMALL.has(word) || !/^\p{L}{2,}$/u.test(word)))
      return [];
    const pair = first.word + second.word;
    const groups = groupsOf(COLUMN_WORDS, pair);
    const own = [pair, stem(pair)].flatMap((key) => facts.wordIndex.get(key) ?? []);
    const places = [...own, ...groups.flatMap((group) => facts.groupIndex.get(group) ?? [])];
    return [...groupedBy(places, ({ column }) => column)].flatMap(([index, [place]]): ColumnHit[] => {
      const column = facts.columns[index];
      const word = place === undefined ? undefined : column?.words[place.place];
      if (column === undefined || word === undefined) return [];
      const total = weightOfName(column);
      const share = Math.min(1, (likeness(pair, stem(pair), groups, word) * (word.weight || total)) / total);
      return [{ from: at, to: at + 2, column: index, share, words: 1, far: 0, isDegree: false }];
    });
  });
}

function weightOfName({ words }: ColumnFacts): number {
  return words.reduce((sum, { weight, isPart }) => (isPart ? sum : sum + weight), 0) || 1;
}

/** For each column the best of its words that a token may be. */
function wordHits(token: Token, at: number, facts: TableFacts): readonly WordHit[] {
  const best = new Map<number, WordHit>();
  const groups = groupsOfWord(token.word);
  for (const { column, place } of placesLike(token, groups, facts)) {
    const own = facts.columns[column]?.words[place];
    const like = own === undefined ? 0 : likeness(token.word, token.stem, groups, own);
    if (like > (best.get(column)?.like ?? 0)) best.set(column, { column, at, place, like });
  }
  return [...best.values()];
}

/** Words of columns that a token may be. */
function placesLike(token: Token, groups: readonly number[], facts: TableFacts): readonly WordPlace[] {
  const { word, stem: stemmed } = token;
  const placesOf = (key: string): readonly WordPlace[] => facts.wordIndex.get(key) ?? [];
  const own = [...new Set([word, stemmed, `~${root(word)}`])].flatMap(placesOf);
  if (SMALL.has(word) || word.length < 2) return own;
  const grouped = groups.flatMap((group) => facts.groupIndex.get(group) ?? []);
  // To count is no country.
  if (word.length < 4 || CLASSES.count.has(word)) return [...own, ...grouped];
  const alike = facts.allWords.filter((other) => other.startsWith(word.charAt(0)) || other.endsWith(stemmed));
  return [...own, ...grouped, ...alike.flatMap(placesOf)];
}

/** Words that stand together are one mention; what stands apart counts less. */
function hitsOf(
  tokens: readonly Token[],
  facts: TableFacts,
  index: number,
  hits: readonly WordHit[],
): readonly ColumnHit[] {
  const column = facts.columns[index];
  if (column === undefined) return [];
  const total = weightOfName(column);
  const weightOf = (hit: WordHit): number => {
    const weight = column.words[hit.place]?.weight ?? 0;
    // Other names of the whole column say all of it.
    return (weight === 0 ? total : weight) * hit.like;
  };
  const found: ColumnHit[] = [];
  for (let first = 0; first < hits.length; first++) {
    const start = hits[first];
    if (start === undefined) continue;
    const used = new Map([[start.place, start]]);
    let last = start;
    let next = first + 1;
    for (; next < hits.length; next++) {
      const hit = hits[next];
      if (hit === undefined || used.has(hit.place) || !isBeside(tokens, last.at, hit.at)) break;
      used.set(hit.place, hit);
      last = hit;
    }
    const near = [...used.values()].reduce((sum, hit) => sum + weightOf(hit), 0);
    const far = hits
      .filter((hit) => !used.has(hit.place) && hit.like > 0.8 && Math.abs(hit.at - start.at) < 9)
      .reduce((sum, hit) => sum + 0.6 * weightOf(hit), 0);
    const share = Math.min(1, near / total);
    const run = { from: start.at, to: last.at + 1, column: index, share, words: used.size, isDegree: false };
    if (share >= LEAST_SHARE) found.push({ ...run, far: Math.min(1, far / total) });
    first = next - 1;
  }
  return found;
}

function isBeside(tokens: readonly Token[], last: number, at: number): boolean {
  if (at <= last || at - last > 3) return false;
  return tokens.slice(last + 1, at).every(({ word }) => BETWEEN.has(word));
}

/** `oldest` is about a column of ages. */
function degreeHits(tokens: readonly Token[], facts: TableFacts, known: readonly ColumnHit[]): readonly ColumnHit[] {
  return tokens.flatMap(({ word }, at) => {
    const degree = DEGREES.get(word);
    if (degree === undefined) return [];
    return facts.columns.flatMap((column): ColumnHit[] => {
      const fits = column.words.some(({ word: own, groups }) =>
        degree.about.some(
          (about) => about === own || groupsOf(COLUMN_WORDS, about).some((group) => groups.includes(group)),
        ),
      );
      const isTime = degree.about.includes('date') && column.kind === 'time';
      if ((!fits && !isTime) || known.some((hit) => hit.column === column.index && hit.from <= at && at < hit.to))
        return [];
      return [{ from: at, to: at + 1, column: column.index, share: 0.5, words: 1, far: 0, isDegree: true }];
    });
  });
}

const GUESSES = 5;

/** Hits that overlap are one mention with several guesses. */
export function columnMentions(
  tokens: readonly Token[],
  hits: readonly ColumnHit[],
  facts: TableFacts,
  isValue: readonly boolean[],
): readonly ColumnMention[] {
  const sorted = [...hits].sort((a, b) => a.from - b.from || b.to - a.to);
  const groups: { from: number; to: number; hits: ColumnHit[] }[] = [];
  for (const hit of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && hit.from < last.to) {
      last.to = Math.max(last.to, hit.to);
      last.hits.push(hit);
    } else groups.push({ from: hit.from, to: hit.to, hits: [hit] });
  }
  return groups.map((group) => mentionOf(tokens, group, facts, isValue));
}

function mentionOf(
  tokens: readonly Token[],
  group: Span & { readonly hits: readonly ColumnHit[] },
  facts: TableFacts,
  isValue: readonly boolean[],
): ColumnMention {
  const best = new Map<number, ColumnHit>();
  for (const hit of group.hits) {
    const known = best.get(hit.column);
    if (known === undefined || known.words * known.share < hit.words * hit.share) best.set(hit.column, hit);
  }
  const guesses = [...best.values()]
    .flatMap((hit): ColumnGuess[] => {
      const column = facts.columns[hit.column];
      return column === undefined
        ? []
        : [{ column, share: hit.share, words: hit.words, far: hit.far, rating: hit.words * hit.share + hit.far }];
    })
    .sort((a, b) => b.rating - a.rating || b.share - a.share)
    .slice(0, GUESSES);
  const span = tokens.slice(group.from, group.to);
  return {
    ...{ kind: 'column', from: group.from, to: group.to, guesses },
    best: Math.max(...guesses.map(({ share }) => share)),
    isDegree: group.hits.every(({ isDegree }) => isDegree),
    inValue: isValue.slice(group.from, group.to).includes(true),
    isNoun: span.every(({ stem: one }) => facts.nouns.has(one)),
    isWeak: guesses.every(({ share, far }) => share + far < 0.45),
    isGuess: false,
  };
}

/** Features of a word that is said for a column. */
export function lexicalFeatures(stemmed: string, { words, concept }: ColumnFacts): readonly number[] {
  const own = words
    .slice(0, 4)
    .flatMap(({ stem: other, weight }) => (weight > 0.2 || weight === 0 ? [feature(`lex|${stemmed}|${other}`)] : []));
  return concept === '' ? own : [...own, feature(`lex|${stemmed}|c|${concept}`)];
}

const GUESSED = 7;
const GUESSED_FLAGS = { isDegree: false, inValue: false, isNoun: false, isWeak: true, isGuess: true } as const;

/** Words that are like no column and no value may mean one all the same, as `rep` an owner. */
export function guessedColumns(
  tokens: readonly Token[],
  isTaken: readonly boolean[],
  facts: TableFacts,
  weights: Float32Array,
): readonly ColumnMention[] {
  return tokens.flatMap(({ word, stem: stemmed, isQuoted }, at): ColumnMention[] => {
    const isOpen =
      isTaken[at] !== true &&
      !isQuoted &&
      /^\p{L}{2}/u.test(word) &&
      !SMALL.has(word) &&
      !KNOWN_WORDS.has(word) &&
      !facts.nouns.has(stemmed);
    if (!isOpen) return [];
    const rated = facts.columns
      .filter(({ kind }) => kind !== 'id' || facts.columns.length < 6)
      .map((column) => ({
        column,
        rating:
          lexicalFeatures(stemmed, column).reduce((sum, place) => sum + (weights[place] ?? 0), 0) - column.index / 1000,
      }))
      .sort((a, b) => b.rating - a.rating)
      .slice(0, GUESSED);
    const guesses = rated.map(({ column, rating }) => ({ column, share: 0.1, words: 0, far: 0, rating }));
    if (guesses.length === 0) return [];
    return [{ kind: 'column', from: at, to: at + 1, guesses, best: 0.1, ...GUESSED_FLAGS }];
  });
}
