import { columnAt } from '../sentence/column-mentions.js';
import { Line } from '../sentence/line.js';
import { valueAt } from '../sentence/value-mentions.js';
import type { Script } from '../statistics/script.js';
import { tokenize } from '../tokens.js';

interface Known {
  readonly script: Script;
  readonly now: Date;
}

/** A question with what it explains said in the words of its explanation. */
export interface Glossed {
  readonly said: string;
  readonly note: string;
}

const MARKED =
  /^(?<before>[^?]*?\p{L})\s*[,;:–-]?\s*\(?\b(?:i\.\s?e\.|ie|that is(?: to say)?|that means|which means|meaning(?: that)?|in other words|namely|so)(?:,| )\s*(?<exact>[^()?]{3,160}?)\)?(?<rest>[.?!]*)$/iu;
const BRACKETED = /^(?<before>[^()]*\p{L})\s*\((?<exact>[^()]{2,80})\)(?<rest>[^()]*)$/iu;
/** Of the words before it an explanation may explain so many. */
const LONGEST = 6;
/** A question that is put again in other words after so many at most. */
const LONGEST_OPEN = 10;
const ASKS_FIGURE = /^(?:how (?:much|many)|what)\b/iu;
const FIGURE = /^(?:the )?(?:total|sum|number|count|average|mean|median|share|percentage)\b/iu;
const GROUPED = /\p{L}+ (?:by|per|each)\b/iu;
/** Words that change what is asked, and are explained by nothing. */
const CHOOSES =
  /^(?:not|no|never|without|except|only|how|many|much|what|which|who|percentage|share|average|mean|median|total|sum|most|least|highest|lowest|than|and|or|per|by|each|every|above|below|over|under|more|less|before|after|since|until|between|within|different|distinct|unique|first|last|both|either|all|any)$/u;
/** What is denied is not what the explanation says. */
const DENIED = /\b(?:not|no|never|non|without|except|neither|n['’]t)(?: \p{L}+){0,2}\s*$/iu;
/** `completed in the` and then `from 2001 on`: one of the two prepositions is explained as well. */
const OPEN_END = /\b(?:in|on|at|of|from|to|by|with|for|the|an?|is|are|was|were|has|have|had)\s*$/iu;
const OPENS = /^\s*(?:in|on|at|of|from|to|by|with|for|after|before|since|between|is|are|was|were|has|have|had)\b/iu;
const JOINTS = [' ', ' where '];

/**
 * `accounts that are overdrawn, i.e. have a balance below 0`: the explanation in place of the words before it, as far as the table
 * knows none of them. The fewer words it stands for, the sooner.
 */
export function glossed(text: string, known: Known): readonly Glossed[] {
  const parts = partsOf(text);
  return parts === null ? [] : [...inPlace(parts, known), ...alone(parts, MARKED.test(text))];
}

/** What is explained at the end of the words before, the explanation, and what follows. */
interface Parts {
  readonly before: string;
  readonly exact: string;
  readonly rest: string;
}

function partsOf(text: string): Parts | null {
  const { before = '', exact = '', rest = '' } = (MARKED.exec(text) ?? BRACKETED.exec(text))?.groups ?? {};
  return /\p{L}/u.test(exact) ? { before: before.trim(), exact: exact.trim(), rest } : null;
}

function inPlace({ before, exact, rest }: Parts, known: Known): readonly Glossed[] {
  const words = before.split(/\s+/u);
  const found: Glossed[] = [];
  for (let count = 1; count <= Math.min(LONGEST, words.length - 2); count += 1) {
    const dropped = words.slice(-count).join(' ');
    const kept = words.slice(0, -count).join(' ');
    if (!isUnknown(dropped, known) || DENIED.test(kept)) break;
    if (OPEN_END.test(kept) && OPENS.test(exact)) continue;
    found.push(...JOINTS.map((joint) => ({ said: `${kept}${joint}${exact}${rest}`, note: noteOf(dropped, exact) })));
  }
  return found;
}

/** `How much do we still have to collect, i.e. the total of unpaid fines?`: the whole question in other words. */
function alone({ before, exact, rest }: Parts, isMarked: boolean): readonly Glossed[] {
  const isShort = before.split(/\s+/u).length <= LONGEST_OPEN && !GROUPED.test(before);
  const isFigure = ASKS_FIGURE.test(before) && FIGURE.test(exact);
  return isMarked && isShort && isFigure ? [{ said: `${exact}${rest}`, note: noteOf(before, exact) }] : [];
}

function noteOf(said: string, exact: string): string {
  return `I took “${said}” as “${exact}”, as you explain it.`;
}

/** Neither a column nor a value nor anything else that chooses rows. */
function isUnknown(text: string, { script, now }: Known): boolean {
  const line = new Line(tokenize(text.replace(/\b\d+(?:st|nd|rd|th)\b/giu, ' ')), script.facts, now);
  return line.tokens.every(({ kind }, at) => {
    const named = columnAt(line, at);
    const isNamed = named !== null && named.strength >= 50;
    return kind === 'word' && !isNamed && valueAt(line, at) === null && !CHOOSES.test(line.key(at));
  });
}
