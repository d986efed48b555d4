import type { ColumnFacts } from '../column-facts.js';
import type { TableFacts } from '../table-facts.js';
import { DOERS, PERSONS } from '../verbs.js';
import { isYear } from '../year-columns.js';
import { columnAt } from './column-mentions.js';
import { likeness, relatedColumns } from './column-words.js';
import type { Line } from './line.js';
import { rowNounAt } from './nouns.js';
import { theOnly } from './only.js';
import { addIdentity } from './selection.js';
import type { Sentence } from './sentence.js';

/** The one column of those who do what a verb says: of `teaches` the lecturer. */
export function doerOf({ columns }: TableFacts, verb: string): ColumnFacts | null {
  const nouns = DOERS.get(verb) ?? [];
  const texts = columns.filter(({ role }) => role === 'category');
  for (const noun of nouns) {
    const fitting = texts.filter(({ words }) => words.some((word) => likeness(word, noun) >= 2));
    if (fitting.length > 0) return theOnly(fitting);
  }
  return theOnly(texts.filter(({ words }) => words.some((word) => isMadeOf(word, verb))));
}

/** `keeper` of keeps, `inspector` of inspected. */
function isMadeOf(noun: string, verb: string): boolean {
  const base = /^(.{3,}?)(?:er|or|ier|ist|ant)s?$/.exec(noun)?.[1];
  return (
    base !== undefined && verb.length > 3 && (verb === base || verb.startsWith(base)) && verb.length <= base.length + 3
  );
}

/** The column of persons, where a row has just one: the identity, if that is one of persons, goes before. */
export function personColumn({ columns, identity }: TableFacts): ColumnFacts | null {
  const persons = columns.filter(({ role, words }) => role === 'category' && words.some((word) => PERSONS.has(word)));
  return identity !== null && persons.includes(identity) ? identity : theOnly(persons);
}

/** `who teaches …`, `and who supplied them`: the column of those who did it. */
export function doerAt(sentence: Sentence, at: number): number | null {
  const { line, facts } = sentence;
  const who = whoAt(line, at);
  if (who === null) return null;
  const verb = line.skip(who, AUXILIARY);
  const column =
    rowNounAt(sentence, verb) === null && columnAt(line, verb) === null ? doerOf(facts, line.key(verb)) : null;
  if (column === null) return null;
  if (sentence.rows && sentence.items.length === 0) addIdentity(sentence);
  sentence.opener ??= 'who';
  sentence.addColumn(column.name);
  sentence.tail = true;
  return line.skip(verb + 1, OBJECTS);
}

/** `and when was it finished`: the moment of which the verb speaks. */
export function whenDoneAt(sentence: Sentence, at: number): number | null {
  const { line, items, facts } = sentence;
  if (items.length === 0 || !line.is(at, 'when') || !line.is(at - 1, 'and', ',')) return null;
  const verb = line.skip(at + 1, WAS);
  const moments = facts.columns.filter((column) => column.role === 'time' || isYear(column));
  const column = theOnly(relatedColumns(line.key(verb), moments));
  if (column === null) return null;
  sentence.addColumn(column.name);
  return verb + 1;
}

const WAS = new Set(['was', 'were', 'did', 'is', 'it', 'they', 'he', 'she', 'has', 'been']);
const AUXILIARY = new Set(['has', 'have', 'had', 'is', 'was', 'did', 'does']);
const OBJECTS = new Set(['it', 'them', 'this', 'that', 'these']);

function whoAt(line: Line, at: number): number | null {
  const isFresh = at === 0 || line.is(at - 1, 'and', ',', 'me');
  return isFresh && line.is(at, 'who') ? at + 1 : null;
}

/** Whether the values of a column come again, so that they are groups of rows. */
export function comesAgain(sentence: Sentence, column: ColumnFacts): boolean {
  const { distinct, nulls } = column.profile;
  return column.role === 'category' && !column.identifies && distinct < sentence.facts.profile.rowCount - nulls;
}

/** The one column that is asked for, where its values are groups of rows; of `who` the persons. */
export function askedGroup(sentence: Sentence): ColumnFacts | null {
  const { columns, measures, rows } = sentence;
  if (rows || columns.length + measures.length > 1) return null;
  const column = askedColumn(sentence);
  return column !== null && comesAgain(sentence, column) ? column : null;
}

function askedColumn(sentence: Sentence): ColumnFacts | null {
  const { columns, measures, opener, facts } = sentence;
  const name = columns[0] ?? countedColumn(sentence);
  if (name !== null) return sentence.columnNamed(name) ?? null;
  return opener === 'who' && measures.length === 0 ? personColumn(facts) : null;
}

/** `how many different countries`: the column whose values are counted. */
function countedColumn({ measures: [measure] }: Sentence): string | null {
  return measure?.aggregate === 'count_distinct' ? measure.column : null;
}
