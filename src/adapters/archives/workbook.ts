import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import type { UnpackedFile } from '../../ports/archive-reader.js';
import { refused, shown } from './archive-protocol.js';
import { WORKBOOK } from './entry-rules.js';
import type { Unpacking } from './format.js';
import { MadeFile } from './made-file.js';
import { mergedIn, SheetReader } from './sheet.js';
import { type CellContext, readPart, readStyles, SharedTexts } from './workbook-parts.js';
import type { ZipDirectory, ZipEntry } from './zip-directory.js';
import { entryContent } from './zip-unpacking.js';

/** To read XML takes some times as long as to write bytes. */
const XML_COST = 4;
/** Of all sheets together, where their heads are enough. */
const HEADS_BYTES = 16 * 1024 ** 2;
const LEAST_HEAD = 64 * 1024;
const MOST_HEAD = 2 * 1024 ** 2;
/** Other parts than sheets and texts. */
const LARGEST_PART = 64 * 1024 ** 2;

export interface WorkbookOrder extends Unpacking {
  readonly name: string;
  readonly isAlone: boolean;
  readonly newPath: () => string;
}

/** A sheet with cells, by name. */
interface Sheet {
  readonly name: string;
  readonly entry: ZipEntry;
}

/** Writes each sheet of a workbook as CSV: first those that are seen. Formulas count as their last values. */
export async function sheetsOf(archive: ZipDirectory, order: WorkbookOrder): Promise<readonly UnpackedFile[]> {
  const parts = new WorkbookParts(archive, order.onBytes);
  const { sheets, is1904 } = await parts.sheets();
  const named = sheets.map(({ name, entry }) => ({ entry, name: order.isAlone ? name : `${order.name}/${name}` }));
  const wanted = named.filter(({ name }) => order.only?.includes(name) ?? true);
  const planned = wanted.reduce((sum, { entry }) => sum + entry.size, parts.sizeOf('xl/sharedStrings.xml'));
  order.onPlan(planned, planned * XML_COST);
  const texts = await SharedTexts.read(parts.content('xl/sharedStrings.xml'));
  const styles = await readStyles(parts.content('xl/styles.xml'));
  const files: UnpackedFile[] = [];
  for (const sheet of wanted)
    files.push(await written(archive, sheet, { texts, styles, is1904 }, order, wanted.length));
  return files;
}

async function written(
  archive: ZipDirectory,
  { name, entry }: Sheet,
  context: CellContext,
  order: WorkbookOrder,
  sheets: number,
): Promise<UnpackedFile> {
  const { headBytes, newPath, onBytes } = order;
  const share = Math.min(MOST_HEAD, Math.max(LEAST_HEAD, HEADS_BYTES / sheets));
  const most = headBytes === null ? Infinity : Math.min(headBytes, share);
  const path = newPath();
  const merged = await mergedIn(entryContent(archive, entry, () => undefined));
  await using file = await MadeFile.create(path, archive.size);
  const reader = new SheetReader(context, merged);
  await readPart(entryContent(archive, entry, onBytes), reader.handler, async () => {
    await file.write(reader.takeText());
    return file.bytes < most;
  });
  reader.end();
  await file.write(reader.takeText());
  const isWhole = file.bytes < most;
  const { size } = await stat(path);
  return {
    ...{ name, path, isWhole, isConverted: true, workbook: order.name },
    size: isWhole ? size : Math.max(size, entry.size),
    written: { isTable: false, types: reader.types() },
  };
}

class WorkbookParts {
  private readonly entries: ReadonlyMap<string, ZipEntry>;

  constructor(
    private readonly archive: ZipDirectory,
    private readonly onBytes: (bytes: number) => void,
  ) {
    // Programs write names of parts in upper and lower case as they like.
    this.entries = new Map(archive.entries.map((entry) => [entry.path.toLowerCase(), entry]));
  }

  sizeOf(path: string): number {
    return this.entries.get(path.toLowerCase())?.size ?? 0;
  }

  /** Nothing, when there is no such part. */
  async *content(path: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(path.toLowerCase());
    if (entry === undefined) yield Buffer.from('<none/>');
    else yield* entryContent(this.archive, entry, this.onBytes);
  }

  async sheets(): Promise<{ readonly sheets: readonly Sheet[]; readonly is1904: boolean }> {
    const targets = await this.targets();
    const sheets: (Sheet & { readonly isHidden: boolean })[] = [];
    let is1904 = false;
    await readPart(this.small(WORKBOOK), {
      open: (element, attributes) => {
        const { date1904 = '', name = '', state = '' } = attributes;
        if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(date1904);
        if (element !== 'sheet') return;
        const [, id = ''] = Object.entries(attributes).find(([key]) => /(?:^|:)id$/.test(key)) ?? [];
        // A sheet that is a chart has no cells.
        const entry = this.entries.get((targets.get(id) ?? '').toLowerCase());
        if (entry !== undefined) sheets.push({ name: name.trim() || id, entry, isHidden: /hidden/i.test(state) });
      },
    });
    if (sheets.length === 0) throw refused('the workbook has no sheet with cells');
    const twice = sheets.find(({ name }, index) => sheets.findIndex((other) => other.name === name) !== index);
    if (twice !== undefined) throw refused(`the workbook has two sheets of one name: ${shown(twice.name)}`);
    return { sheets: [...sheets.filter((one) => !one.isHidden), ...sheets.filter((one) => one.isHidden)], is1904 };
  }

  private async targets(): Promise<ReadonlyMap<string, string>> {
    const targets = new Map<string, string>();
    await readPart(this.small('xl/_rels/workbook.xml.rels'), {
      open: (name, { Id = '', Target = '', Type = '' }) => {
        if (name !== 'Relationship' || !Type.endsWith('/worksheet')) return;
        targets.set(Id, posix.normalize(Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`));
      },
    });
    return targets;
  }

  private small(path: string): AsyncGenerator<Buffer> {
    if (this.sizeOf(path) > LARGEST_PART) throw refused('the workbook has a part that is too large');
    return this.content(path);
  }
}
