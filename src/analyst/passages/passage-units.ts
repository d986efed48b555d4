import type { AnswerSource } from '../../ports/assistant-answer.js';
import { printedSentences } from '../../shared/sentences.js';

/** What of a passage is quoted as one: a sentence, an item of a list, a row of a table. */
export interface Unit {
  readonly text: string;
  /** Of its passage, counted from 1, as answers name it. */
  readonly number: number;
  /** Of itself in its passage. */
  readonly place: number;
  /** What it stands under: the heading, and the line that leads a list in. */
  readonly under: readonly string[];
  readonly source: AnswerSource;
}

const MAX_HEADING = 90;
const ENDS_SENTENCE = /[.!?…。！？]["'”’»)\]]*$/u;
const LINE_OF_ITS_OWN = /^(?:[-–•*·▪◦]|\(?\d{1,3}[.)]|\(?[a-z][.)])\s|\|/u;

/** The units of all passages, in their order. */
export function unitsOf(passages: readonly AnswerSource[]): readonly Unit[] {
  return passages.flatMap((source, index) => unitsIn(source, index + 1));
}

function unitsIn(source: AnswerSource, number: number): readonly Unit[] {
  const lines = linesOf(source.quote);
  const [first = ''] = lines;
  const heading = lines.length > 1 && isHeading(first) ? [first] : [];
  const units: Unit[] = [];
  let leadIn: readonly string[] = [];
  for (const line of lines.slice(heading.length)) {
    if (endsList(line)) leadIn = [];
    for (const text of printedSentences(line)) {
      units.push({ text, number, place: units.length, under: [...heading, ...leadIn], source });
    }
    if (leadsIn(line)) leadIn = [line];
  }
  return units;
}

function leadsIn(line: string): boolean {
  return line.endsWith(':') || isHeading(line);
}

/** A whole sentence that is no item. */
function endsList(line: string): boolean {
  return !LINE_OF_ITS_OWN.test(line) && ENDS_SENTENCE.test(line);
}

/** Lines that were broken only because the page ended are one. */
function linesOf(text: string): readonly string[] {
  const lines: string[] = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const before = lines.at(-1);
    const goesOn = before !== undefined && !/[.!?:…|]$/u.test(before) && /^\p{Ll}/u.test(line);
    if (goesOn && !LINE_OF_ITS_OWN.test(line)) lines[lines.length - 1] = `${before} ${line}`;
    else lines.push(line);
  }
  return lines;
}

/** Short, without an end and without anything that it says. */
function isHeading(line: string): boolean {
  return line.length <= MAX_HEADING && !/[.!?…:;,|]$/u.test(line) && !/[:|]/u.test(line) && !LINE_OF_ITS_OWN.test(line);
}
