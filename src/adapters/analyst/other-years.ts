import { columnsOfPlan, type AnalysisPlan } from '../../ports/analysis-plan.js';
import { keyOf, type Piece } from './pieces.js';
import { nameWords } from './text.js';

const YEAR = /^(?:19|20)\d\d$/;

/** The column of a plan that is called by a year, where the question speaks of another one: visitors_2023 of 2019. */
export function columnOfOtherYear(plan: AnalysisPlan, tokens: readonly Piece[]): string | null {
  const asked = tokens.map((piece) => keyOf(piece) ?? '').filter((key) => YEAR.test(key));
  if (asked.length === 0) return null;
  const dated = columnsOfPlan(plan).filter((name) => yearsOf(name).length > 0);
  return dated.find((name) => asked.some((year) => !yearsOf(name).includes(year))) ?? null;
}

function yearsOf(name: string): readonly string[] {
  return nameWords(name).filter((word) => YEAR.test(word));
}
