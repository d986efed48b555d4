import type { TableBriefing } from '../../../ports/chat-model.js';
import { columnAt, onlyOf } from '../sentence/column-mentions.js';
import { Line } from '../sentence/line.js';
import { theOnly } from '../sentence/only.js';
import type { Script } from '../statistics/script.js';
import { readWholly } from '../table-question.js';
import { tokenize } from '../tokens.js';
import { readFormat } from './answer-format.js';
import { glossed } from './glosses.js';
import { withoutPoliteness } from './politeness.js';
import { fallsShort } from './question-reader.js';
import { mergesSides } from './repeats.js';
import { sentencesOf } from './sentences.js';
import type { Part, Understanding } from './understanding.js';

/** What a message is read with. */
export interface Reading {
  readonly script: Script;
  readonly table: TableBriefing;
  readonly now: Date;
}

/** Words with which a sentence asks for columns of the rows before it. */
const SHOWS =
  /^(?:please,? )?(?:(?:i )?(?:just|only) )?(?:(?:give|show|list|return|report|include|name|state|tell|output|print|display|provide|i (?:only |just )?(?:need|want))(?: me)?(?: just| only)?\b)? ?(?<what>.+?)(?: (?:please|only|alone|will do|is enough))*[.!?]*$/iu;
const LEAVES_OUT =
  /\b(?:excluding|exclude|excluded|ignoring|ignore|omitting|omit|leaving out|leave out|drop|discard)\b/iu;
/** Brackets within a longer formula. */
const IS_FORMULA = /[-+*/]\s*\(|\)\s*[-+*/]/u;
/** `Are there any lost parcels? If so, which?` */
const IF_SO =
  /^(?:and )?(?:if (?:so|yes|any|there are),? )?(?:which|who|what|list them|show them|name them)(?: ones?)?(?: are they| is it| are these)?[?.!]*$/iu;
const ANY = /^(?:is|are|was|were|do we have|have|did) ?(?:there )?(?:any |a |an |some )?/iu;
const SMALL = new Set(['the', 'its', 'their', 'his', 'her', 'and', 'with', 'both', 'also', ',']);
/** Brackets that leave rows out or say how the answer is written are read elsewhere. */
const HOLDS =
  /\b(?:ignor\w*|exclud\w*|includ\w*|without|omit\w*|skip\w*|round\w*|only|decimals?|treat\w*|assum\w*)\b/iu;

/**
 * A message that is one question of the table's grammar to the last word, as it was written: with its brackets and what they
 * explain, and with a sentence after it that says which columns to show. `null` where it is anything else.
 */
export function wholeMessage(message: string, reading: Reading): Part | null {
  const [first = '', shown, more] = sentencesOf(message).map(({ text }) => text);
  if (more !== undefined) return null;
  const { text, format } = readFormat(withoutPoliteness(first, () => true));
  const asked = text.trim();
  const candidates = shown === undefined ? candidatesOf(asked, reading) : withShown(asked, shown, reading);
  const read = firstRead(candidates, reading, shown !== undefined);
  return read === null
    ? null
    : { question: message.trim(), understanding: read, format: { decimals: null, ...format } };
}

function firstRead(
  candidates: readonly Candidate[],
  { script, table, now }: Reading,
  mayLink: boolean,
): Understanding | null {
  for (const { said, note } of candidates) {
    const read = readWholly(said, table, now, mayLink);
    if (read === null || fallsShort(script.clauseOf(said), read.plan) || mergesSides(said, read.plan)) continue;
    return note === null ? read : { ...read, notes: [...read.notes, note] };
  }
  return null;
}

interface Candidate {
  readonly said: string;
  readonly note: string | null;
}

/** The question itself where it has brackets, and with its own explanations in place of what they explain. */
function candidatesOf(asked: string, reading: Reading): readonly Candidate[] {
  if (HOLDS.test(bracketsOf(asked)) || LEAVES_OUT.test(asked) || IS_FORMULA.test(asked)) return [];
  const bare = asked.includes('(') ? [{ said: asked, note: null }] : [];
  return [...bare, ...glossed(asked, reading)];
}

function bracketsOf(text: string): string {
  return [...text.matchAll(/\([^()]*\)/gu)].map(([whole]) => whole).join(' ');
}

/** A column by its name, or by its unit where no other is measured so. */
function shownAt(line: Line, at: number): { readonly text: string; readonly next: number } | null {
  const named = onlyOf(columnAt(line, at));
  if (named !== null && named.strength >= 50) return { text: line.text(at, named.next), next: named.next };
  const measured = theOnly(line.facts.columns.filter(({ unit }) => unit === line.key(at)));
  return measured === null ? null : { text: measured.words.join(' '), next: at + 1 };
}

/** `Who waited longest? Just the number and the minutes please.` */
function withShown(asked: string, shown: string, reading: Reading): readonly Candidate[] {
  if (IF_SO.test(shown)) return [{ said: asked.replace(ANY, 'list the '), note: null }];
  const [one, ...more] = namesIn(SHOWS.exec(shown)?.groups?.['what'] ?? '', reading);
  if (one === undefined) return [];
  const list = more.length === 0 ? `${one} only` : [one, ...more].join(', ');
  return [{ said: `${asked.replace(/[.?!\s]+$/u, '')}: ${list}`, note: null }];
}

/** The columns that are all that a text names; none where it says anything else. */
function namesIn(text: string, { script, now }: Reading): readonly string[] {
  const line = new Line(tokenize(text), script.facts, now);
  const names: string[] = [];
  for (let at = line.skip(0, SMALL); at < line.end;) {
    const named = shownAt(line, at);
    if (named === null) return [];
    names.push(named.text);
    at = line.skip(named.next, SMALL);
  }
  return names;
}
