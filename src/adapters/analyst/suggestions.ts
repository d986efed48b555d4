import { columnsOfPlan } from '../../ports/analysis-plan.js';
import type { TableBriefing } from '../../ports/chat-model.js';
import type { TableProfile } from '../../ports/table.js';
import { templatesFor, type Template } from './suggestion-templates.js';
import { factsOf } from './table-facts.js';
import { nameWords } from './text.js';
import { understand } from './understand.js';

const MAX_NAME = 60;
/** Values in a question are quoted, and must not end the quote. */
const UNSPEAKABLE = /[\p{Cc}"“”]/u;
const MOST = 12;

const cache = new WeakMap<TableProfile, readonly string[]>();

/**
 * Questions that the analyst can answer on this table, most telling first and of different kinds. Each has been read and understood in
 * full, as what it is meant to ask, about columns that have values.
 */
export function suggestQuestions(profile: TableProfile, wanted: number): readonly string[] {
  const known = cache.get(profile);
  if (known !== undefined) return known.slice(0, wanted);
  const found = verifiedQuestions(profile);
  cache.set(profile, found);
  return found.slice(0, wanted);
}

function verifiedQuestions(profile: TableProfile): readonly string[] {
  const table: TableBriefing = { name: '', context: '', profile };
  const now = new Date(profile.timeRange?.to ?? 0);
  const found: string[] = [];
  for (const template of templatesFor(factsOf(table))) {
    if (found.length >= MOST) break;
    const question = wordings(template).find((text) => isUnderstood(text, template, table, now));
    if (question !== undefined && !found.includes(question)) found.push(question);
  }
  return found;
}

/** Names as people say them, as they stand, and quoted where they would be read as something else. */
function wordings({ columns, texts }: Template): readonly string[] {
  if (columns.some(({ name }) => name.length > MAX_NAME || UNSPEAKABLE.test(name))) return [];
  const spoken = columns.map(({ name }) => (/[_\p{Ll}]\p{Lu}|_/u.test(name) ? nameWords(name).join(' ') : name));
  const written = columns.map(({ name }) => name);
  const quoted = columns.map(({ name }) => `"${name}"`);
  return [spoken, written, quoted].flatMap((names) => texts.map((text) => text(...names)));
}

function isUnderstood(question: string, { columns, means }: Template, table: TableBriefing, now: Date): boolean {
  if (columns.some(({ profile }) => profile.distinct === 0)) return false;
  const read = understand(question, table, [], now);
  if (read.kind !== 'plan' || read.confidence < 1) return false;
  const used = columnsOfPlan(read.plan);
  return columns.every(({ name }) => used.includes(name)) && (means?.(read.plan) ?? true);
}
