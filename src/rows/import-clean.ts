import { type Layout, linesOf, splitText } from './inspect-records.js';

const LINE_FEED = 10;
/** Without it, a mark that the first field begins with would be taken for the file's. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const ROOM = 1024 ** 2;

/** The text of sound records on the way to a file that every reader reads alike: one line feed behind each. */
export class CleanText {
  private room = Buffer.allocUnsafeSlow(ROOM);
  private length = BYTE_ORDER_MARK.copy(this.room);

  /** With a layout the records are written anew, with commas and quotation marks; else they stay as they stand. */
  constructor(private readonly layout: Layout | null) {}

  /** Adds a sound record. */
  add(bytes: Buffer, start: number, end: number): void {
    const { layout } = this;
    const record = layout === null ? bytes.subarray(start, end) : rewritten(bytes.toString('utf8', start, end), layout);
    this.makeRoom(record.length + 1);
    this.length += record.copy(this.room, this.length);
    this.room[this.length++] = LINE_FEED;
  }

  /** What was added since it was last taken; only good until more is added. */
  take(): Buffer {
    const text = this.room.subarray(0, this.length);
    this.length = 0;
    return text;
  }

  private makeRoom(more: number): void {
    if (this.length + more <= this.room.length) return;
    const room = Buffer.allocUnsafeSlow((this.length + more) * 2);
    this.room.copy(room, 0, 0, this.length);
    this.room = room;
  }
}

/** A record of which there is none is an empty line, which the database passes over and the count of records misses. */
function rewritten(record: string, layout: Layout): Buffer {
  const [row] = splitText(linesOf(record), layout).rows;
  return Buffer.from((row?.cells ?? []).map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
}
