import { isBasic } from '../statistics/text-kinds.js';
import { choosesRows } from './purposes.js';
import { withExactConditions } from '../statistics/bracketed.js';
import { withFormulas } from '../statistics/named-formulas.js';
import { reworded } from '../statistics/reworded.js';
import type { Clause } from '../statistics/clause.js';
import type { Script } from '../statistics/script.js';
import { withDayTypes } from '../statistics/time-parts.js';
import { readFormat } from './answer-format.js';
import { withoutPoliteness } from './politeness.js';
import type { Sentence } from './sentences.js';
import { gradesIn, type GradesRead } from '../statistics/grades.js';
import type { AnswerFormat, Grades } from './understanding.js';

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
  /** What figures of a size are to be called, and the sentence that says so. */
  readonly grades: { readonly grades: Grades; readonly said: string } | null;
}

/** Tells the sentences that only say how answers are to be written from those that are to be read. */
export function unitsOf(sentences: readonly Sentence[], script: Script): MessageUnits {
  const isChoice = (topic: string): boolean => choosesRows(topic, script) || saysWhat(script.clauseOf(topic));
  let read: MessageUnits = { units: [], format: {}, grades: null };
  for (const { text, label, item } of sentences) {
    const { text: bare, format } = readFormat(withoutPoliteness(text, isChoice));
    const { said, grades } = gradedOf(withoutPoliteness(bare.trim(), isChoice), script);
    if (grades !== null) read = { ...read, grades: { grades, said: text } };
    const rest = inKnownWords(said, script);
    const unit: Unit = { text: rest, said: text, format, item };
    if (FORMAT_LABEL.test(label ?? '') || isTalk(unit, script)) read = withFormat(read, unit);
    else if (/[\p{L}\p{N}]/u.test(rest)) read = { ...read, units: [...read.units, unit] };
  }
  return read;
}

/** Conditions, formulas and kinds of days as the grammar of statistics knows them. */
function inKnownWords(text: string, script: Script): string {
  const exact = withExactConditions(withReason(text, script), script);
  return reworded(withDayTypes(withFormulas(exact), script));
}

function gradedOf(text: string, script: Script): { readonly said: string; readonly grades: Grades | null } {
  const read = gradesOf(text, script);
  return { said: read?.rest ?? text, grades: read?.grades ?? null };
}

/** It is the format of the question of the same item of a list, else of all questions. */
function withFormat({ units, format, grades }: MessageUnits, { item, format: said }: Unit): MessageUnits {
  const at = item === null ? -1 : units.findLastIndex((unit) => unit.item === item);
  if (at < 0) return { units, format: { ...format, ...said }, grades };
  const told = units.map((unit, place) => (place === at ? { ...unit, format: { ...unit.format, ...said } } : unit));
  return { units: told, format, grades };
}

/** A topic that names columns or a method is part of the question. */
function saysWhat(clause: Clause): boolean {
  return (
    clause.columns.length > 0 ||
    clause.has('test', 'relation', 'normality', 'regression', 'outliers', 'method', 'scale')
  );
}

const REASON =
  /^(?:since|because|as|given that) (?<why>[^,]{3,80}), (?<what>(?:please )?(?:take|apply|use|compute|calculate|transform|normali[sz]e|standardi[sz]e|scale)\b.*)$/iu;

/** `since a is skewed, take its logarithm`: of the column that the reason names. */
function withReason(text: string, script: Script): string {
  const { why = '', what = '' } = REASON.exec(text)?.groups ?? {};
  const [only, another] = new Set(script.clauseOf(why).columns.filter(({ role }) => role === 'figure'));
  if (only === undefined || another !== undefined) return text;
  return what.replace(/\bits\b (?<how>[^.]+)/iu, `the $<how> of "${only.name}"`);
}

const OF_RELATION = /\b(?:correlat\w*|relation\w*|coefficient|strength|associat\w*|skew\w*|r|rho)\b/iu;

/** Limits for what a correlation is called; those of a column make groups. */
function gradesOf(text: string, script: Script): GradesRead | null {
  const read = OF_RELATION.test(text) ? gradesIn(text) : null;
  if (read === null) return null;
  const count = (said: string): number => script.clauseOf(said).columns.length;
  return count(read.rest) === count(text) ? read : null;
}

/** A sentence that only says how answers are to be written. */
function isTalk({ text, format }: Unit, script: Script): boolean {
  if (Object.keys(format).length === 0) return false;
  if (!/\p{L}/u.test(text)) return true;
  return TALK.test(text) && ['nothing', 'empty'].includes(isBasic(text, script));
}
