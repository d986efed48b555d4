import type { AnalysisPlan, TimeBucket } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';

/** `The first week is not whole.` where conditions begin or end within a step of time that figures are told by; null: they do not. */
export function cutNote(plan: AnalysisPlan, { rows, columns }: QueryResult): string | null {
  const step = plan.kind === 'aggregate' ? plan.dimensions.find(({ kind }) => kind === 'bucket') : undefined;
  if (step?.kind !== 'bucket') return null;
  const limits = plan.filters.filter((one) => one.kind === 'time' && one.column === step.column);
  const place = columns.findIndex(({ name }) => name === step.label);
  const starts = rows.flatMap((row) => (typeof row[place] === 'string' ? [Date.parse(row[place])] : []));
  const [first, last] = [Math.min(...starts), Math.max(...starts)];
  const cut = (isCut: (from: string | null, to: string | null) => boolean): boolean =>
    limits.some((limit) => limit.kind === 'time' && isCut(limit.from, limit.to));
  const ends = [
    ...(cut((from) => from !== null && first < Date.parse(from)) ? ['first'] : []),
    ...(cut((_, to) => to !== null && endOf(last, step.bucket) > Date.parse(to)) ? ['last'] : []),
  ];
  if (ends.length === 0) return null;
  const are = ends.length > 1 ? 'are' : 'is';
  return first === last
    ? `The ${step.bucket} is not whole.`
    : `The ${ends.join(' and the ')} ${step.bucket} ${are} not whole.`;
}

/** When a step of time is over that begins then. */
function endOf(start: number, bucket: TimeBucket): number {
  const end = new Date(start);
  switch (bucket) {
    case 'minute':
      return end.setUTCMinutes(end.getUTCMinutes() + 1);
    case 'hour':
      return end.setUTCHours(end.getUTCHours() + 1);
    case 'day':
      return end.setUTCDate(end.getUTCDate() + 1);
    case 'week':
      return end.setUTCDate(end.getUTCDate() + 7);
    case 'month':
      return end.setUTCMonth(end.getUTCMonth() + 1);
    case 'quarter':
      return end.setUTCMonth(end.getUTCMonth() + 3);
    case 'year':
      return end.setUTCFullYear(end.getUTCFullYear() + 1);
  }
}
