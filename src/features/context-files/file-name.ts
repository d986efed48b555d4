const LONGEST = 255;
/**
 * Control characters, marks that turn the direction of writing, characters nobody sees, tags that smuggle text past a reader, and
 * halves of characters.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** The last part of whatever path a sender names, fit to be shown: at most 255 characters, its ending kept. */
export function cleanFileName(given: string): string {
  const base = given.split(/[\\/]/).at(-1) ?? '';
  const name = base.normalize('NFC').replace(UNSEEN, '').trim();
  if (/^\.*$/.test(name)) return 'unnamed';
  return name.length <= LONGEST ? name : shortened(name);
}

function shortened(name: string): string {
  const ending = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? '';
  let kept = '';
  for (const letter of name) {
    if (kept.length + letter.length + ending.length > LONGEST) break;
    kept += letter;
  }
  return kept + ending;
}
