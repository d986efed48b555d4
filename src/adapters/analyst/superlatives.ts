import { keyOf, rewrite, type Meaning, type Piece } from './pieces.js';
import { ADJECTIVES, type Adjective } from './synonyms.js';
import { stem } from './text.js';
import { VERB_HINTS } from './verbs.js';
import { columnsHinted, extremeOf, type TableFacts } from './table-facts.js';

const EXTREMES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ...words('highest largest biggest greatest strongest', { ...extreme('desc') }),
  ...words('lowest smallest weakest', { ...extreme('asc') }),
  ...words('most peak peaks peaked', { kind: 'superlative', direction: 'desc', hints: null, form: 'most' }),
  ...words('least fewest', { kind: 'superlative', direction: 'asc', hints: null, form: 'most' }),
  ...words('top', { kind: 'top', direction: 'desc' }),
  ...words('bottom', { kind: 'top', direction: 'asc' }),
  ...words('latest newest last recent', { kind: 'newest', direction: 'desc' }),
  ['most recent', { kind: 'newest', direction: 'desc' }],
  ...words('earliest first', { kind: 'newest', direction: 'asc' }),
]);

function words(list: string, meaning: Meaning): readonly (readonly [string, Meaning])[] {
  return list.split(' ').map((word) => [word, meaning]);
}

function extreme(direction: 'asc' | 'desc'): Meaning {
  return { kind: 'superlative', direction, hints: null, form: 'extreme' };
}

const SUPERLATIVES = byForm('superlative');
const COMPARATIVES = byForm('comparative');
const POSITIVES = byForm('positive');

function byForm(form: 'positive' | 'comparative' | 'superlative'): ReadonlyMap<string, Adjective> {
  return new Map(ADJECTIVES.map((adjective) => [adjective[form], adjective]));
}

/** The adjective of which these words are the comparative or the superlative. */
export function adjectiveOf(phrase: string, form: 'comparative' | 'superlative'): Adjective | null {
  return (form === 'comparative' ? COMPARATIVES : SUPERLATIVES).get(phrase) ?? derivedOf(phrase, form);
}

const DERIVED = { comparative: /^(\p{L}{3,})ier$/u, superlative: /^(\p{L}{3,})iest$/u } as const;
/** Forms of words that are no nouns with `y`. */
const NOT_DERIVED = new Set(['earl', 'eas', 'happ', 'heav', 'earlier', 'pret', 'prett']);

/** `fattier`, `noisiest`: adjectives that are made of the noun that a column is called by. */
function derivedOf(phrase: string, form: 'comparative' | 'superlative'): Adjective | null {
  const base = DERIVED[form].exec(phrase)?.[1];
  if (base === undefined || NOT_DERIVED.has(base)) return null;
  const nouns = [base, `${base}e`, base.replace(/(\p{L})\1$/u, '$1')];
  const hints = nouns.map((noun) => ({ word: stem(noun), direction: 'desc' as const }));
  return { positive: `${base}y`, comparative: phrase, superlative: phrase, hints };
}

/** The adjective itself: `tall`. */
export function positiveOf(word: string): Adjective | null {
  return POSITIVES.get(word) ?? null;
}

export const SUPERLATIVE_WORDS: readonly string[] = [
  ...EXTREMES.keys(),
  ...ADJECTIVES.flatMap(({ comparative, superlative }) => [comparative, superlative]),
].flatMap((phrase) => phrase.split(' '));

/** Reads `highest`, `coldest`, `older than 50`, `top`, `latest`; adjectives only where the table has a column for them. */
export function readSuperlatives(pieces: readonly Piece[], facts: TableFacts): readonly Piece[] {
  const ranks = pieces.some((piece) => keyOf(piece) === 'by');
  return rewrite(
    pieces,
    3,
    ({ keys, after }) => meaningOf(keys, after, facts) ?? (ranks ? (JUDGED.get(keys.join(' ')) ?? null) : null),
  );
}

/** The best is a matter of taste, unless it is said by which figure. */
const JUDGED: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([['best', { kind: 'top', direction: 'desc' }]]);

function meaningOf(keys: readonly string[], after: Piece | undefined, facts: TableFacts): Meaning | null {
  const phrase = keys.join(' ');
  return (
    olderThan(keys, after, facts) ??
    adjectiveMeaning(SUPERLATIVES.get(phrase), 'extreme', facts) ??
    adjectiveMeaning(COMPARATIVES.get(phrase), 'comparative', facts) ??
    EXTREMES.get(phrase) ??
    howOld(keys, facts) ??
    verbMeaning(phrase, facts)
  );
}

function adjectiveMeaning(
  adjective: Adjective | undefined,
  form: 'extreme' | 'comparative',
  facts: TableFacts,
): Meaning | null {
  const found = adjective === undefined ? null : columnsHinted(facts, adjective.hints);
  if (adjective === undefined || found === null) return null;
  return { kind: 'superlative', direction: found.hint.direction, hints: adjective.hints, form };
}

/** `older than 50` is a condition, not a ranking. */
function olderThan(keys: readonly string[], after: Piece | undefined, facts: TableFacts): Meaning | null {
  if (keys.at(-1) !== 'than' || after?.kind !== 'number') return null;
  const adjective = COMPARATIVES.get(keys.slice(0, -1).join(' '));
  const found = adjective === undefined ? null : columnsHinted(facts, adjective.hints);
  if (adjective === undefined || found === null) return null;
  return { kind: 'operator', operator: found.hint.direction === 'desc' ? '>' : '<', hints: adjective.hints };
}

/** `how windy` asks for the wind. */
function howOld(keys: readonly string[], facts: TableFacts): Meaning | null {
  const [how, positive = ''] = keys;
  if (how !== 'how' || keys.length !== 2) return null;
  const adjective = POSITIVES.get(positive);
  return adjective === undefined ? null : columnMeaning(adjective, facts);
}

function verbMeaning(word: string, facts: TableFacts): Meaning | null {
  const hints = VERB_HINTS.get(word);
  return hints === undefined ? null : columnMeaning({ hints }, facts);
}

function columnMeaning({ hints }: Pick<Adjective, 'hints'>, facts: TableFacts): Meaning | null {
  const found = columnsHinted(facts, hints);
  if (found === null) return null;
  const column = extremeOf(found.columns, found.hint.direction);
  if (column === null) return { kind: 'ambiguous', columns: found.columns };
  return { kind: 'column', column, implied: null };
}
