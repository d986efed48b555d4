import type { Part, Understanding } from './understanding.js';

/** `how many lakes, and how many boats, does each district have`: what was not read says of what the clauses before it are. */
export const SHARES_GROUP = /\b(?:each|every|per|by)\b/iu;

/** `and how high does it lie`: another question, though the table knows none of its words. */
export const ASKS_MORE = /^(?:and )?(?:how (?!many\b|much\b)|who|whom|whose|where|when|which|what)\b/iu;

const LISTS = /^(?:just |only |please )?(?:name|list|give|show|return|report|i (?:just |only )?(?:need|want))\b/iu;

/** `Where may you not swim? Name the lakes.`: all rows are no answer to the question before, which was not understood. */
export function listsAll(before: Part | undefined, text: string, read: Understanding): boolean {
  if (before?.understanding.kind !== 'unclear' || read.kind !== 'plan' || !LISTS.test(text)) return false;
  const { plan } = read;
  return plan.filters.length === 0 && plan.kind !== 'statistic' && plan.limit === null;
}
