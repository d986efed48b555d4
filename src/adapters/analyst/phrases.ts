import type { Aggregate, TimeBucket, TimePart } from '../../ports/analysis-plan.js';
import { rewrite, type Meaning, type Operator, type Piece } from './pieces.js';

/** What fixed phrases mean, by the phrase in lower case. */
export type PhraseBook = ReadonlyMap<string, Meaning>;

type Entry = readonly [phrases: string, meaning: Meaning];

/** Phrases are separated by `|`. */
function bookOf(entries: readonly Entry[]): PhraseBook {
  return new Map(
    entries.flatMap(([phrases, meaning]) => phrases.split('|').map((phrase) => [phrase.trim(), meaning] as const)),
  );
}

/** What is wanted: a count, a list, a comparison, a development. */
export const INTENTS = bookOf([
  [
    'how many|how often|how many times|number of|the number of|total number of|count|count of|counts|headcount|head count',
    { kind: 'count' },
  ],
  ['breakdown|breakdown of', { kind: 'rows' }],
  ['how much', { kind: 'amount' }],
  ['which|what|whats', { kind: 'asker', asks: 'which' }],
  ['when|at what time|what time|on which date|on what date|what date', { kind: 'asker', asks: 'when' }],
  ['who|whose', { kind: 'asker', asks: 'who' }],
  ['list|show|show me|display|find|see|enumerate', { kind: 'list' }],
  ['plot|chart|graph|draw|visualize|visualise|diagram', { kind: 'trend', drawn: true }],
  [
    'over time|trend|trends|trend of|development|development of|evolution|evolution of|timeline|time series|develop|' +
      'developed|evolve|evolved|changed over time|change over time',
    { kind: 'trend', drawn: false },
  ],
  ['distinct|unique|different|various', { kind: 'distinct' }],
  [
    'compare|compared|compared to|compared with|comparison|comparing|versus|vs|difference between|' +
      'differences between|difference|compare to|differ between|differs between|vary between|varies between',
    { kind: 'compare' },
  ],
  ['and|as well as|plus|&', { kind: 'join', or: false }],
  ['or', { kind: 'join', or: true }],
  [
    'most common|most frequent|most often|most frequently|commonest|most popular',
    { kind: 'frequent', direction: 'desc' },
  ],
  ['least common|least frequent|least often|rarest|least popular', { kind: 'frequent', direction: 'asc' }],
]);

/** Comparisons, negations and tests for missing values. */
export const OPERATORS = bookOf([
  ...operator(
    '>',
    'over|above|more than|greater than|higher than|bigger than|larger than|exceeds|exceed|exceeding|exceeded|beyond|' +
      '>',
  ),
  ...operator(
    '>=',
    'at least|no less than|not less than|not below|not under|minimum of|a minimum of|>=|greater than or equal to',
  ),
  ...operator('<', 'under|below|less than|fewer than|lower than|smaller than|<'),
  ...operator(
    '<=',
    'at most|no more than|not more than|not above|not over|up to|maximum of|a maximum of|<=|less than or equal to',
  ),
  ...operator('=', 'exactly|equal to|equals|equal|='),
  ...operator('!=', '!=|not equal to'),
  ...operator('between', 'between|ranging from|in the range of'),
  [
    'not|no|non|except|except for|excluding|exclude|without|other than|but not|apart from|isnt|wasnt|arent|werent|dont|' +
      'didnt|doesnt|hasnt|havent|never',
    { kind: 'negation' },
  ],
  [
    'missing|null|empty|blank|unset|not set|not available|not known|without a value|nulls',
    { kind: 'empty', negated: false },
  ],
  [
    'not missing|not null|non null|not empty|not blank|present|known|recorded values of',
    { kind: 'empty', negated: true },
  ],
]);

function operator(sign: Operator, phrases: string): readonly Entry[] {
  return [[phrases, { kind: 'operator', operator: sign, hints: null }]];
}

export const AGGREGATE_PHRASES = bookOf([
  ...aggregate('avg', 'average|averages|average of|averaged|avg|mean|on average|typical|typically'),
  ...aggregate('sum', 'total|totals|total of|sum|sum of|in total|altogether|combined|total amount of'),
  ...aggregate('min', 'minimum|min|minimal'),
  ...aggregate('max', 'maximum|max|maximal'),
  ...aggregate('median', 'median|medians'),
  ...aggregate('stddev', 'standard deviation|std|stdev|stddev|std dev|standard deviations'),
]);

function aggregate(name: Aggregate, phrases: string): readonly Entry[] {
  return [[phrases, { kind: 'aggregate', aggregate: name }]];
}

/** By what figures are grouped, and the words for time that group by themselves. */
export const GROUPINGS = bookOf([
  [
    'by|per|for each|for every|each|every|in each|in every|by each|within each|grouped by|group by|broken down by|' +
      'split by|breakdown by|depending on|ranked by|on each|at each|of each|across',
    { kind: 'group' },
  ],
  ...bucket('hour', 'hour|hours', 'hourly|hour by hour'),
  ...bucket('day', 'day|days|date|dates', 'daily|day by day'),
  ...bucket('week', 'week|weeks', 'weekly|week by week'),
  ...bucket('month', 'month|months', 'monthly|month by month'),
  ...bucket('quarter', 'quarter|quarters', 'quarterly|quarter by quarter'),
  ...bucket('year', 'year|years', 'yearly|annual|annually|year by year'),
  ...part('weekday', 'weekday|day of the week|day of week|days of the week|weekdays'),
  ...part('hour', 'hour of the day|hour of day|hours of the day|time of day|time of the day'),
  ...part('month', 'month of the year|month of year|months of the year|calendar month|calendar months'),
]);

function bucket(name: TimeBucket, nouns: string, adverbs: string): readonly Entry[] {
  return [
    [nouns, { kind: 'bucket', bucket: name, noun: true }],
    [adverbs, { kind: 'bucket', bucket: name, noun: false }],
  ];
}

function part(name: TimePart, phrases: string): readonly Entry[] {
  return [[phrases, { kind: 'part', part: name }]];
}

const LONGEST_PHRASE = 5;

/** Replaces the phrases that stand in the book. */
export function readPhrases(pieces: readonly Piece[], book: PhraseBook): readonly Piece[] {
  return rewrite(pieces, LONGEST_PHRASE, ({ keys }) => book.get(keys.join(' ')) ?? null);
}

export const PHRASE_BOOKS: readonly PhraseBook[] = [INTENTS, OPERATORS, AGGREGATE_PHRASES, GROUPINGS];

/** Every word of every phrase, for telling typing errors from unknown words. */
export const PHRASE_WORDS: readonly string[] = PHRASE_BOOKS.flatMap((book) =>
  [...book.keys()].flatMap((phrase) => phrase.split(' ')),
);
