const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;

/** Bytes of one character, and which of them is the lower one. */
interface Width {
  readonly bytes: 1 | 2;
  readonly low: 0 | 1;
}

/**
 * The head of a text file up to the end of its last whole line. A line end between quotes is none, unless the quotes don't add up; a head without any
 * line end is left as it is.
 */
export function wholeLines(head: Buffer): Buffer {
  const width = widthOf(head);
  const end = lastEnd(head, width, LINE_FEED) ?? lastEnd(head, width, RETURN);
  return end === null ? head : head.subarray(0, end);
}

const NARROW: Width = { bytes: 1, low: 0 };
const LITTLE_ENDIAN: Width = { bytes: 2, low: 0 };
const BIG_ENDIAN: Width = { bytes: 2, low: 1 };
/** Which part of western text in UTF-16 is zeros at the very least. */
const ZEROS = 1 / 8;

/** UTF-16 has a mark, or in western text a zero in every second byte. */
function widthOf(head: Buffer): Width {
  const mark = head.toString('latin1', 0, 2);
  if (mark === '\xff\xfe') return LITTLE_ENDIAN;
  if (mark === '\xfe\xff') return BIG_ENDIAN;
  const looked = head.subarray(0, 1024);
  const zeros = [...looked.keys()].filter((at) => looked[at] === 0);
  if (zeros.length <= looked.length * ZEROS) return NARROW;
  if (zeros.every((at) => at % 2 === 1)) return LITTLE_ENDIAN;
  return zeros.every((at) => at % 2 === 0) ? BIG_ENDIAN : NARROW;
}

function lastEnd(head: Buffer, width: Width, lineEnd: number): number | null {
  let outside: number | null = null;
  let any: number | null = null;
  let isQuoted = false;
  for (let at = 0; at + width.bytes <= head.length; at += width.bytes) {
    const unit = unitAt(head, at, width);
    if (unit === QUOTE) isQuoted = !isQuoted;
    if (unit !== lineEnd) continue;
    any = at + width.bytes;
    if (!isQuoted) outside = any;
  }
  // A single stray quote would otherwise cost nearly all of the head.
  return outside !== null && outside * 2 >= head.length ? outside : any;
}

/** The character, as far as it is one of ASCII. */
function unitAt(head: Buffer, at: number, { bytes, low }: Width): number | undefined {
  return bytes === 2 && head[at + 1 - low] !== 0 ? undefined : head[at + low];
}
