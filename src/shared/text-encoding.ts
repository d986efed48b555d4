import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';

/** Text that is given to the guesser; it is slow, and learns from letters alone. */
const GUESSED_BYTES = 32 * 1024;

/**
 * Of whole characters, as a name that iconv knows: UTF-8 if they are valid, else a guess among the 8-bit and Asian encodings.
 *
 * @param leastSure Of 100; a guess that is less sure becomes Latin-1. One of 10 says nothing.
 */
export function narrowEncodingOf(samples: readonly Buffer[], leastSure: number): string {
  return samples.every(isMostlyUtf8) ? 'utf-8' : guessedEncoding(samples, leastSure);
}

/** Decodes without the byte order mark; what is no character becomes U+FFFD. */
export function decoded(bytes: Buffer, encoding: string): string {
  return iconv.decode(bytes, encoding, { stripBOM: true });
}

/** Valid, or with a few bad bytes among many good characters: a spoiled line does not make it another encoding. */
function isMostlyUtf8(bytes: Buffer): boolean {
  if (isUtf8(bytes)) return true;
  const beyondAscii = bytes.toString('utf8').match(/\P{ASCII}/gu) ?? [];
  const bad = beyondAscii.filter((character) => character === '\ufffd').length;
  return beyondAscii.length - bad > bad * 10;
}

function guessedEncoding(samples: readonly Buffer[], leastSure: number): string {
  const letters = linesWithLetters(samples);
  const [best] = chardet.analyse(letters);
  const name = best?.name.toLowerCase() ?? '';
  const isSure = best !== undefined && best.confidence >= leastSure;
  if (isSure && !/^(utf|ascii|iso-8859-(1|9|15)$|windows-1252)/.test(name) && iconv.encodingExists(name)) return name;
  // Between 0x80 and 0x9F Latin-1 has control characters and Windows-1252 letters.
  return letters.some((byte) => byte >= 0x80 && byte <= 0x9f) ? 'windows-1252' : 'iso-8859-1';
}

/** The lines that have something else than ASCII. */
function linesWithLetters(samples: readonly Buffer[]): Buffer {
  const found: Buffer[] = [];
  let length = 0;
  for (const bytes of samples) {
    for (let start = 0; start < bytes.length && length < GUESSED_BYTES;) {
      const end = bytes.indexOf(10, start);
      const line = bytes.subarray(start, end === -1 ? bytes.length : end + 1);
      start += line.length;
      if (!line.some((byte) => byte >= 0x80)) continue;
      found.push(line.subarray(0, GUESSED_BYTES));
      length += line.length;
    }
  }
  return Buffer.concat(found).subarray(0, GUESSED_BYTES);
}
