import type { Filter } from '../../ports/analysis-plan.js';
import { condition, type ConditionPart, nearestOrNone, opFeatures, relation, usesOf } from './condition-part.js';
import { KNOWN_WORDS } from './lexicon.js';
import type { ColumnMention, ValueGuess, ValueMention } from './mentions.types.js';
import type { Features, Question } from './question.js';
import type { ColumnFacts } from './table.js';
import { feature } from './weights.js';
import { groupedBy, nameWords, stem } from './words.js';

const MOST_COLUMNS = 4;

/** Conditions that a value of the table, or a text that is none, may mean. */
export function valueConditions(question: Question, mention: ValueMention): readonly ConditionPart[] {
  const byColumn = groupedBy(mention.guesses, ({ column }) => column);
  const found = [...byColumn].slice(0, MOST_COLUMNS).flatMap(([index, guesses]) => {
    const column = question.facts.columns[index];
    if (column === undefined) return [];
    return [false, true].flatMap((negated) =>
      filtersOf(column, guesses, mention.text, negated).flatMap((one) => partsOf(question, mention, column, one)),
    );
  });
  return [...found, ...textConditions(question, mention)];
}

interface ValueFilter {
  readonly filter: Filter;
  readonly op: string;
  readonly how: string;
}

/** Filters for the guesses of one column. */
function filtersOf(
  { name: column, isList }: ColumnFacts,
  guesses: readonly ValueGuess[],
  text: string | null,
  negated: boolean,
): readonly ValueFilter[] {
  const [first] = guesses;
  if (first === undefined) return [];
  const { how } = first;
  const op = negated ? '!=' : '=';
  if (isList && !how.startsWith('part'))
    return [{ filter: { kind: 'contains', column, text: String(first.value), negated }, op, how }];
  const all = guesses.map(({ value }) => value);
  const values = how.startsWith('group') ? all : all.slice(0, 1);
  const isPart = how === 'part';
  return [
    ...(!isPart || guesses.length === 1 ? [{ filter: { kind: 'in' as const, column, values, negated }, op, how }] : []),
    ...(isPart && text !== null
      ? [{ filter: { kind: 'contains' as const, column, text, negated }, op: `${op}like`, how: 'partlike' }]
      : []),
  ];
}

function partsOf(
  question: Question,
  mention: ValueMention,
  column: ColumnFacts,
  { filter, op, how }: ValueFilter,
): readonly ConditionPart[] {
  const { from, to, guesses } = mention;
  const many = Math.min(3, guesses.length);
  const columns = Math.min(3, new Set(guesses.map((guess) => guess.column)).size);
  return nearestOrNone(question, column, mention).map((near) => {
    const features = [
      ...opFeatures(question, mention, { op, what: 'value' }),
      ...relation(question, mention, { what: how, column, mention: near }),
      feature(`val|${how}|${many}`),
      feature(`val|${how}|columns|${columns}`),
      feature(`val|${how}|${column.kind}|words|${Math.min(3, to - from)}`),
      ...wordFeatures(question, mention, `val|${how}`),
      ...(how.startsWith('part') ? partFeatures(question, mention) : []),
    ];
    return condition(question, filter, features, usesOf(mention, near));
  });
}

/** Some words are often another thing than the value that they are like: the `total` of TotalEnergies. */
export function wordFeatures(question: Question, { from, to }: ValueMention, name: string): Features {
  const token = question.linked.tokens[from];
  if (token === undefined || to - from > 1) return [];
  return [feature(`${name}|known|${KNOWN_WORDS.has(token.word)}`), feature(`${name}|word|${token.stem}`)];
}

/** A word of a value may be what the rows are called: `vessels` beside the value `Fishing vessel`. */
function partFeatures(question: Question, { from, to, guesses: [first] }: ValueMention): Features {
  const token = question.linked.tokens[from];
  if (token === undefined || first === undefined) return [];
  const words = nameWords(String(first.value));
  const isHead = stem(words.at(-1) ?? '') === token.stem;
  const name = `valpart|${isHead ? 'head' : 'other'}|${words.includes(token.word) ? 'same' : 'form'}`;
  const { before, after } = question.around(from, to);
  return [feature(name), feature(`${name}|b|${before}`), feature(`${name}|a|${after}`)];
}

/** Text that is no value of the table, or is asked for as a part of values. */
function textConditions(question: Question, mention: ValueMention): readonly ConditionPart[] {
  const { from, to, guesses } = mention;
  if (guesses.length > 0 && !question.has('like')) return [];
  const text =
    mention.text ??
    question.linked.tokens
      .slice(from, to)
      .map((token) => token.text)
      .join(' ');
  const seen = new Set<ColumnFacts>();
  return question.sure.flatMap((said) =>
    said.guesses.slice(0, 2).flatMap(({ column }) => {
      if (column.profile.type !== 'text' || seen.has(column)) return [];
      seen.add(column);
      return containing(question, mention, text, { column, said });
    }),
  );
}

/** Values of a column that contain, begin or end with a text. */
function containing(
  question: Question,
  mention: ValueMention,
  text: string,
  { column, said }: { readonly column: ColumnFacts; readonly said: ColumnMention },
): readonly ConditionPart[] {
  const words = [...question.words].join(' ');
  const cue = `${/start|begin/.test(words) ? 's' : ''}${/\bend/.test(words) ? 'e' : ''}`;
  const base = [
    ...relation(question, mention, { what: 'text', column, mention: said }),
    feature(`like|${question.has('like')}|${mention.guesses.length > 0}`),
  ];
  return (['anywhere', 'start', 'end'] as const).flatMap((at) =>
    (question.has('neg') ? [false, true] : [false]).map((negated) =>
      condition(
        question,
        { kind: 'contains', column: column.name, text, negated, ...(at === 'anywhere' ? {} : { at }) },
        [
          ...opFeatures(question, mention, { op: `${negated ? '!' : ''}like${at}`, what: 'text' }),
          ...base,
          feature(`like|${at}|${cue}`),
        ],
        usesOf(mention, said),
      ),
    ),
  );
}
