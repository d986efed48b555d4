import { columnsOfPlan, type AnalysisPlan } from '../../../ports/analysis-plan.js';
import type { Clause } from '../statistics/clause.js';
import type { Script } from '../statistics/script.js';
import type { Part } from './understanding.js';

export interface Kept {
  readonly parts: readonly Part[];
  /** Questions that the ones after them put more exactly. */
  readonly motives: readonly string[];
}

/**
 * `do bigger flats cost more? Report the correlation of size and rent.`: the question before only tells why, where it was not understood,
 * chooses no rows and speaks of no other columns. The same plan twice is one answer, in the form that the later one asks for.
 */
export function withoutMotives(parts: readonly Part[], script: Script): Kept {
  const kept: Part[] = [];
  const motives: string[] = [];
  for (const [place, part] of parts.entries()) {
    const next = parts[place + 1];
    if (next !== undefined && isMotive(part, next, script)) motives.push(part.question);
    else if (next === undefined || !isSame(part, next)) kept.push(part);
  }
  return { parts: kept, motives };
}

/** `investigate whether delays differ.`, with the method in the sentence after it. */
const AIMS =
  /^(?:please )?(?:investigate|examine|explore|find out|determine|check|assess|evaluate|analy[sz]e|study|see)\b[^.?]*\b(?:whether|if|how)\b/iu;

function isMotive({ question, understanding }: Part, next: Part, script: Script): boolean {
  if (understanding.kind === 'plan' || understanding.verdict === 'cannot') return false;
  if (!question.trim().endsWith('?') && !AIMS.test(question)) return false;
  if (next.understanding.kind !== 'plan' || next.understanding.plan.kind === 'rows') return false;
  const clause = script.clauseOf(question);
  return asksNothingElse(clause) && isCovered(clause, next.understanding.plan);
}

function asksNothingElse(clause: Clause): boolean {
  if (clause.pieces.some(({ kind }) => CHOOSES.has(kind))) return false;
  if (clause.has('test', 'outliers', 'missing', 'share', 'regression', 'bins', 'fill')) return false;
  return clause.all('figure').every(({ aggregate }) => aggregate === 'count_distinct');
}

function isCovered({ columns }: Clause, plan: AnalysisPlan): boolean {
  const known = new Set(columnsOfPlan(plan));
  return (columns.length > 0 || plan.kind === 'statistic') && columns.every(({ name }) => known.has(name));
}

const CHOOSES = new Set(['value', 'number', 'time', 'date', 'quoted', 'negation', 'empty']);

function isSame({ understanding: one }: Part, { understanding: other }: Part): boolean {
  if (one.kind !== 'plan' || other.kind !== 'plan' || one.plan.kind !== 'statistic') return false;
  return JSON.stringify(one.plan) === JSON.stringify(other.plan) && one.focus === undefined;
}
