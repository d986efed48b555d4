import { type FieldSpans, type FieldSyntax, RecordMachine, Unquoter } from './record-machine.js';

const COMMA = 44;
const QUOTE = 34;
const LINE_FEED = 10;
const RETURN = 13;
/** Without it, a mark that the first field begins with would be taken for the file's. */
export const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const ROOM = 1024 ** 2;
/** Every byte may be a quote that is doubled, in fields of one byte each. */
const MOST_GROWTH = 5;

/** The text of sound records on the way to a file that every reader reads alike: one line feed behind each. */
export abstract class CleanText {
  protected room = Buffer.allocUnsafeSlow(ROOM);
  protected length = 0;

  constructor() {
    this.room.set(BYTE_ORDER_MARK);
    this.length = BYTE_ORDER_MARK.length;
  }

  /** Adds a sound record. */
  add(bytes: Buffer, start: number, end: number): void {
    this.makeRoom((end - start) * MOST_GROWTH + 3);
    this.write(bytes, start, end);
    this.put(LINE_FEED);
  }

  /** What was added since it was last taken; only good until more is added. */
  take(): Buffer {
    const text = this.room.subarray(0, this.length);
    this.length = 0;
    return text;
  }

  protected abstract write(bytes: Buffer, start: number, end: number): void;

  protected put(byte: number): void {
    this.room[this.length++] = byte;
  }

  protected copy(bytes: Buffer, start: number, end: number): void {
    bytes.copy(this.room, this.length, start, end);
    this.length += end - start;
  }

  private makeRoom(more: number): void {
    if (this.length + more <= this.room.length) return;
    const room = Buffer.allocUnsafeSlow((this.length + more) * 2);
    this.room.copy(room, 0, 0, this.length);
    this.room = room;
  }
}

/** Records as they stand. */
export class VerbatimText extends CleanText {
  protected override write(bytes: Buffer, start: number, end: number): void {
    this.copy(bytes, start, end);
  }
}

/** Records of any syntax, written with commas and doubled quotation marks. */
export class RewrittenText extends CleanText {
  private readonly machine: RecordMachine;
  private readonly unquoter: Unquoter;
  /** 1 for bytes that a quote or an escape begins with. */
  private readonly isSign = new Uint8Array(256);
  private readonly fields: FieldSpans = { count: 0, spans: new Int32Array(64 * 3) };

  constructor(private readonly syntax: FieldSyntax) {
    super();
    this.machine = new RecordMachine(syntax);
    this.unquoter = new Unquoter(syntax);
    for (const sign of [syntax.quote, syntax.escape]) if (sign !== '') this.isSign[Buffer.from(sign)[0] ?? 0] = 1;
  }

  protected override write(bytes: Buffer, start: number, end: number): void {
    const { fields } = this;
    this.machine.fields(bytes, start, end, fields);
    for (let field = 0; field < fields.count; field++) {
      if (field > 0) this.put(COMMA);
      this.writeField(bytes, field);
    }
  }

  /** A line of nothing would be passed over. */
  private writeField(bytes: Buffer, field: number): void {
    const { count, spans } = this.fields;
    const from = spans[field * 3] ?? 0;
    const to = spans[field * 3 + 1] ?? 0;
    const isQuoted = spans[field * 3 + 2] === 1 || (count === 1 && from === to);
    if (isQuoted) this.writeQuoted(bytes, from, to);
    else this.writePlain(bytes, from, to);
  }

  private writePlain(bytes: Buffer, start: number, end: number): void {
    const begin = this.length;
    for (let at = start; at < end; at++) {
      const byte = byteAt(bytes, at);
      if (isSpecial(byte)) {
        this.length = begin;
        this.writeSpecial(bytes, start, end);
        return;
      }
      this.put(byte);
    }
  }

  private writeSpecial(bytes: Buffer, start: number, end: number): void {
    this.put(QUOTE);
    for (let at = start; at < end; at++) this.putQuoted(byteAt(bytes, at));
    this.put(QUOTE);
  }

  private writeQuoted(bytes: Buffer, start: number, end: number): void {
    this.put(QUOTE);
    for (let at = start; at < end;) {
      const byte = byteAt(bytes, at);
      if (this.isSign[byte] === 1) at = this.writeSign(bytes, at, end);
      else {
        this.putQuoted(byte);
        at++;
      }
    }
    this.put(QUOTE);
  }

  /** Says where to go on. */
  private writeSign(bytes: Buffer, at: number, end: number): number {
    const { passed, kept } = this.unquoter.literalAt(bytes, at, end);
    const behind = at + passed + kept;
    for (let index = at + passed; index < behind; index++) this.putQuoted(byteAt(bytes, index));
    return behind;
  }

  private putQuoted(byte: number): void {
    if (byte === QUOTE) this.put(QUOTE);
    this.put(byte);
  }
}

function byteAt(bytes: Buffer, at: number): number {
  return bytes[at] ?? 0;
}

function isSpecial(byte: number): boolean {
  return byte <= COMMA && (byte === COMMA || byte === QUOTE || byte === LINE_FEED || byte === RETURN);
}
