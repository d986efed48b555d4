import { feature, WEIGHT_COUNT } from '../../src/analyst/reading/weights.js';

/** Weights by the names of their features. */
type Prior = Readonly<Record<string, number>>;

/** Weights to begin with: what anybody would expect before a question was seen. Learning moves them. */
export function priorWeights(): Float32Array {
  const weights = new Float32Array(WEIGHT_COUNT);
  const priors = [
    ...ROLES.map(ofRole),
    ...openPriors(),
    ...cuePriors(),
    ...comparisonPriors(),
    ...timePriors(),
    ...wordPriors(),
    ...DIRECTIONS.map(ofDirection),
    SINGLE,
    ...DOUBLES.map((pair) => ({ [`double|${pair}`]: -1.2 })),
  ];
  for (const [name, weight] of priors.flatMap((prior) => Object.entries(prior))) weights[feature(name)] = weight;
  return weights;
}

const ROLES = ['sel', 'grp', 'ord', 'whr', 'fig', 'cnt', 'pair1', 'pair2', 'stat', 'statby'];

/** How well a column's name is met, for each role that a column can have. */
function ofRole(role: string): Prior {
  return {
    [`${role}|share|9`]: 1,
    [`${role}|share|8`]: 0.7,
    [`${role}|share|6`]: 0.3,
    [`${role}|share|4`]: -0.3,
    [`${role}|share|2`]: -1,
    [`${role}|rank|0`]: 0.4,
    [`${role}|rank|1`]: -0.4,
    [`${role}|rank|2`]: -0.9,
    [`${role}|rank|3`]: -1.3,
    [`${role}|unsaid`]: -1,
  };
}

/** What a reading leaves open. */
function openPriors(): readonly Prior[] {
  return [
    ...['value', 'number', 'time'].map((kind) => ({ [`open|${kind}`]: -2.5 })),
    ...[1, 2, 3, 4, 5].map((share) => ({ [`open|${share}|`]: -0.3 * share, [`open|${share}|n`]: -0.1 })),
    { 'opencount|1': -0.8, 'opencount|2': -1.6, 'opencount|3': -2.4, 'open|number|true': 1 },
  ];
}

/** Words that call for a step: the weight where it is taken, and where it is taken without them. */
const CUES = {
  each: [1, -1],
  distinct: [0.4, -0.2],
  order: [1.2, -0.8],
  neg: [1, -1],
  or: [0.7, -0.7],
  between: [0.6, -0.3],
  like: [0.3, -0.3],
  gt: [0.7, -0.8],
  lt: [0.7, -0.8],
  null: [0.5, -0.5],
  avg: [1.2, -1.5],
  sum: [0.8, -0.8],
  count: [1, -1],
  max: [0.6, -0.8],
  min: [0.6, -0.8],
  median: [1.5, -2],
  stddev: [1.5, -2],
  variance: [1.5, -2],
  percentile: [2, -2],
  range: [1, -1],
  correlation: [1.5, -2],
  regression: [1.5, -2],
  test: [1, -1],
  outlier: [1.5, -2],
  share: [1.2, -1.2],
  change: [0.5, -0.5],
  growth: [1.2, -1.2],
  cumulative: [1.5, -1.5],
  moving: [1.5, -1.5],
  trend: [0.8, -0.6],
  hi: [0.7, -0.8],
  lo: [0.7, -0.8],
  duration: [0.6, -0.2],
} as const;

function cuePriors(): readonly Prior[] {
  return Object.entries(CUES).map(([name, [on, off]]) => ({
    [`cue|${name}|true`]: on,
    [`cue|${name}|false`]: off,
    [`nocue|${name}`]: -1.2,
  }));
}

/** The operator that fits each class of words. */
const FITTING = { gt: '>', lt: '<', ge: '>=', le: '<=', ne: '!=', none: '=', between: 'between' };

function comparisonPriors(): readonly Prior[] {
  return [
    ...Object.entries(FITTING).flatMap(([cls, sign]) =>
      Object.values(FITTING).map((op) => ({ [`opc|${op}|${cls}`]: op === sign ? 1.5 : -1.5 })),
    ),
    ...Object.keys(FITTING).map((cls) => ({ [`opc|tin|${cls}`]: cls === 'none' ? 1 : 0 })),
    {
      'opc|tsince|ge': 1,
      'opc|tsince|gt': 1.5,
      'opc|tafter|gt': 1,
      'opc|tbefore|lt': 1.5,
      'opc|tuntil|le': 1.5,
      'opc|tnot|ne': 1,
      'time|span|in': 1,
      'time|main|true': 0.7,
    },
  ];
}

/** Which of the readings of a time is meant. */
function timePriors(): readonly Prior[] {
  return ['date', 'month', 'relative', 'bare', 'span', 'year', 'quarter'].flatMap((how) =>
    [0.5, -0.5, -1].map((weight, rank) => ({
      [`time|${how}|rank|${rank}`]: weight,
      [`time|${how}|rank|${rank}|outside`]: -1,
    })),
  );
}

/** How a value of a column is met. */
const VALUES = { exact: 1, stem: 0.8, group: 0.6, part: 0.2, near: 0.3, partlike: 0.1 };

function wordPriors(): readonly Prior[] {
  return [
    ...Object.entries(VALUES).map(([how, weight]) => ({ [`val|${how}|1`]: weight })),
    ...['each', 'per', 'by', 'every'].map((word) => ({ [`grp|b1|${word}`]: 1.5, [`step|b1|${word}`]: 1 })),
  ];
}

const DIRECTIONS = ['desc', 'asc'] as const;

/** Words for the high end want the highest first, words for the low end the lowest. */
function ofDirection(direction: (typeof DIRECTIONS)[number]): Prior {
  const sign = direction === 'desc' ? 1 : -1;
  return {
    // Who is oldest was born first.
    ...Object.fromEntries(
      ['time', 'year'].flatMap((kind) => [
        [`degree|oldest|${kind}|${direction}`, -2 * sign],
        [`degree|youngest|${kind}|${direction}`, 2 * sign],
      ]),
    ),
    [`dir|${direction}|first|hi`]: 1.2 * sign,
    [`dir|${direction}|near|hi`]: 0.8 * sign,
    [`degree|desc|${direction}`]: sign,
    [`dir|${direction}|first|lo`]: -1.2 * sign,
    [`dir|${direction}|near|lo`]: -0.8 * sign,
    [`degree|asc|${direction}`]: -sign,
  };
}

const SINGLE: Prior = {
  openguess: -0.15,
  'tag|quot:ratio': -0.5,
  'tag|quot:percent': -0.3,
  'tag|quot:difference': -0.5,
  'tag|quot:percent_change': -1,
  'quot|turned|true': -0.7,
  'quot|turned|false': 0.3,
  'quot|ratio|sum': 0.3,
  'silent|sum': -1.5,
  'silent|avg': -2,
  'silent|max': -2,
  'silent|min': -2,
  'figu|max': -1.5,
  'figu|min': -1.7,
  all: -1,
  count: -0.3,
  'groups|2': -1,
  'kind|summary': -1,
  'tag|kind:summary': -1.5,
  'tag|kind:rankeach': -1,
  'tag|kind:contrast': -0.5,
  'tag|kind:havingcount': -1,
  'tag|kind:missing': -0.5,
  'tag|kind:distinct': -0.7,
  'missing|2': -1,
  'tag|kind:statistic': -0.5,
  cntsum: -0.7,
  nulltrue: -1.5,
  statefalse: -2,
  statetrue: -3,
  statetocome: -2,
  duebefore: -2,
  duefrom: -3,
  'late>': -2,
  'late<=': -2.5,
  'late<': -3,
  'nullfalse|turned|true': 1,
  'nulltrue|turned|true': -1,
  'zero=': -1.5,
  'zero>': -2.5,
  scaled: -0.3,
  'edit|shift:-1': 0.5,
  'edit|shift:1': 0.5,
  'edit|rowbehind': 0.3,
  nullfalse: -1,
  'figu|avg': -0.7,
  'same|shown|in': -0.6,
  'flag|true|false': 0.5,
  'flag|false|true': 0.5,
  'flag|true|turned|true': -1.5,
  'flag|false|turned|true': 1.5,
  'portion|last': 0.2,
  'tag|fresh': -0.2,
  'tag|kind:edit': 0.3,
  'edit|same': -1,
  'edit|addfigure': -0.7,
  'any|true': 0.3,
  'grp|noun': 1,
  'grp|noun|meta': 1,
  'merged|true': 0.5,
};

/** Two uses of the same words. */
const DOUBLES = [
  'figure|group',
  'group|shown',
  'condition|shown',
  'condition|group',
  'condition|figure',
  'condition|order',
  'order|shown',
  'count|group',
];
