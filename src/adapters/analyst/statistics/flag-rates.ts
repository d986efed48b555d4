import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { Piece } from '../pieces.js';
import type { TableFacts } from '../table-facts.js';
import { stem } from '../text.js';
import type { Mark } from './marks.js';
import { isSpokenAs } from './short-forms.js';

const ASKS_OF = /^(?:is|was|has|had|got|flag)$/;
const RATE = /^(?:rates?|ratio)$/;
const YES = /^(?:yes|y|true|t)$/iu;
const NO = /^(?:no|n|false|f)$/iu;

/** The condition that a column of two answers says yes; `null` where its answers are no yes and no. */
export function yesOf({ name, role, profile }: ColumnFacts): Filter | null {
  if (role === 'boolean') return { kind: 'in', column: name, values: [true], negated: false };
  if (profile.distinct !== 2) return null;
  if (role === 'figure')
    return profile.min === 0 && profile.max === 1 ? { kind: 'compare', column: name, operator: '=', value: 1 } : null;
  const values = profile.topValues.map(({ value }) => value);
  const yes = values.find((value) => YES.test(value));
  return yes === undefined || !values.some((value) => NO.test(value))
    ? null
    : { kind: 'in', column: name, values: [yes], negated: false };
}

/** `default rate` of a column called defaulted, `cancellation rate` of IsCancelled: the share of the rows of which it says yes. */
export function readFlagRates(pieces: readonly Piece[], facts: TableFacts, marks: Map<Piece, Mark>): readonly Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const before = out.at(-1);
    const flag = isRate(piece) ? flagBefore(before, facts) : null;
    if (flag === null) {
      out.push(piece);
      continue;
    }
    const rate: Piece = { kind: 'filler', text: `${before?.text ?? ''} ${piece.text}` };
    marks.set(rate, { kind: 'share', as: 'percent', of: flag.name });
    out.splice(-1, 1, rate);
  }
  return out;
}

function flagBefore(before: Piece | undefined, facts: TableFacts): ColumnFacts | null {
  return before?.kind !== 'word' || hasOwnRate(before, facts) ? null : flagCalled(before.key, facts);
}

function isRate(piece: Piece): boolean {
  return piece.kind === 'word' && RATE.test(piece.key);
}

/** A column may be called so itself. */
function hasOwnRate(before: Piece | undefined, { columns }: TableFacts): boolean {
  const said = before?.kind === 'word' ? stem(before.key) : '';
  return columns.some(({ stems, role }) => role === 'figure' && stems.includes('rat') && stems.includes(said));
}

/** The only column of yes and no whose name is the word in another form. */
function flagCalled(key: string, { columns }: TableFacts): ColumnFacts | null {
  const [only, another] = columns.filter((column) => {
    const parts = column.words.filter((word, place) => place > 0 || !ASKS_OF.test(word));
    const [part, more] = parts;
    const isCalled = part !== undefined && more === undefined && (stem(part) === stem(key) || isSpokenAs(part, key));
    return isCalled && yesOf(column) !== null;
  });
  return another === undefined ? (only ?? null) : null;
}
