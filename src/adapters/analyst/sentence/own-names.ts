import type { Aggregate } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { TableFacts } from '../table-facts.js';
import { stem } from '../text.js';
import { isYear } from '../year-columns.js';
import { likeness } from './column-words.js';

/** Columns that words name, before it is known how many words that are. */
export interface Found {
  readonly columns: readonly ColumnFacts[];
  readonly together: boolean;
  readonly implied: Aggregate | null;
  readonly strength: number;
}

/** What a row is called, or what was done with things that a header does not name. */
export function ownNameMeant(core: readonly string[], facts: TableFacts): Found | null {
  return namesMeant(withoutRowNoun(core, facts), facts) ?? identityWithout(core, facts) ?? participleMeant(core, facts);
}

/** `names` of rows, whatever the column with their names is called. */
function namesMeant([only = '', ...more]: readonly string[], facts: TableFacts): Found | null {
  const wanted = NAME_HEADERS.find(({ said }) => said.test(only));
  if (wanted === undefined || more.length > 0) return null;
  const exact = facts.columns.find(({ words }) => words.length === 1 && words[0] === only.replace(/s$/, ''));
  return exact === undefined ? namedBy(wanted.header, only, facts) : certain(exact, 100);
}

const NUMBERS = /^(?:numbers?|nos)$/;

function namedBy(header: RegExp, said: string, facts: TableFacts): Found | null {
  const isNumber = NUMBERS.test(said);
  const fitting = facts.columns.filter(
    ({ words, role, identifies }) => header.test(words.at(-1) ?? '') && role !== 'time' && (identifies || !isNumber),
  );
  if (fitting.length === 0) return isNumber ? null : identityName(said, facts);
  const parts = fitting.filter(isPartOfPersonName);
  if (parts.length > 1) return { columns: parts, together: true, implied: null, strength: 90 };
  const own = fitting.filter((column) => isOwnName(column, facts));
  return { columns: own.length > 0 ? own.slice(0, 1) : fitting, together: false, implied: null, strength: 90 };
}

/** What the last word of a header is for what is said. */
const NAME_HEADERS: readonly { readonly said: RegExp; readonly header: RegExp }[] = [
  { said: /^names?$/, header: /^(name|nm|fullname|title)$/ },
  { said: /^titles?$/, header: /^(title|ttl)$/ },
  { said: /^ids?$/, header: /^id$/ },
  { said: /^(?:numbers?|nos)$/, header: /^(?:number|no|nr|num|id|code)$/ },
];

/** Words with which the name of what identifies a row may go on: `the respondent number` of a column called respondent. */
const OWN_ADDITIONS = /^(?:numbers?|ids?|codes?|names?)$/;

function identityWithout([first = '', last = '', ...more]: readonly string[], facts: TableFacts): Found | null {
  if (more.length > 0 || !OWN_ADDITIONS.test(last)) return null;
  const own = facts.columns.find(({ words }) => words.length === 1 && likeness(words[0] ?? '', first) === 3);
  return own !== undefined && canBeCalled(own, last) ? certain(own, 96) : null;
}

/** What identifies rows has numbers and codes; any text has names. */
function canBeCalled({ role, identifies }: ColumnFacts, last: string): boolean {
  if (role === 'time') return false;
  return identifies || (role === 'category' && /^names?$/.test(last));
}

function isPartOfPersonName({ words }: ColumnFacts): boolean {
  return /^(first|last|sur|given|family|middle|fore)$/.test(words[0] ?? '');
}

function isOwnName({ identifies, words }: ColumnFacts, { rowNouns }: TableFacts): boolean {
  return identifies || words.some((word) => rowNouns.has(stem(word)));
}

const DONE =
  /(?:[^e]ed|wn)$|^(?:sold|held|made|done|won|paid|sent|lost|bought|built|spent|taken|given|eaten|beaten|driven|written|caught|read|run)$/;

/** `tickets sold` of a column that is called sold. */
function participleMeant(core: readonly string[], facts: TableFacts): Found | null {
  const [noun = '', done = '', ...more] = core;
  if (more.length > 0 || !isDoneWith(noun, done) || facts.rowNouns.has(stem(noun)) || areNamed(noun, done, facts))
    return null;
  const column = facts.columns.find((one) => isCalledOnly(one, done));
  return column === undefined ? null : certain(column, 84);
}

function isDoneWith(noun: string, done: string): boolean {
  return noun.endsWith('s') && DONE.test(done);
}

/** Another header has both words. */
function areNamed(noun: string, done: string, { columns }: TableFacts): boolean {
  return columns.some(({ words }) => words.includes(done) && words.some((word) => likeness(word, noun) === 3));
}

function isCalledOnly(column: ColumnFacts, word: string): boolean {
  const { role, words } = column;
  return role === 'figure' && words.length === 1 && words[0] === word && !isYear(column);
}

/** `date` and `time` are the table's own where no column is called so. */
export function momentMeant([only = '', another]: readonly string[], facts: TableFacts): Found | null {
  const isMoment = another === undefined && /^(dates?|times?|timestamps?)$/.test(only);
  return isMoment && facts.time !== null ? certain(facts.time, 60) : null;
}

function identityName(said: string, { identity }: TableFacts): Found | null {
  return identity?.role !== 'category' || stem(said) === stem('id') ? null : certain(identity, 80);
}

/** `order total` of orders is their total. */
export function withoutRowNoun(core: readonly string[], { rowNouns }: TableFacts): readonly string[] {
  const [first = ''] = core;
  return core.length > 1 && rowNouns.has(stem(first)) ? core.slice(1) : core;
}

function certain(column: ColumnFacts, strength: number): Found {
  return { columns: [column], together: false, implied: null, strength };
}
