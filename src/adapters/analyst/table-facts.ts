import type { TableBriefing } from '../../ports/chat-model.js';
import { isNumeric, type ColumnProfile, type TableProfile } from '../../ports/table.js';
import type { ColumnFacts, ColumnRole, Hint } from './column-facts.js';
import { synonymsOf } from './synonyms.js';
import { nameWords, stem, unique, wordsOf } from './text.js';
import { identityOf, withoutOthersNames } from './row-identity.js';
import { isUnitWord, namesOfUnit } from './units.js';
import { ValueIndex } from './value-index.js';
import { isYear } from './year-columns.js';

/** A table prepared for reading questions; made once for each profile. */
export interface TableFacts {
  readonly profile: TableProfile;
  readonly columns: readonly ColumnFacts[];
  readonly values: ValueIndex;
  /** Stems of what a row is called: row, record, order. */
  readonly rowNouns: ReadonlySet<string>;
  /** Other words of the table's name, which say nothing. */
  readonly nameStems: ReadonlySet<string>;
  readonly time: ColumnFacts | null;
  readonly meta: ColumnFacts | null;
  /** The column that says which row is meant, if there is one. */
  readonly identity: ColumnFacts | null;
  /** A whole number called year, where the rows have no time of their own. */
  readonly yearColumn: ColumnFacts | null;
  /** One row a day, or one a day for each value of the metadata field. */
  readonly daily: boolean;
}

const SMALL_WORDS = new Set(['of', 'in', 'the', 'a', 'an', 'and', 'for', 'is', 'has']);
const ADDITIVE =
  /^(amount|revenue|sales?|turnover|income|profit|costs?|spend(ing)?|quantity|qty|units|counts?|requests?|errors?|failures?|visits?|visitors?|hits|clicks|views|orders|passengers|precipitation|rain(fall)?|snow(fall)?|energy|kwh|volume|bytes|budget|deaths|cases|births|donations?|payments?|stock|population|pop|attendance|staff|tickets|sold|goals|points|cargo|tonnage|crashes|accidents|injuries|injured|downloads|plays|losses|fines|takings|earnings|loans|expenses|expenditure|emissions|calls|votes|enrolled|enrolment|enrollment|participants|seats|awards|medals|wins|concerts|credits|output|production|consumption|refunds|tips|guests|nights|overnights|hectares|amt|items|pieces|copies|boxes|parcels|bottles|pallets|transactions|trips|rides|registrations|subscribers|signups|deliveries|shipments|bookings|reservations|inhabitants|residents|households|streams|listens|likes|installs|donated|raised|catch|complaints|faults|defects|outages|claims|withdrawals|deposits|students|pupils|patients|employees|members|viewers|readers|spectators)$/;
const NOT_ADDITIVE =
  /^(avg|average|mean|median|max|min|rate|ratio|pct|percent|percentage|price|score|rating|index|id|temp|temperature|age|year|per|unit|salary)$/;
const GENERIC_ROWS =
  'row record entry observation measurement reading event case incident sample datapoint datum line'.split(' ');
const MAX_CONTEXT = 5000;
/** Words that a value in a table's name may have. */
const VALUE_LENGTHS = [4, 3, 2, 1];
const PERSONS = /^(employee|person|people|staff|worker|fullname)$/;

/** `each row is a bird strike` in the owner's words. */
const ROW_IS =
  /\b(?:each|every|one|a) (?:row|record|line) (?:is|means|describes|represents|stands for) (?:a|an|one) ([\p{L} -]{3,40})/iu;

interface Prepared {
  readonly name: string;
  readonly context: string;
  readonly facts: TableFacts;
}

const cache = new WeakMap<TableProfile, Prepared>();

/** The facts of a table, kept as long as its profile lives. */
export function factsOf({ name, context, profile }: TableBriefing): TableFacts {
  const known = cache.get(profile);
  if (known?.name === name && known.context === context) return known.facts;
  const facts = prepare(name, context, profile);
  cache.set(profile, { name, context, facts });
  return facts;
}

/** Of `bird ringing` the rows are birds as well. */
function isDoing(word: string | undefined): boolean {
  return word !== undefined && /.{3}ing$/.test(word);
}

function prepare(name: string, context: string, profile: TableProfile): TableFacts {
  const found = profile.columns.map((column) => columnFacts(column, profile));
  const values = new ValueIndex(profile.columns);
  const spoken = withoutValues(nameWords(name.replace(/\.\w{2,4}$/, '')), values).filter((word) => !/\d/.test(word));
  const told = wordsOf(ROW_IS.exec(context.slice(0, MAX_CONTEXT))?.[1] ?? '');
  const named = new Set([...spoken, ...told].map(stem));
  const columns = withoutOthersNames(found, profile, named);
  const identity = identityOf(columns, profile, named);
  return {
    profile,
    columns,
    values,
    rowNouns: rowNounsOf([...told.slice(-1), ...spoken.slice(isDoing(spoken.at(-1)) ? -2 : -1)], columns, identity),
    nameStems: new Set([...spoken, ...told].map(stem)),
    meta: columns.find((column) => column.name === profile.metaField) ?? null,
    identity,
    daily: isDaily(profile),
    ...timesOf(profile, columns),
  };
}

/** `Weather of Seattle and New York` must not turn those two, which are values, into words that say nothing. */
function withoutValues(words: readonly string[], values: ValueIndex): readonly string[] {
  for (const length of VALUE_LENGTHS) {
    const start = words.findIndex((_, index) => values.named(words.slice(index, index + length)).size > 0);
    if (start >= 0) return withoutValues([...words.slice(0, start), ...words.slice(start + length)], values);
  }
  return words;
}

/** All rows at one moment (that of their import) are rows without a time. */
function timesOf(profile: TableProfile, columns: readonly ColumnFacts[]): Pick<TableFacts, 'time' | 'yearColumn'> {
  const hasTime = profile.timeRange !== null && profile.timeRange.from < profile.timeRange.to;
  const time = columns.find(({ name, role }) => role === 'time' && name === profile.timeField);
  const years = columns.filter(isYear);
  const year = years.find(({ words }) => words.join() === 'year') ?? (years.length === 1 ? years[0] : undefined);
  return { time: hasTime ? (time ?? null) : null, yearColumn: hasTime ? null : (year ?? null) };
}

function columnFacts(profile: ColumnProfile, table: TableProfile): ColumnFacts {
  const spoken = nameWords(profile.name);
  const { words, unit } = withoutUnit(spoken);
  const role = roleOf(profile);
  const identifies = isIdentity(profile, spoken, table.rowCount);
  return {
    name: profile.name,
    role,
    words,
    stems: words.map(stem),
    phrase: spoken.map(stem).join(' '),
    joined: spoken.length > 1 ? spoken.join('') : null,
    extras: new Set(
      [...(unit === null ? [] : [unit, ...namesOfUnit(unit)]), ...(role === 'time' ? MOMENTS : [])].map(stem),
    ),
    unit,
    additive: role === 'figure' && !identifies && isAdditive(spoken),
    identifies,
    profile,
  };
}

/** `the return date` of a column called returned on. */
const MOMENTS = ['date', 'time', 'day', 'timestamp', 'moment'];

function withoutUnit(spoken: readonly string[]): { readonly words: readonly string[]; readonly unit: string | null } {
  const last = spoken.at(-1) ?? '';
  const unit = spoken.length > 1 && (isUnitWord(last) || isMinutes(spoken)) ? last : null;
  const core = (unit === null ? spoken : spoken.slice(0, -1)).filter((word) => !SMALL_WORDS.has(word));
  return { words: core.length === 0 ? spoken : core, unit };
}

/** `delay_min` is measured in minutes, `temp_min` is the lowest one. */
function isMinutes(spoken: readonly string[]): boolean {
  return spoken.at(-1) === 'min' && spoken.some((word) => DURATION.test(word));
}

const DURATION = /^(delay|duration|length|time|wait|waiting|runtime|travel|late|elapsed|stay|minutes|response)$/;

function roleOf({ type }: ColumnProfile): ColumnRole {
  if (type === 'time' || type === 'boolean') return type;
  return isNumeric(type) ? 'figure' : 'category';
}

function isAdditive(words: readonly string[]): boolean {
  return words.some((word) => ADDITIVE.test(word)) && !words.some((word) => NOT_ADDITIVE.test(word));
}

function isIdentity(profile: ColumnProfile, words: readonly string[], rowCount: number): boolean {
  const last = words.at(-1);
  if (isRunningNumber(profile, rowCount)) return true;
  if (!/^(id|name|title|ttl|number|no|nr|nm|code|sku|key)$/.test(last ?? '')) return false;
  return rowCount > 1 && profile.distinct >= rowCount * 0.7 && profile.type !== 'time';
}

/** Whole numbers of which each row has its own, without wide gaps. */
function isRunningNumber({ type, distinct, min, max }: ColumnProfile, rowCount: number): boolean {
  const isOwn = type === 'integer' && rowCount > 20 && distinct === rowCount;
  return isOwn && typeof min === 'number' && typeof max === 'number' && max - min < rowCount * 1.2;
}

/** Parts of headers that name no rows. */
const NAMELESS = new Set([
  'id',
  'name',
  'nam',
  'nm',
  'number',
  'full',
  'fullname',
  'titl',
  'title',
  'ttl',
  'cod',
  'code',
  'sku',
  'key',
  'no',
  'nr',
]);

/** `models` of a column called aircraft model: its last word, where it is not made to name rows. */
function identityNouns(identity: ColumnFacts | null): readonly string[] {
  if (identity === null) return [];
  return identity.identifies ? identity.stems : identity.stems.slice(-1);
}

function rowNounsOf(
  nouns: readonly string[],
  columns: readonly ColumnFacts[],
  identity: ColumnFacts | null,
): ReadonlySet<string> {
  const told = new Set(
    columns
      .filter(({ identifies, stems, role }) => !identifies && role !== 'time' && stems.length === 1)
      .flatMap(({ stems }) => stems.flatMap((one) => synonymsOf(one))),
  );
  const ids = columns.filter(({ identifies, role }) => identifies && role === 'figure');
  const keys = [...ids.flatMap(({ stems }) => stems), ...identityNouns(identity)];
  const own = [...nouns.map(stem), ...keys]
    .filter((word) => !NAMELESS.has(word))
    .filter((word) => !told.has(word))
    .flatMap((word) => synonymsOf(word));
  const persons = own.some((word) => PERSONS.test(word)) ? synonymsOf('person') : [];
  return new Set([...GENERIC_ROWS.map(stem), ...own, ...persons].filter((word) => !told.has(word)));
}

function isDaily({ columns, timeField, metaField, timeRange, rowCount }: TableProfile): boolean {
  const time = columns.find(({ name }) => name === timeField);
  if (time === undefined || timeRange === null || !String(time.min).includes('T00:00:00')) return false;
  const days = (Date.parse(timeRange.to) - Date.parse(timeRange.from)) / 86_400_000 + 1;
  const assets = columns.find(({ name }) => name === metaField)?.distinct ?? 1;
  const full = time.distinct * Math.max(assets, 1);
  return time.distinct > 1 && time.distinct <= days && isBetween(rowCount, full * FULL, full);
}

function isBetween(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}

/** Days may be missing here and there; orders that happen to be few a day are not daily rows. */
const FULL = 0.8;

/** Columns of which one of the hints speaks: those called so, else those called by a synonym; the first hint that finds any. */
export function columnsHinted(
  facts: TableFacts,
  hints: readonly Hint[],
): { columns: readonly ColumnFacts[]; hint: Hint } | null {
  const figures = facts.columns.filter(({ role }) => role === 'figure');
  for (const hint of hints) {
    const wanted = unique([hint.word, ...synonymsOf(hint.word)]);
    const columns = figures.filter(({ stems }) => stems.some((one) => wanted.includes(one)));
    if (columns.length > 0) return { columns, hint };
  }
  return null;
}

/** Of several columns the one that an extreme means: the highest temperature is a matter of temp_max. */
export function extremeOf(columns: readonly ColumnFacts[], direction: 'asc' | 'desc'): ColumnFacts | null {
  if (columns.length < 2) return columns[0] ?? null;
  const words = direction === 'desc' ? ['max', 'maximum', 'high'] : ['min', 'minimum', 'low'];
  const fitting = columns.filter((column) => column.words.some((word) => words.includes(word)));
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}
