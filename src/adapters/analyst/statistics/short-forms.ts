/** Short forms that are no part of the word they stand for. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['pax', 'passenger'],
  ['no', 'number'],
  ['hrs', 'hour'],
  ['yrs', 'year'],
  ['mths', 'month'],
  ['xp', 'experience'],
]);
const ENDING = /(?:ings?|ed|es|e|s|ion|ions|ation|ations|ment|al|ly)$/;
const SHORTEST_BASE = 4;
const MOST_VOWELS = 1;

/** `sampling` for sampled, `wages` for waging: the same word in another form. */
export function isSpokenAs(part: string, said: string): boolean {
  const known = KNOWN.get(part);
  if (known !== undefined && said.startsWith(known)) return true;
  return isSameBase(part, said) || goesOn(part, said);
}

function isSameBase(part: string, said: string): boolean {
  const base = part.replace(ENDING, '');
  return base.length >= SHORTEST_BASE && base === said.replace(ENDING, '');
}

function goesOn(part: string, said: string): boolean {
  return part.length > 2 && said.length > part.length && said.startsWith(part) && !isOnlyPlural(part, said);
}

function isOnlyPlural(part: string, said: string): boolean {
  return said === `${part}s`;
}

/** `amt` for amount, `dep` for departure, `c` for carbon: the first letter and some of those after it, in their order. */
export function isShortFor(part: string, said: string): boolean {
  if (part.length >= said.length || !said.startsWith(part.charAt(0)) || !/^\p{L}+$/u.test(part)) return false;
  if (said.startsWith(part)) return true;
  const vowels = (part.slice(1).match(/[aeiou]/g) ?? []).length;
  return vowels <= MOST_VOWELS && isWithin(part, said);
}

function isWithin(part: string, said: string): boolean {
  let from = 0;
  for (const letter of part) {
    const at = said.indexOf(letter, from);
    if (at < 0) return false;
    from = at + 1;
  }
  return true;
}
