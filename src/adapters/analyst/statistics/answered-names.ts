import type { ColumnFacts } from '../column-facts.js';
import type { TableFacts } from '../table-facts.js';

const YES_AND_NO = [/^(?:yes|y|true|t)$/iu, /^(?:no|n|false|f)$/iu] as const;
const ASKS_OF = /^(?:is|was|has|had|got)$/u;
const IS = String.raw`(?:is|are|was|were|be|been|being|got|get|gets|has been|have been|had been)`;

interface Answered {
  readonly said: RegExp;
  readonly meant: string;
}

const cache = new WeakMap<TableFacts['profile'], readonly Answered[]>();

/** `smokers` and `non-smokers` of a column called Smoker that holds yes and no; `were not cancelled` of one called Cancelled or IsCancelled. */
export function withAnswers(text: string, facts: TableFacts): string {
  return answersOf(facts).reduce((told, { said, meant }) => told.replace(said, meant), text);
}

function answersOf(facts: TableFacts): readonly Answered[] {
  const known = cache.get(facts.profile);
  if (known !== undefined) return known;
  const answers = facts.columns.flatMap((column) => [...namedAnswers(column), ...verbalAnswers(column, facts)]);
  cache.set(facts.profile, answers);
  return answers;
}

/** What a column of two answers calls yes and no. */
function answersIn({ role, profile }: ColumnFacts): { readonly yes: string; readonly no: string } | null {
  if (role === 'figure' && profile.distinct === 2 && profile.min === 0 && profile.max === 1)
    return { yes: 'equal to 1', no: 'equal to 0' };
  if (role !== 'category' || profile.distinct !== 2) return null;
  return answersAmong(profile.topValues.map(({ value }) => value));
}

function answersAmong(values: readonly string[]): { readonly yes: string; readonly no: string } | null {
  const [yes, no] = YES_AND_NO.map((pattern) => values.find((value) => pattern.test(value)));
  return yes === undefined || no === undefined ? null : { yes: `"${yes}"`, no: `"${no}"` };
}

function namedAnswers(column: ColumnFacts): readonly Answered[] {
  const { name, role, words } = column;
  const answers = role === 'category' && words.length === 1 && !/s$/iu.test(name) ? answersIn(column) : null;
  if (answers === null) return [];
  return [
    { said: whole(`un${escaped(name)}(?:ed|d)?`), meant: `${name} ${answers.no}` },
    { said: whole(`${escaped(name)}(?:ed|d)`), meant: `${name} ${answers.yes}` },
    { said: whole(`non[- ]?${escaped(name)}s?`), meant: `${name} ${answers.no}` },
    { said: whole(`${escaped(name)}s`), meant: `${name} ${answers.yes}` },
  ];
}

/** A name that is a participle: what was done to the rows, or was not. */
function verbalAnswers(column: ColumnFacts, facts: TableFacts): readonly Answered[] {
  const [verb, another] = column.words.filter((word, place) => place > 0 || !ASKS_OF.test(word));
  const answers = answersIn(column);
  if (answers === null || verb === undefined || another !== undefined || !/.{3}(?:ed|en|id|ne)$/u.test(verb)) return [];
  const rows = String.raw`\s+(?<rows>(?:${[...facts.rowNouns].join('|')})\p{L}{0,3})`;
  const opens = String.raw`(?:(?:that|which|who)\s+)?`;
  const [yes, no] = [answers.yes, answers.no].map((answer) => `with "${column.name}" ${answer}`);
  if (yes === undefined || no === undefined) return [];
  return [
    { said: whole(String.raw`${opens}(?:${IS}\s+not|(?:was|were|is|are)n['’]t|not)\s+${verb}`), meant: no },
    { said: whole(String.raw`(?:that|which|who)\s+${IS}\s+${verb}`), meant: yes },
    { said: whole(`(?:un|non[- ])${verb}${rows}`), meant: `$<rows> ${no}` },
    { said: whole(`${verb}${rows}`), meant: `$<rows> ${yes}` },
  ];
}

function whole(said: string): RegExp {
  return new RegExp(String.raw`(?<!["\p{L}\d])${said}(?!["\p{L}\d])`, 'giu');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
