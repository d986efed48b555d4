import { namesakeAt, rowNounAt } from './nouns.js';
import { columnAt } from './column-mentions.js';
import { deniedFlagAt, flagAt, flagFilter } from './flags.js';
import { phraseSet } from './line.js';
import { onlyFigureAt } from './only.js';
import type { Sentence } from './sentence.js';
import { freeOfAt } from './sign-conditions.js';
import { valuesAt } from './value-conditions.js';
import { valueAt } from './value-mentions.js';

const NOT = phraseSet('not|non|no longer');

/** A value or yes-or-no column right before a noun: `electric cars`, `active singers`. The place after it. */
export function modifierAt(sentence: Sentence, at: number): number | null {
  const free = freeOfAt(sentence, at);
  if (free !== null) return free;
  const denied = sentence.line.phrase(at, NOT);
  const place = { at: denied ?? at, negated: denied !== null };
  const numbered = denied === null ? numberedModifier(sentence, at) : null;
  if (numbered !== null) return numbered;
  return isValueAt(sentence, place.at) ? valueModifier(sentence, place) : flagModifier(sentence, place);
}

/** The place after all modifiers that stand here in a row. */
export function modifiersAt(sentence: Sentence, at: number): number {
  const next = modifierAt(sentence, at);
  return next === null ? at : modifiersAt(sentence, next);
}

/** `grade 9 students`: a column, its number, and then the rows. */
function numberedModifier(sentence: Sentence, at: number): number | null {
  const named = onlyFigureAt(sentence.line, at);
  const number = named === null ? null : sentence.line.number(named.next);
  if (named === null || number?.unit !== null || !areRowsAt(sentence, number.next)) return null;
  sentence.addFilters([{ kind: 'in', column: named.column.name, values: [number.value], negated: false }]);
  return number.next;
}

function areRowsAt(sentence: Sentence, at: number): boolean {
  return (rowNounAt(sentence, at) ?? namesakeAt(sentence, at)) !== null;
}

interface Place {
  readonly at: number;
  readonly negated: boolean;
}

function isValueAt({ line }: Sentence, at: number): boolean {
  const value = valueAt(line, at);
  const named = columnAt(line, at);
  if (value === null || value.partial) return false;
  return named === null || named.strength < 84 || named.next < value.next;
}

function valueModifier(sentence: Sentence, { at, negated }: Place): number | null {
  const found = valuesAt(sentence, at, { columns: [], named: false, preposition: '', negated });
  if (found === null) return null;
  sentence.addFilters([found.filter]);
  return found.next;
}

function flagModifier(sentence: Sentence, { at, negated }: Place): number | null {
  const undone = deniedFlagAt(sentence.line, at);
  const named = undone ?? flagAt(sentence.line, at);
  if (named === null) return null;
  sentence.addFilters([flagFilter(named.column, (undone === null) !== negated)]);
  return named.next;
}
