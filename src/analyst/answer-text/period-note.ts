import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import { momentWords } from '../../plan/time-words.js';
import type { TableFacts } from '../reading/table.js';

/** Of when the rows are, where a period was asked for in which there are none; null: there is nothing to say. */
export function periodNote(plan: AnalysisPlan, { time, profile: { timeRange } }: TableFacts): string | null {
  if (time === null || timeRange === null) return null;
  const [first, last] = [Date.parse(timeRange.from), Date.parse(timeRange.to)];
  const isOutside = plan.filters.some(
    (filter) =>
      filter.kind === 'time' &&
      filter.column === time.name &&
      ((filter.from !== null && Date.parse(filter.from) > last) ||
        (filter.to !== null && Date.parse(filter.to) <= first)),
  );
  const words = [timeRange.from, timeRange.to].map((moment) => `**${momentWords(moment, 'day')}**`);
  return isOutside ? `The rows are of ${words.join(' to ')}.` : null;
}
