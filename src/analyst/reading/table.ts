import { LRUCache } from 'lru-cache';
import type { TableBriefing } from '../../ports/chat-model.js';
import { type ColumnProfile, isNumeric, type TableProfile } from '../../ports/table.js';
import { COLUMN_WORDS, groupsOfName, partsOfCompound, SMALL } from './lexicon.js';
import { groupsOfAll, type Values, valuesOf } from './table-values.js';
import { add, fold, groupedBy, isOneTypoApart, isShortFor, keptIn, nameWords, root, stem } from './words.js';

/** What kind of thing a column holds, as the reader's features see it. */
export type ColumnKind = 'id' | 'name' | 'year' | 'flag' | 'category' | 'text' | 'time' | 'code' | 'number';

export interface ColumnWord {
  readonly word: string;
  readonly stem: string;
  readonly root: string;
  readonly groups: readonly number[];
  /** How much of the name it is: units and small words are little, the words that no other column has are most. */
  readonly weight: number;
  /** It is a part of a compound, which is a word of its own: the sum of the weights leaves it out. */
  readonly isPart: boolean;
}

/** What the analyst knows about a column before it reads a question. */
export interface ColumnFacts {
  readonly index: number;
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNumber: boolean;
  readonly words: readonly ColumnWord[];
  /** It names rows, or what they belong to: an order's number, also in each of its lines, or a person's name. It is not reckoned with. */
  readonly identifies: boolean;
  /** Its name says that it is a sum of others, such as Cost Total beside Cost Repair. */
  readonly isTotal: boolean;
  /** Its name ends as that of a key: a stop_no is no number of stops. */
  readonly isKeyed: boolean;
  /** Its cells hold several values each, such as tags. */
  readonly isList: boolean;
  /** The values that stand for yes and no, of a column that has nothing else. */
  readonly flag: { readonly yes: FlagValue; readonly no: FlagValue } | null;
  /** The first word of the first group that a word of it is in, such as `revenue` for Umsatz. */
  readonly concept: string;
  readonly profile: ColumnProfile;
}

type FlagValue = string | number | boolean;

/** A table prepared for reading questions. */
export interface TableFacts extends Values {
  readonly profile: TableProfile;
  readonly columns: readonly ColumnFacts[];
  /** Columns by their whole name, folded, with and without what stands in brackets. */
  readonly names: ReadonlyMap<string, number>;
  /** Words of the columns, each with the columns that have it. */
  readonly wordIndex: ReadonlyMap<string, readonly WordPlace[]>;
  readonly groupIndex: ReadonlyMap<number, readonly WordPlace[]>;
  readonly allWords: readonly string[];
  /** Stems of what the table and its rows are called. */
  readonly nouns: ReadonlySet<string>;
  /** The groups of these words. */
  readonly nounGroups: ReadonlySet<number>;
  readonly time: ColumnFacts | null;
  readonly meta: ColumnFacts | null;
  /** The column that says which row is meant, if there is one. */
  readonly identity: ColumnFacts | null;
}

export interface WordPlace {
  readonly column: number;
  readonly place: number;
}

/** So many characters of described tables are kept with their facts. */
const KEPT = 4_000_000;
/** Facts by the whole description of their table: each question brings its own copy of it. */
const kept = new LRUCache<string, TableFacts>({ maxSize: KEPT, sizeCalculation: (_, { length }) => length + 1 });
const ofBriefings = new WeakMap<TableBriefing, TableFacts>();

const ROW_NOUNS =
  'row record entry observation measurement reading event case incident sample line data table dataset'.split(' ');
const MAX_CONTEXT = 4000;

/** The facts of a table, which are kept for the next questions about it. */
export function factsOf(table: TableBriefing): TableFacts {
  const { name, context, profile, semantics = null } = table;
  return keptIn(ofBriefings, table, () =>
    keptIn<string, TableFacts>(kept, JSON.stringify([name, context, semantics, profile]), () => prepare(table)),
  );
}

function prepare(table: TableBriefing): TableFacts {
  const { name, context, profile } = table;
  const names = profile.columns.map(({ name: header, type }) => wordsOfName(header, isNumeric(type)));
  const counts = new Map<string, number>();
  for (const words of names)
    for (const word of new Set(words.map((one) => one.word))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const synonyms = synonymsIn(table);
  const columns = profile.columns.map((column, index) =>
    columnFacts(column, {
      index,
      words: [...(names[index] ?? [])],
      counts,
      synonyms: synonyms.get(column.name) ?? [],
      profile,
    }),
  );
  const wordIndex = new Map<string, WordPlace[]>();
  const groupIndex = new Map<number, WordPlace[]>();
  for (const { index, words } of columns) {
    for (const [place, { word, stem: stemmed, root: rooted, groups }] of words.entries()) {
      for (const key of new Set([word, stemmed, `~${rooted}`])) add(wordIndex, key, { column: index, place });
      for (const group of groups) add(groupIndex, group, { column: index, place });
    }
  }
  const ownNouns = [...nameWords(name.replace(/\.\w{2,4}$/, '')), ...rowNounIn(context), ...keyNouns(columns, profile)]
    .filter((word) => /\D/.test(word) && !SMALL.has(word))
    .flatMap((word) => [word, ...endingsOf(stem(word))]);
  return {
    profile,
    columns,
    ...valuesOf(columns),
    names: namesOf(columns),
    wordIndex,
    groupIndex,
    allWords: [...new Set(columns.flatMap(({ words }) => words.map(({ word }) => word)))].filter(
      (word) => word.length > 1,
    ),
    nouns: new Set([...ROW_NOUNS, ...ownNouns].map(stem)),
    nounGroups: groupsOfAll(ownNouns),
    time: timeOf(columns, profile),
    meta: columns.find((column) => column.name === profile.metaField) ?? null,
    identity: identityOf(columns, profile),
  };
}

const ROW_IS =
  /\b(?:each|every|one|a) (?:row|line|record|entry) (?:is|stands for|describes|represents) (?:one |an? )?([\p{L} -]{1,60}?)(?: (?:of|in|at|from|for|with|that|which|who|by|per|on|and|to|as)\b|[^\p{L} -]|$)/iu;

/** What the context says that a row is: the `ticket` of `Each row is one support ticket of a customer`. */
function rowNounIn(context: string): readonly string[] {
  return nameWords(ROW_IS.exec(context.slice(0, MAX_CONTEXT))?.[1] ?? '').slice(-1);
}

/** What the first key is of: a row with a `ticket_id` of its own is a ticket. A key is an id, or a name that always has a digit. */
function keyNouns(columns: readonly ColumnFacts[], { rowCount }: TableProfile): readonly string[] {
  const tellsApart = ({ kind, profile: { topValues } }: ColumnFacts): boolean =>
    kind === 'id' || (kind === 'name' && topValues.every(({ value }) => /\d/.test(value)));
  const key = columns.find((column) => column.profile.distinct >= rowCount * 0.9 && tellsApart(column));
  return (key?.words ?? [])
    .filter(({ word, weight, isPart }) => !isPart && weight > 0.2 && !ID_WORD.test(word))
    .map(({ word }) => word);
}

/** Words that a compound may end with: a row of `birdstrikes` is a strike. */
function endingsOf(word: string): readonly string[] {
  const count = word.length - SHORTEST_START - SHORTEST_END + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) => word.slice(SHORTEST_START + at));
}

const SHORTEST_START = 3;
const SHORTEST_END = 5;

function namesOf(columns: readonly ColumnFacts[]): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const { index, name } of columns) {
    for (const text of [name, name.replace(/[([{][^)\]}]*[)\]}]/g, ''), nameWords(name).join(' ')]) {
      const folded = fold(text).trim();
      if (folded.length > 1 && !SMALL.has(folded) && !names.has(folded)) names.set(folded, index);
    }
  }
  // Questions of a survey are called by their numbers.
  for (const [code, [column, another]] of groupedBy(columns, ({ name }) => CODE.exec(fold(name))?.[0] ?? '')) {
    if (code !== '' && column !== undefined && another === undefined && !names.has(code)) names.set(code, column.index);
  }
  return names;
}

/** `q12a: How satisfied …` begins with one. */
const CODE = /^[a-z]{1,3}\d{1,3}[a-z]?(?=[.:)\s_-])/;

/** What ends the names of numbers, such as temp_degC or flow_lpm, and is no part of what they are called. */
const UNIT_WORDS = new Set(
  `deg c f k bar mbar pa hpa kpa psi lpm mm cm m km s sec ms h hr hrs w kw mw wh kwh mwh v a hz rpm db ppm pct percent eur usd chf gbp kg g t l
  hl ml m2 m3 lux mg`.split(/\s+/),
);

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['€', 'eur'],
  ['$', 'usd'],
  ['£', 'gbp'],
]);

/** Words of a header; units, and those in brackets and after a comma, which are mostly units, are marked as beside the name. */
function wordsOfName(
  name: string,
  isNumber: boolean,
): readonly { readonly word: string; readonly isBeside: boolean }[] {
  const spelled = name.replace(/[€$£]/g, (sign) => ` ${SIGNS.get(sign) ?? ''} `);
  const beside = [...spelled.matchAll(/[([{][^)\]}]*[)\]}]?/g)].flatMap(([text]) => nameWords(text));
  const core = nameWords(spelled.replace(/[([{][^)\]}]*[)\]}]?/g, ' '));
  if (core.length === 0) return beside.map((word) => ({ word, isBeside: false }));
  const end = core.findLastIndex((word) => !isNumber || !UNIT_WORDS.has(word)) + 1;
  return [
    ...core.map((word, at) => ({ word, isBeside: end > 0 && at >= end })),
    ...beside.map((word) => ({ word, isBeside: true })),
  ];
}

/** Other names of the columns: those that were written for them, and those of the context, a line `umsatz: revenue, turnover`. */
function synonymsIn({ context, profile, semantics }: TableBriefing): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>(
    semantics?.columns.map(({ name, synonyms }) => [name, synonyms.flatMap(nameWords)]),
  );
  for (const line of context.slice(0, MAX_CONTEXT).split(/[\n;.]/)) {
    const [left = '', right = ''] = line.split(/\s*(?::|=| means | is (?:the|our) )\s*/, 2);
    const column = profile.columns.find(({ name }) => fold(name) === fold(left.trim()));
    if (column !== undefined && right !== '')
      found.set(column.name, [...(found.get(column.name) ?? []), ...nameWords(right).slice(0, 12)]);
  }
  return found;
}

/** The second word of a compound says what it is. */
const PART_WEIGHTS: readonly number[] = [0.3, 0.7];

interface NamedColumn {
  readonly index: number;
  readonly words: readonly { readonly word: string; readonly isBeside: boolean }[];
  readonly counts: ReadonlyMap<string, number>;
  readonly synonyms: readonly string[];
  readonly profile: TableProfile;
}

function columnFacts(profile: ColumnProfile, named: NamedColumn): ColumnFacts {
  const own = named.words.map(({ word, isBeside }, at) => {
    const isLast = at === named.words.length - 1;
    const isSmall =
      (SMALL.has(word) || /^\d+$/.test(word) || (isLast && KEY_WORD.test(word))) && named.words.length > 1;
    const weight = (isSmall ? 0.12 : isBeside ? 0.15 : 1) / (1 + 0.15 * ((named.counts.get(word) ?? 1) - 1));
    return columnWord(word, weight);
  });
  const parts = own.flatMap(({ word, weight }) =>
    partsOfCompound(word).map((part, at) => ({ ...columnWord(part, (PART_WEIGHTS[at] ?? 0) * weight), isPart: true })),
  );
  const joined = joinedWords(own);
  const words = [
    ...own,
    ...parts,
    ...joined,
    ...usualNames(profile, own),
    ...named.synonyms.filter((word) => !SMALL.has(word)).map((word) => columnWord(word, 0)),
  ];
  const kind = kindOf(
    profile,
    own.map(({ word }) => word),
    named.profile,
  );
  const group = [...joined, ...own, ...parts].filter(({ weight }) => weight > 0.3).flatMap(({ groups }) => groups)[0];
  return {
    index: named.index,
    name: profile.name,
    kind,
    isNumber: isNumeric(profile.type),
    words,
    identifies: kind === 'id' || kind === 'name',
    isTotal: own.some(({ word }) => TOTAL.test(word)),
    isKeyed: isNumeric(profile.type) && own.length > 1 && KEY_WORD.test(own.at(-1)?.word ?? ''),
    isList: isList(profile),
    flag: flagOf(profile),
    concept: group === undefined ? '' : (COLUMN_WORDS.lines[group]?.[0] ?? ''),
    profile,
  };
}

const TOTAL = /^(?:total|sum|summe|gesamt|totale)$/;
const AMOUNT = /^(?:net|netto|gross|brutto|betrag|amount|amt|importe|importo|montant|bedrag|valor|valore)$/;
const OF_SALES =
  /^(?:grand|orders?|invoices?|bills?|lines?|items?|cart|basket|booking|receipt|sales?|eur|usd|gbp|chf|ht|ttc)$/;
/** So much of a name says what people call it who see only an amount. */
const CALLED = 0.7;

/** What people call `Total (EUR)`, `order_total` or `Netto`: what was sold or spent, under no name that says so. */
function usualNames({ type }: ColumnProfile, own: readonly ColumnWord[]): readonly ColumnWord[] {
  const said = own.filter(({ weight }) => weight > 0.3).map(({ word }) => word);
  const isAmount = said.some((word) => AMOUNT.test(word));
  const fits = said.every((word) => TOTAL.test(word) || AMOUNT.test(word) || OF_SALES.test(word));
  if (!isNumeric(type) || !fits || !(isAmount || said.some((word) => TOTAL.test(word)))) return [];
  const weight = CALLED * own.reduce((sum, one) => sum + one.weight, 0);
  const names = isAmount ? ['revenue', 'cost', 'value'] : ['revenue', 'amount', 'value'];
  return names.map((word) => ({ ...columnWord(word, weight), isPart: true }));
}

const MOST_JOINED = 3;

/** Words of a header that stand for one thing together: the `ordertotal` of order_total_eur. */
function joinedWords(words: readonly ColumnWord[]): readonly ColumnWord[] {
  return words.flatMap((_, from) =>
    [2, MOST_JOINED].flatMap((count) => {
      const span = words.slice(from, from + count);
      const word = span.map((one) => one.word).join('');
      if (span.length < count || !COLUMN_WORDS.byWord.has(word)) return [];
      const weight = span.reduce((sum, one) => sum + one.weight, 0);
      return [{ ...columnWord(word, weight), isPart: true }];
    }),
  );
}

function columnWord(word: string, weight: number): ColumnWord {
  return { word, stem: stem(word), root: root(word), groups: groupsOfName(word), weight, isPart: false };
}

/** What ends the name of a key, which need not tell rows apart: the order's number in a list of its lines. */
const KEY_WORD = /^(?:id|nr|no|num|number|nummer)$/;
const ID_WORD = /^(id|nr|no|num|key|code|uuid|sku|ref|number|nummer|serial|kdnr|matnr|ident)$/;
const YEAR_WORD = /^(year|jahr|annee|ano|yr|season|vintage|jahrgang|baujahr|founded|built|established)$/;

/** A column whose kind is wanted. */
interface Unkinded {
  readonly column: ColumnProfile;
  readonly words: readonly string[];
  readonly rowCount: number;
  /** Nearly all of its values differ. */
  readonly differs: boolean;
}

function kindOf(column: ColumnProfile, words: readonly string[], { rowCount }: TableProfile): ColumnKind {
  const { type, distinct, nulls } = column;
  if (type === 'time') return 'time';
  if (type === 'boolean' || (distinct <= 2 && flagOf(column) !== null)) return 'flag';
  const differs = rowCount > 1 && distinct >= (rowCount - nulls) * 0.9;
  const unkinded = { column, words, rowCount, differs };
  return isNumeric(type) ? numberKind(unkinded) : textKind(unkinded);
}

function numberKind(unkinded: Unkinded): ColumnKind {
  const { type, distinct, min, max } = unkinded.column;
  if (type !== 'integer' || typeof min !== 'number' || typeof max !== 'number') return 'number';
  if (holdsYears(unkinded, min, max)) return 'year';
  if (holdsIds(unkinded, max - min) || isKey(unkinded)) return 'id';
  return distinct <= 12 && unkinded.rowCount > 24 ? 'code' : 'number';
}

function holdsYears({ column, words, differs }: Unkinded, min: number, max: number): boolean {
  if (differs || min <= 1500 || max >= 2200 || max - min >= 400) return false;
  return column.distinct < 60 || words.some((word) => YEAR_WORD.test(word));
}

function holdsIds({ words, rowCount, differs }: Unkinded, span: number): boolean {
  if (!differs) return false;
  const isNamed = ID_WORD.test(words.at(-1) ?? '') || ID_WORD.test(words[0] ?? '');
  return isNamed || (span < rowCount * 1.2 && rowCount > 20);
}

/** Larger numbers under the name of a key: they are neither added nor averaged. */
function isKey({ column: { distinct, max }, words }: Unkinded): boolean {
  const isNamed = words.length > 1 && KEY_WORD.test(words.at(-1) ?? '');
  return isNamed && distinct > 12 && typeof max === 'number' && max >= 1000;
}

function textKind({ column: { distinct }, words, rowCount, differs }: Unkinded): ColumnKind {
  if (differs) return ID_WORD.test(words.at(-1) ?? '') ? 'id' : 'name';
  if (words.some((word) => /name$|titel$|title$|^nom$|^nombre$/.test(word))) return distinct > 12 ? 'name' : 'category';
  return distinct <= Math.max(30, rowCount * 0.3) ? 'category' : 'text';
}

const LIST_SIGN = /\s*[;|,]\s*/;
const LEAST_LISTS = 0.15;

/** Whether many cells are lists of values that cells have alone, too: `late;vip` beside `late`. */
function isList({ type, topValues }: ColumnProfile): boolean {
  if (type !== 'text') return false;
  const lists = topValues.filter(({ value }) => LIST_SIGN.test(value));
  if (lists.length < topValues.length * LEAST_LISTS) return false;
  const alone = new Set(topValues.map(({ value }) => fold(value)));
  const known = lists.filter(({ value }) => value.split(LIST_SIGN).some((part) => alone.has(fold(part))));
  return known.length > lists.length / 2;
}

const YES = new Set(['y', 'yes', 'j', 'ja', 'true', 't', 'x', '1', 'oui', 'si']);
const NO = new Set(['n', 'no', 'nein', 'false', 'f', '0', 'non', '']);

function flagOf(column: ColumnProfile): ColumnFacts['flag'] {
  const { type, distinct, min, max } = column;
  if (type === 'boolean') return { yes: true, no: false };
  if (type === 'integer') return distinct === 2 && min === 0 && max === 1 ? { yes: 1, no: 0 } : null;
  return type === 'text' ? textFlagOf(column) : null;
}

const MOST_ANSWERS = 5;

/** `yes` and `no`, also beside `maybe` and `don't know`; or `x` and nothing. */
function textFlagOf({ distinct, topValues }: ColumnProfile): ColumnFacts['flag'] {
  if (distinct > MOST_ANSWERS) return null;
  const yes = topValues.find(({ value }) => YES.has(fold(value)));
  const no = topValues.find(({ value }) => NO.has(fold(value)));
  if (yes === undefined || (distinct > 1 && no === undefined)) return null;
  return { yes: yes.value, no: no?.value ?? '' };
}

/** All rows at one moment (that of their import) are rows without a time. */
function timeOf(columns: readonly ColumnFacts[], { timeRange, timeField }: TableProfile): ColumnFacts | null {
  const has = timeRange !== null && timeRange.from < timeRange.to;
  const named = columns.find(({ name, kind }) => kind === 'time' && name === timeField);
  if (has && named !== undefined) return named;
  return columns.find(({ kind, profile }) => kind === 'time' && profile.distinct > 1) ?? null;
}

/** A name says more than a number. */
function identityOf(columns: readonly ColumnFacts[], { rowCount, metaField }: TableProfile): ColumnFacts | null {
  const unique = columns.filter(
    ({ kind, profile }) => (kind === 'name' || kind === 'id') && profile.distinct >= rowCount * 0.9,
  );
  return (
    unique.find(({ kind }) => kind === 'name') ?? unique.find(({ name }) => name === metaField) ?? unique[0] ?? null
  );
}

/** How well a word of a question fits a word of a column: 0 to 1. */
export function likeness(word: string, stemmed: string, groups: readonly number[], column: ColumnWord): number {
  if (word === column.word) return 1;
  if (stemmed === column.stem) return 0.97;
  if (groups.some((group) => column.groups.includes(group))) return 0.78;
  if (SMALL.has(word)) return 0;
  if (isShortFor(word, column.word) || isShortFor(column.word, word)) return 0.66;
  return word.length < 4 || column.word.length < 3 ? 0 : partLikeness(word, stemmed, column);
}

function partLikeness(word: string, stemmed: string, column: ColumnWord): number {
  if (root(word) === column.root) return 0.85;
  if (beginsAlike(stemmed, column.stem)) return 0.72;
  return endsColumn(word, stemmed, column) || isMistyped(word, stemmed, column) ? 0.7 : 0;
}

/** Whether one of two stems begins with the other. */
function beginsAlike(stemmed: string, own: string): boolean {
  const goesOn = own.length >= 4 && stemmed.length > own.length && stemmed.startsWith(own);
  return goesOn || (stemmed.length >= 4 && own.startsWith(stemmed));
}

/** Whether a word is the last part of a compound. */
function endsColumn(word: string, stemmed: string, column: ColumnWord): boolean {
  if (stemmed.length < 4 || column.stem.length <= stemmed.length + 2) return false;
  return column.stem.endsWith(stemmed) || column.word.endsWith(word);
}

function isMistyped(word: string, stemmed: string, column: ColumnWord): boolean {
  if (word.length < 5 || column.word.length < 5) return false;
  return isOneTypoApart(word, column.word) || isOneTypoApart(stemmed, column.stem);
}
