import type { DimensionDraft } from '../../../analyst/reading/draft.js';
import type { Sentence } from './sentence.js';
import { ROW_COUNT } from './assemble-parts.js';
import { phraseSet, type Line } from './line.js';
import { targetAt } from './targets.js';

const AFTER = phraseSet('breakdown|split|mix|breakdowns');
const BEFORE = phraseSet('breakdown by|breakdown of|a breakdown of|headcount|head count|the headcount');

/** `gender breakdown per department`, `headcount by site`: rows are counted in groups. */
export function breakdownAt(sentence: Sentence, at: number): number | null {
  const { items, groups } = sentence;
  return items.length + groups.length > 0 ? null : (groupsFirst(sentence, at) ?? wordFirst(sentence, at));
}

/** `gender breakdown`. */
function groupsFirst(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const target = targetAt(sentence, line.skip(at, new Set(['the'])));
  const said = target === null ? null : line.phrase(target.next, AFTER);
  return target === null || said === null ? null : counted(sentence, target.dimension, said);
}

/** `breakdown by gender`, `headcount by site`. */
function wordFirst(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const next = line.phrase(at, BEFORE);
  if (next === null) return null;
  if (isHeadcount(line, at, next)) return counted(sentence, null, next);
  const target = targetAt(sentence, next);
  return target === null ? null : counted(sentence, target.dimension, target.next);
}

function isHeadcount(line: Line, at: number, next: number): boolean {
  const isSaid = line.is(at, 'headcount', 'head', 'the');
  return isSaid && (next >= line.end || line.is(next, 'by', 'per', 'in', 'of', 'for'));
}

function counted(sentence: Sentence, dimension: DimensionDraft | null, next: number): number {
  sentence.addMeasure(ROW_COUNT);
  if (dimension !== null) sentence.addGroup(dimension);
  sentence.tail = true;
  return next;
}
