import type { Term } from './pipeline-terms.js';

/** The last character with a capital form is of Adlam's alphabet. */
const LAST_LETTER = 0x1e943;

let capitals: ReadonlyMap<string, string> | null = null;

/** The small letter of a character as DuckDB has it: one character for one. */
export function lowered(text: string): string {
  return Array.from(text, smallLetter).join('');
}

function smallLetter(character: string): string {
  const [small = character] = character.toLowerCase();
  return small;
}

/** For each small letter all that are the same in capitals or not. */
function alike(): ReadonlyMap<string, string> {
  if (capitals !== null) return capitals;
  const found = new Map<string, string>();
  for (let code = 0x41; code <= LAST_LETTER; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const small = smallLetter(character);
    if (small !== character) found.set(small, (found.get(small) ?? small) + character);
  }
  capitals = found;
  return found;
}

/** A regular expression for exactly this text, in capitals or not, by the same rule for all letters as the other row store. */
export function folded(text: string): string {
  const same = alike();
  const written = (character: string): string => {
    const all = same.get(character);
    return all === undefined ? spelled(character) : `[${all}]`;
  };
  return Array.from(lowered(text), written).join('');
}

/** A regular expression for exactly this text. */
export function spelled(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}

const LONGEST_PATTERN = 10_000;

/** Whether two texts are the same in capitals or not. Long ones are the same only when they are so in their plain letters. */
export function sameText(left: Term, right: Term): Term {
  const quoted = { $replaceAll: { input: right, find: '\\E', replacement: '\\E\\\\E\\Q' } };
  const regex = { $concat: ['^\\Q', quoted, '\\E\\z'] };
  const plain = { $eq: [{ $toLower: left }, { $toLower: right }] };
  const isShort = { $lt: [{ $strLenBytes: right }, LONGEST_PATTERN] };
  return { $or: [plain, { $and: [isShort, { $regexMatch: { input: left, regex, options: 'i' } }] }] };
}
