import { wideEncodingOf, withoutCutEnd } from '../../shared/text-bytes.js';
import { decoded, narrowEncodingOf } from '../../shared/text-encoding.js';

/** What is looked at to find out. */
export const LOOKED_AT = 256 * 1024;
/** Of all characters, how many may be neither letters nor signs: more, and it is no text. */
const MOST_STRANGE = 0.001;
const MOST_STRAY = 0.01;
const SURE_ENOUGH = 15;

/** Tab, line breaks, form feed, escape (a Japanese encoding has it) and the 0x1A with which DOS ends a file are text. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const STRANGE = /[\u0000-\u0008\u000e-\u0019\u001c-\u001f\u007f\ufffd\p{Unassigned}\p{Private_Use}\p{Surrogate}]/gu;

/** The encoding of a text, as a name that iconv knows; null when the bytes are no text. */
export function textEncodingOf(bytes: Buffer): string | null {
  const head = bytes.subarray(0, LOOKED_AT);
  const isCut = head.length === LOOKED_AT;
  const narrow = isCut ? withoutCutEnd(head) : head;
  const wide = wideEncodingOf(head);
  const encoding = wide ?? narrowEncodingOf([narrow], SURE_ENOUGH);
  // No character of the wide encodings is cut between fours of bytes.
  const whole = wide === null ? narrow : head.subarray(0, isCut ? head.length - (head.length % 4) : undefined);
  return isText(decoded(whole, encoding), encoding) ? encoding : null;
}

/** A guess has to prove itself; valid UTF-8 is hardly ever an accident, and may have a stray sign. */
function isText(text: string, encoding: string): boolean {
  if (text.includes('\u0000')) return false;
  const strange = text.match(STRANGE)?.length ?? 0;
  return strange <= (encoding === 'utf-8' ? 1 + text.length * MOST_STRAY : text.length * MOST_STRANGE);
}
