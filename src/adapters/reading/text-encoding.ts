import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';
import { withoutCutCharacter } from './recognise-at-a-glance.js';

/** Byte order marks; the longer one first, which begins like the shorter. */
const MARKS: readonly (readonly [mark: Buffer, encoding: string])[] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe, 0, 0]), 'utf-32le'],
  [Buffer.from([0, 0, 0xfe, 0xff]), 'utf-32be'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
];
/** What is looked at to find out. */
export const LOOKED_AT = 256 * 1024;
const GUESSED_FROM = 32 * 1024;
/** Of all characters, how many may be neither letters nor signs: more, and it is no text. */
const MOST_STRANGE = 0.001;
const MOST_STRAY = 0.01;
/** Of the halves of characters. */
const SHARE_OF_ZEROS = 0.05;

/** Tab, line breaks, form feed, escape (a Japanese encoding has it) and the 0x1A with which DOS ends a file are text. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const STRANGE = /[\u0000-\u0008\u000e-\u0019\u001c-\u001f\u007f\ufffd\p{Unassigned}\p{Private_Use}\p{Surrogate}]/gu;

/**
 * Tells the encoding of a text from its bytes, as a name that iconv knows: a byte order mark, else zero bytes in every second place,
 * else UTF-8 if it is valid, else a guess among the 8-bit and Asian ones.
 *
 * @returns null when the bytes are no text
 */
export function textEncodingOf(bytes: Buffer): string | null {
  const head = bytes.subarray(0, LOOKED_AT);
  const [, marked] = MARKS.find(([mark]) => head.subarray(0, mark.length).equals(mark)) ?? [];
  const encoding =
    marked ?? wideEncodingOf(head) ?? utf8Of(head) ?? chardet.detect(head.subarray(0, GUESSED_FROM)) ?? 'windows-1252';
  return isText(decodedText(withoutCutEnd(head, encoding), encoding), encoding) ? encoding : null;
}

/** Decodes without the byte order mark; what is no character becomes U+FFFD. */
export function decodedText(bytes: Buffer, encoding: string): string {
  return iconv.decode(bytes, encoding, { stripBOM: true });
}

/** A guess has to prove itself; valid UTF-8 is hardly ever an accident, and may have a stray sign. */
function isText(text: string, encoding: string): boolean {
  if (text.includes('\u0000')) return false;
  const strange = text.match(STRANGE)?.length ?? 0;
  return strange <= (encoding === 'utf-8' ? 1 + text.length * MOST_STRAY : text.length * MOST_STRANGE);
}

/** UTF-16 without a mark: zero bytes are always the same half of a character, at the latest that of spaces and line breaks. */
function wideEncodingOf(head: Buffer): string | null {
  const zeros: [even: number, odd: number] = [0, 0];
  for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  const [even, odd] = zeros;
  const enough = (head.length / 2) * SHARE_OF_ZEROS;
  if (odd >= enough && even === 0) return 'utf-16le';
  return even >= enough && odd === 0 ? 'utf-16be' : null;
}

/** Valid, or with a few bad bytes among many good characters: a spoiled line does not make it another encoding. */
function utf8Of(head: Buffer): string | null {
  const whole = withoutCutEnd(head, 'utf-8');
  if (isUtf8(whole)) return 'utf-8';
  const beyondAscii = whole.toString('utf8').match(/\P{ASCII}/gu) ?? [];
  const bad = beyondAscii.filter((character) => character === '\ufffd').length;
  return beyondAscii.length - bad > bad * 10 ? 'utf-8' : null;
}

/** Where the look ends in the middle of a character, the rest of it is left out. */
function withoutCutEnd(head: Buffer, encoding: string): Buffer {
  if (head.length < LOOKED_AT) return head;
  if (encoding !== 'utf-8') return head.subarray(0, head.length - (head.length % 4));
  return withoutCutCharacter(head);
}
