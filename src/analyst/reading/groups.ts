import type { TimePart } from '../../ports/analysis-plan.js';
import type { DimensionDraft } from './draft.js';
import type { ColumnMention } from './mentions.types.js';
import type { PeriodUnit } from './periods.js';
import { bestByKey, type Features, type Part, type Question, type Use } from './question.js';
import type { ColumnFacts } from './table.js';
import { STEP_WORDS } from './times.js';
import { feature } from './weights.js';
import { groupedBy } from './words.js';
import { DAY_MS } from '../../shared/durations.js';

/** What figures are grouped by. */
export interface GroupList extends Part {
  readonly dimensions: readonly DimensionDraft[];
  readonly key: string;
  /** By steps of time, or by each moment: a series. */
  readonly isTimed: boolean;
}

const MOST_GROUPS = 12;

/** The likeliest groups, best first. */
export function groupLists(question: Question): readonly GroupList[] {
  const singles = [
    ...columnGroups(question),
    ...stepGroups(question),
    ...partGroups(question),
    ...valueGroups(question),
  ]
    .sort((a, b) => b.score - a.score)
    .slice(0, 9);
  const pairs = singles.flatMap((one, index) =>
    singles.slice(index + 1, 6).flatMap((other) => pairOf(question, one, other)),
  );
  const step = question.has('change') ? comparedStep(question) : null;
  const all = [...singles, ...pairs].map((list) => (step === null || list.isTimed ? list : inSteps(list, step)));
  return [...bestByKey(all.filter((list) => !takesValues(list))), ...bestByKey(all.filter(takesValues))]
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_GROUPS);
}

/** `Revenue by region, this month against last` is told for each of both. */
function inSteps(list: GroupList, step: DimensionDraft): GroupList {
  const dimensions = [...list.dimensions, step];
  return { ...list, dimensions, key: JSON.stringify(dimensions), isTimed: true };
}

/** Named values are no conditions, but examples of the groups. */
function takesValues({ uses }: GroupList): boolean {
  return uses.some(({ mention }) => mention.kind === 'value');
}

function groupOf(
  question: Question,
  dimension: DimensionDraft,
  features: Features,
  uses: readonly Use[],
  isTimed = dimension.kind === 'bucket',
): GroupList {
  return { ...question.part(features, uses), dimensions: [dimension], key: JSON.stringify(dimension), isTimed };
}

function pairOf(question: Question, one: GroupList, other: GroupList): readonly GroupList[] {
  if (!canBePaired(one, other)) return [];
  const isTimed = one.isTimed || other.isTimed;
  // Steps of time come last, so that a series stays together.
  const ordered = one.isTimed ? [other, one] : [one, other];
  const features = [
    ...one.features,
    ...other.features,
    feature('groups|2'),
    feature(`groups|between|${signsBetween(question, one, other)}`),
    feature(`groups|2|${isTimed}`),
    ...question.tag('groups2'),
  ];
  return [
    {
      ...question.part(features, [...one.uses, ...other.uses]),
      dimensions: ordered.flatMap(({ dimensions }) => dimensions),
      key: ordered.map(({ key }) => key).join(),
      isTimed,
    },
  ];
}

/** Two groups differ in column or kind, are not both steps of time, and are not read from the same words. */
function canBePaired(one: GroupList, other: GroupList): boolean {
  const columns = [...one.dimensions, ...other.dimensions].map(({ column, kind }) => `${kind}${column}`);
  if (new Set(columns).size < 2 || (one.isTimed && other.isTimed)) return false;
  const [a, b] = [one.uses[0]?.mention, other.uses[0]?.mention];
  return a === undefined || a !== b;
}

function signsBetween(question: Question, one: GroupList, other: GroupList): string {
  const [a, b] = [one.uses[0]?.mention, other.uses[0]?.mention];
  if (a === undefined || b === undefined) return 'unsaid';
  return a.from < b.from ? question.between(a, b) : question.between(b, a);
}

function columnGroups(question: Question): readonly GroupList[] {
  const said = question.usable
    .filter(({ isDegree }) => !isDegree)
    .flatMap((mention) =>
      mention.guesses
        .slice(0, 7)
        .map(({ column }) =>
          groupOf(
            question,
            { kind: 'column', column: column.name },
            [
              ...question.role('grp', mention, column),
              feature(`grp|distinct|${distinctBin(question, column)}`),
              ...whoFeatures(question, column),
            ],
            [{ mention, role: 'group' }],
          ),
        ),
    );
  const { identity, meta, columns } = question.facts;
  const people = question.words.has('who') ? columns.filter(namesPeople).slice(0, MOST_PEOPLE) : [];
  const unsaid = [...new Set([identity, meta, ...people])].flatMap((column) => {
    if (column === null) return [];
    const features = [
      ...question.role('grp', null, column),
      ...nounFeatures(question, column),
      ...whoFeatures(question, column),
    ];
    return [groupOf(question, { kind: 'column', column: column.name }, features, [])];
  });
  return [...said, ...unsaid];
}

const MOST_PEOPLE = 4;
/** Two names or more: `Anna Lechner`, `P. Dimitrov`, `Lechner, Anna`. */
const PERSON = /^\p{Lu}[\p{L}'’.-]*(?:,? \p{Lu}[\p{L}'’.-]*){1,3}$/u;
const MOST_NAMES = 50;

function namesPeople({ profile: { type, topValues } }: ColumnFacts): boolean {
  const values = topValues.slice(0, MOST_NAMES);
  return type === 'text' && values.filter(({ value }) => PERSON.test(value)).length > 0.8 * values.length;
}

/** `who` asks for people. */
function whoFeatures({ words }: Question, column: ColumnFacts): Features {
  if (!words.has('who')) return [];
  const name = `grp|who|${namesPeople(column)}`;
  return [feature(name), feature(`${name}|${column.kind}`), feature(`grp|who|c|${column.concept}`)];
}

/** `by pump` in a table of pumps means the column that names them. */
function nounFeatures({ linked: { tokens }, facts }: Question, column: ColumnFacts): Features {
  const at = tokens.findIndex(
    ({ stem }, place) => facts.nouns.has(stem) && BEFORE_GROUP.test(tokens[place - 1]?.word ?? ''),
  );
  const part = column === facts.meta ? 'meta' : 'identity';
  return at < 0
    ? []
    : [feature('grp|noun'), feature(`grp|noun|${part}`), feature(`grp|noun|${part}|${tokens[at - 1]?.word}`)];
}

const BEFORE_GROUP = /^(?:by|per|each|every|which)$/;

/** How many different values a column has, and whether they come again. */
export function distinctBin(question: Question, { profile, kind }: ColumnFacts): string {
  const share = profile.distinct / Math.max(1, question.facts.profile.rowCount);
  return `${kind}|${profile.distinct < 2 ? 1 : profile.distinct < 13 ? 12 : profile.distinct < 50 ? 50 : 99}|${share > 0.8 ? 'unique' : 'repeated'}`;
}

/** Several values of one column are drawn apart: PUMP-01 and PUMP-02. */
function valueGroups(question: Question): readonly GroupList[] {
  const byColumn = groupedBy(question.linked.values, ({ guesses }) => guesses[0]?.column);
  return [...byColumn].flatMap(([index, values]) => {
    const column = index === undefined ? undefined : question.facts.columns[index];
    if (column === undefined || values.length < 2) return [];
    const features = [
      feature('grp|values'),
      feature(`grp|values|${Math.min(4, values.length)}`),
      feature(`grp|values|compare|${question.has('change')}`),
      feature(`grp|values|or|${question.has('or')}`),
      ...question.tag('grpvalues'),
    ];
    const dimension = { kind: 'column', column: column.name } as const;
    const all = values.map((mention) => ({ mention, role: 'group' }) as const);
    return [
      groupOf(question, dimension, features, []),
      // `how many held, cancelled etc`: all of them, of which some are named.
      groupOf(question, dimension, [...features, feature('grp|allvalues'), ...question.tag('grpallvalues')], all),
    ];
  });
}

function times(question: Question): readonly ColumnFacts[] {
  const main = question.facts.time;
  const said = question.sure
    .flatMap(({ guesses }) => guesses.slice(0, 2).map(({ column }) => column))
    .filter(({ kind }) => kind === 'time');
  return [...new Set([...(main === null ? [] : [main]), ...said])];
}

function spanBin({ profile: { min, max } }: ColumnFacts): string {
  if (typeof min !== 'string' || typeof max !== 'string') return 'none';
  const days = (Date.parse(max) - Date.parse(min)) / DAY_MS;
  return days < 3 ? 'days' : days < 45 ? 'month' : days < 130 ? 'quarter' : days < 500 ? 'year' : 'years';
}

/** Calendar steps: said, or left open by `over time`. */
function stepGroups(question: Question): readonly GroupList[] {
  const said = saidSteps(question);
  return times(question).flatMap((column) => {
    const mention = question.sure.find(({ guesses }) => guesses.slice(0, 2).some((guess) => guess.column === column));
    const base = [
      feature(`step|main|${question.facts.time === column}`),
      feature(`step|said|${mention !== undefined}`),
    ];
    const time: TimeColumn = { column, mention, base };
    return [
      ...said.map((step) => saidStep(question, time, step)),
      ...comparedSteps(question, time),
      ...openBuckets(question, time).map((bucket) => openStep(question, time, bucket, said.length > 0)),
      ...moments(question, time),
    ];
  });
}

interface Step {
  readonly bucket: PeriodUnit;
  readonly word: string;
  readonly at: number;
}

/** A column of times, the mention of it, and features that all its steps have. */
interface TimeColumn {
  readonly column: ColumnFacts;
  readonly mention: ColumnMention | undefined;
  readonly base: Features;
}

function saidSteps(question: Question): readonly Step[] {
  return question.linked.tokens.flatMap(({ word }, at) => {
    const bucket = STEP_WORDS.get(word);
    return bucket === undefined ? [] : [{ bucket, word, at }];
  });
}

function saidStep(question: Question, { column, mention, base }: TimeColumn, { bucket, word, at }: Step): GroupList {
  const around = question.around(at, at + 1);
  const inside = mention !== undefined && mention.from <= at && at < mention.to;
  const features = [
    ...base,
    feature(`step|${bucket}|${word}`),
    feature(`step|word|${word}`),
    feature(`step|b1|${around.before}`),
    feature(`step|b2|${around.before2}`),
    feature(`step|a1|${around.after}`),
    feature(`step|inside|${inside}`),
    ...question.tag('step'),
  ];
  return groupOf(question, { kind: 'bucket', column: column.name, bucket }, features, groupUses(mention));
}

function groupUses(mention: ColumnMention | undefined): readonly Use[] {
  return mention === undefined ? [] : [{ mention, role: 'group' }];
}

function comparedSteps(question: Question, { column, base }: TimeColumn): readonly GroupList[] {
  const step = comparedStep(question);
  if (step === null || column !== question.facts.time) return [];
  const features = [
    ...base,
    feature('step|compared'),
    feature(`step|compared|${question.has('change')}`),
    ...question.tag('compared'),
  ];
  return [groupOf(question, step, features, [])];
}

/** Steps that no word names. */
function openBuckets(question: Question, { column, mention }: TimeColumn): readonly PeriodUnit[] {
  if (column === question.facts.time && isOpenInTime(question)) return ['hour', 'day', 'week', 'month', 'year'];
  return mention === undefined ? [] : ['day', 'month'];
}

function isOpenInTime(question: Question): boolean {
  const isSaid = (['trend', 'growth', 'cumulative', 'moving', 'chart'] as const).some((words) => question.has(words));
  return isSaid || question.words.has('when') || question.linked.tokens.length < 7;
}

function openStep(
  question: Question,
  { column, mention, base }: TimeColumn,
  bucket: PeriodUnit,
  hasSteps: boolean,
): GroupList {
  const features = [
    ...base,
    feature(`open|${bucket}`),
    feature(`open|${bucket}|${spanBin(column)}`),
    feature(`open|trend|${question.has('trend')}`),
    feature(`open|words|${hasSteps}`),
    ...question.tag('open'),
  ];
  return groupOf(question, { kind: 'bucket', column: column.name, bucket }, features, groupUses(mention));
}

/** Each time that was noted, where no step is said: the readings of a sensor. */
function moments(question: Question, { column, mention, base }: TimeColumn): readonly GroupList[] {
  if (column !== question.facts.time || !isOpenInTime(question)) return [];
  const features = [
    ...base,
    feature('moment'),
    feature(`moment|${spanBin(column)}`),
    feature(`moment|${distinctBin(question, column)}`),
    feature(`moment|trend|${question.has('trend')}|${question.has('chart')}`),
    feature(`moment|values|${Math.min(2, question.linked.values.length)}`),
    ...question.tag('moment'),
  ];
  return [groupOf(question, { kind: 'column', column: column.name }, features, groupUses(mention), true)];
}

/** Periods that are named beside each other, such as May and June, are set against each other. */
function comparedStep({ linked, facts }: Question): DimensionDraft | null {
  const periods = linked.times.filter(({ how }) => how !== 'span').map(({ periods: [first] }) => first?.unit);
  const [bucket, second] = periods;
  if (bucket === undefined || bucket !== second || facts.time === null) return null;
  return { kind: 'bucket', column: facts.time.name, bucket };
}

const PARTS: readonly [RegExp, TimePart][] = [
  [/^(?:weekdays?|dow|wochentag|weekday)$|^days?$/, 'weekday'],
  [/^hours?$|^stunde$|^clock$|^time$/, 'hour'],
  [/^months?$|^season(?:al|ality)?$|^monat$/, 'month'],
];

/** Parts of times that come again: weekdays, hours of the day, months of the year. */
function partGroups(question: Question): readonly GroupList[] {
  return times(question).flatMap((column) =>
    question.linked.tokens.flatMap(({ word }, at) =>
      PARTS.flatMap(([pattern, part]) => {
        if (!pattern.test(word)) return [];
        const around = question.around(at, at + 1);
        const features = [
          feature(`part|${part}`),
          feature(`part|${part}|${word}`),
          feature(`part|${part}|${word}|${around.after2}`),
          feature(`part|${part}|${word}|${around.before}`),
          feature(`part|${part}|${word}|${around.before2}`),
          feature(`part|main|${question.facts.time === column}`),
          feature(`part|${part}|${spanBin(column)}`),
        ];
        return [groupOf(question, { kind: 'part', column: column.name, part }, features, [])];
      }),
    ),
  );
}
