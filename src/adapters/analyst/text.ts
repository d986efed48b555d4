/** Lower case, without accents and apostrophes: what a person means who types in a hurry. */
export function plain(text: string): string {
  // Most texts are plain already, and tables have thousands of them.
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’`]/gu, '')
    .toLowerCase();
}

const PLAIN = /^[ -&(-_a-~]*$/;

/** Runs of letters and numbers, letters apart from digits and numbers without leading zeros: `Sensor-05` is `sensor`, `5`. */
export function wordsOf(text: string): readonly string[] {
  return (plain(text).match(/\p{L}+|\d+(?:\.\d+)?/gu) ?? []).map(bareNumber);
}

/** As `wordsOf`, but `tempMax` is two words as well. */
export function nameWords(name: string): readonly string[] {
  return wordsOf(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));
}

function bareNumber(word: string): string {
  return /^0+\d/.test(word) ? word.replace(/^0+(?=\d)/, '') : word;
}

/** One form for singular and plural. It is no dictionary form: only what is stemmed alike is compared. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  const single = /[^su]s$/.test(word) && !word.endsWith('is') ? word.slice(0, -1) : word;
  return single.length > 3 && single.endsWith('e') ? single.slice(0, -1) : single;
}

/** Stems of the nouns that an adjective or a verb form may come from: `foggy` from fog, `raining` from rain. */
export function nounsBehind(word: string): readonly string[] {
  const bare = /^(.{3,}?)(?:y|ed|ing|an)$/.exec(word)?.[1];
  if (bare === undefined) return [];
  const undoubled = bare.replace(/([^aeiou])\1$/, '$1');
  return [...new Set([stem(bare), stem(undoubled), stem(`${bare}e`)])];
}

export function unique<T>(entries: readonly T[]): readonly T[] {
  return [...new Set(entries)];
}
