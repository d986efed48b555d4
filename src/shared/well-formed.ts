const HALF_CHARACTERS = /\p{Surrogate}/gu;

/** The text with a replacement for every half of a character, which no encoding can hold and some stores refuse. */
export function wellFormed(text: string): string {
  return text.replace(HALF_CHARACTERS, '\uFFFD');
}
