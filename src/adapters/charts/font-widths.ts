import { readFileSync } from 'node:fs';

/** Widths of a font's letters: what the drawing library has to know to place text, and can't find out without a browser. */
export class FontWidths {
  private readonly widths = new Map<number, number>();
  private readonly file: DataView;
  private readonly tables: ReadonlyMap<string, number>;

  constructor(path: string) {
    const bytes = readFileSync(path);
    this.file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.tables = this.readTables();
    this.readLetters();
  }

  /** The width of a text in pixels. Letters that the font does not have count as wide ones. */
  widthOf(text: string, fontSize: number): number {
    return (
      Array.from(text).reduce((sum, letter) => sum + (this.widths.get(letter.codePointAt(0) ?? 0) ?? 1), 0) * fontSize
    );
  }

  /** Whether the font has every letter of a text; signs of control need none. */
  covers(text: string): boolean {
    // Every font has those of ASCII.
    const letters = new Set(text.match(/[^\p{ASCII}\p{Cc}\p{Cf}]/gu));
    return [...letters].every((letter) => this.widths.has(letter.codePointAt(0) ?? 0));
  }

  private readTables(): ReadonlyMap<string, number> {
    const tag = (at: number): string =>
      String.fromCharCode(...[0, 1, 2, 3].map((index) => this.file.getUint8(at + index)));
    const records = Array.from({ length: this.file.getUint16(4) }, (_, index) => 12 + index * 16);
    return new Map(records.map((at) => [tag(at), this.file.getUint32(at + 8)]));
  }

  private table(name: string): number {
    const at = this.tables.get(name);
    if (at === undefined) throw new Error(`the font has no table ${name}`);
    return at;
  }

  /** The character map in format 4, which every TrueType font has for the letters of the basic plane. */
  private readLetters(): void {
    const map = this.segmentedMap();
    const count = this.file.getUint16(map + 6) / 2;
    for (let segment = 0; segment < count; segment++) this.readSegment(map + 14, count, segment);
  }

  private segmentedMap(): number {
    const cmap = this.table('cmap');
    const records = Array.from({ length: this.file.getUint16(cmap + 2) }, (_, index) => cmap + 4 + index * 8);
    const found = records.map((at) => cmap + this.file.getUint32(at + 4)).find((at) => this.file.getUint16(at) === 4);
    if (found === undefined) throw new Error('the font has no character map of format 4');
    return found;
  }

  private readSegment(ends: number, count: number, segment: number): void {
    const at = (list: number): number => ends + (list * count + segment) * 2 + (list > 0 ? 2 : 0);
    const [end, start] = [this.file.getUint16(at(0)), this.file.getUint16(at(1))];
    const [delta, offset] = [this.file.getUint16(at(2)), this.file.getUint16(at(3))];
    for (let code = start; code <= end && code !== 0xffff; code++) {
      const glyph = offset === 0 ? code : this.file.getUint16(at(3) + offset + (code - start) * 2);
      if (glyph !== 0) this.widths.set(code, this.advanceOf((glyph + delta) & 0xffff));
    }
  }

  private advanceOf(glyph: number): number {
    const last = this.file.getUint16(this.table('hhea') + 34) - 1;
    return (
      this.file.getUint16(this.table('hmtx') + Math.min(glyph, last) * 4) / this.file.getUint16(this.table('head') + 18)
    );
  }
}
