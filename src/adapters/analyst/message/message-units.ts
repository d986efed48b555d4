import { isBasic } from '../statistics/text-kinds.js';
import { choosesRows } from './purposes.js';
import { reworded } from '../statistics/reworded.js';
import type { Script } from '../statistics/script.js';
import { readFormat } from './answer-format.js';
import { withoutPoliteness } from './politeness.js';
import type { Sentence } from './sentences.js';
import type { AnswerFormat } from './understanding.js';

const TALK =
  /^(?:round|rounded)\b|^(?:report|give|provide|present|express|state|write|return|output|format|print|show|the answer|your answer|all|any|each|both|results?|answers?|and)\b/iu;
const FORMAT_LABEL = /format|^output$/u;

/** A sentence that is to be read, without what it says about how its answer is to be written. */
export interface Unit {
  readonly text: string;
  readonly said: string;
  readonly format: Partial<AnswerFormat>;
  readonly item: number | null;
}

export interface MessageUnits {
  readonly units: readonly Unit[];
  /** What sentences of their own say about the answers to all questions. */
  readonly format: Partial<AnswerFormat>;
}

/** Tells the sentences that only say how answers are to be written from those that are to be read. */
export function unitsOf(sentences: readonly Sentence[], script: Script): MessageUnits {
  const isChoice = (topic: string): boolean => choosesRows(topic, script) || script.clauseOf(topic).columns.length > 0;
  let read: MessageUnits = { units: [], format: {} };
  for (const { text, label, item } of sentences) {
    const { text: bare, format } = readFormat(withoutPoliteness(text, isChoice));
    const rest = reworded(withoutPoliteness(bare.trim(), isChoice));
    const unit: Unit = { text: rest, said: text, format, item };
    if (FORMAT_LABEL.test(label ?? '') || isTalk(unit, script)) read = withFormat(read, unit);
    else if (/[\p{L}\p{N}]/u.test(rest)) read = { ...read, units: [...read.units, unit] };
  }
  return read;
}

/** It is the format of the question of the same item of a list, else of all questions. */
function withFormat({ units, format }: MessageUnits, { item, format: said }: Unit): MessageUnits {
  const at = item === null ? -1 : units.findLastIndex((unit) => unit.item === item);
  if (at < 0) return { units, format: { ...format, ...said } };
  const told = units.map((unit, place) => (place === at ? { ...unit, format: { ...unit.format, ...said } } : unit));
  return { units: told, format };
}

/** A sentence that only says how answers are to be written. */
function isTalk({ text, format }: Unit, script: Script): boolean {
  if (Object.keys(format).length === 0) return false;
  if (!/\p{L}/u.test(text)) return true;
  return TALK.test(text) && ['nothing', 'empty'].includes(isBasic(text, script));
}
