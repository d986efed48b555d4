import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import { purposeOf } from '../plan-words.js';
import type { Script } from '../statistics/script.js';
import { countedOf, shareOf } from './references.js';
import { comparesAgain, contains, countsAgain, namesColumns, namesOnlyFigures } from './repeats.js';
import { AGAIN, BOTH_AGAIN, HOW_MANY, JUDGED_AGAIN, WHAT_SHARE } from './sentence-kinds.js';
import type { Understanding } from './understanding.js';

/** `report both medians`, `state whether it is significant`: what the answer before tells anyway. */
export function saysAgain(
  text: string,
  read: Understanding | 'defined',
  before: AnalysisPlan | null,
  script: Script,
): boolean {
  if (before === null) return false;
  if (countsAgain(text, before) || comparesAgain(text, before)) return true;
  if (!AGAIN.test(text)) return false;
  return BOTH_AGAIN.test(text) || judgesAgain(text, before, script) || tellsAgain(text, read, before, script);
}

/** `is there a significant difference?`, behind the test itself. */
function judgesAgain(text: string, before: AnalysisPlan, script: Script): boolean {
  return before.kind === 'statistic' && JUDGED_AGAIN.test(text) && !namesColumns(text, script);
}

function tellsAgain(text: string, read: Understanding | 'defined', before: AnalysisPlan, script: Script): boolean {
  if (read !== 'defined' && read.kind === 'plan') return contains(before, read.plan);
  return before.kind === 'statistic' ? !namesColumns(text, script) : namesOnlyFigures(text, before, script);
}

/** `how many are there?`, `what percentage is that?`: the rows that the question before was about. */
export function countedAgain(text: string, before: AnalysisPlan | null, script: Script): Understanding | null {
  if (before === null) return null;
  if (HOW_MANY.test(text)) return counted(before);
  const share = WHAT_SHARE.test(text) ? shareOf(before, script.facts) : null;
  return share === null ? null : surely(share);
}

function counted(before: AnalysisPlan): Understanding | null {
  return before.filters.length === 0 || before.kind === 'statistic' ? null : surely(countedOf(before));
}

function surely(plan: AnalysisPlan): Understanding {
  return { kind: 'plan', plan, purpose: purposeOf(plan), notes: [], unread: [], confidence: 1 };
}
