import type { UnpackedFile, UnpackOptions } from '../../../ports/archive-reader.js';
import { FatalJobError } from '../../../ports/job-queue.js';
import type { LoadColumn, LoadFile, LoadReport } from '../../../ports/row-engine.js';
import type { Append, Datasource, SourceFile } from '../datasource.types.js';
import { unite, withNewNames } from '../united-table.js';
import type { DescribedFile } from '../upload/described-file.js';
import { headBytesOf, type UploadFiles } from '../upload/upload-files.js';

/** A file of the upload with what the datasource knows of it. */
interface SourcePart {
  readonly file: UnpackedFile;
  readonly source: SourceFile;
}

/** What is to be imported, on this machine's disk. Dispose of it when done. */
export interface ImportFiles extends AsyncDisposable {
  readonly isArchive: boolean;
  /** Those that have rows. */
  readonly files: readonly LoadFile[];
  readonly columns: readonly LoadColumn[];
  /** The report on all files of the upload, in their order: also on those that have no rows. */
  readonly completed: (report: LoadReport) => LoadReport;
}

/** What is being imported: a further file, or that of the creation. */
export function importing(datasource: Datasource): Pick<Append, 'filename' | 'sources' | 'changes'> {
  const { append, filename, sources, config } = datasource;
  return append ?? { filename, sources, changes: config.changes ?? [] };
}

/**
 * Unpacks an archive, and looks again at its files where only their heads were known.
 *
 * @throws AppError as the archive reader does; `FatalJobError` when the upload has other files than the datasource was made from.
 */
export async function openImport(
  uploads: UploadFiles,
  datasource: Datasource,
  watch: Pick<UnpackOptions, 'signal' | 'onProgress'>,
): Promise<ImportFiles> {
  const { filename: storageKey, sources, changes } = importing(datasource);
  const upload = { companyId: datasource.companyId, storageKey, originalName: sources[0]?.name ?? '', written: null };
  const opened = await uploads.open(upload, 'all', { ...watch, only: sources.map(({ name }) => name) });
  try {
    const all = partsOf(opened.files, sources);
    const parts = all.filter(({ source }) => source.types.length > 0);
    const isKnown = !opened.isArchive || headBytesOf(opened.files) === null;
    const again = ({ file, source }: SourcePart): Promise<DescribedFile> =>
      uploads.describeEntry(file, source.dialect.decimal);
    const described: DescribedFile[] = [];
    for (const part of parts) {
      watch.signal.throwIfAborted();
      const before = remembered(part);
      const now = isKnown ? before : seenAgain(before, withNewNames(await again(part), changes));
      // Of a thousand files all samples would fill the memory, and types are all that is asked for.
      described.push({ ...now, sample: [], samples: KNOWN_ROWS });
    }
    const { files, columns } = unite(described);
    return {
      isArchive: opened.isArchive,
      files: parts.map(({ file: { path, name } }, index) => ({ path, name, ...readingOf(files[index]) })),
      columns,
      completed: (report) => ({ ...report, files: allFiles(all, report.files) }),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  } catch (error) {
    await opened[Symbol.asyncDispose]();
    throw error;
  }
}

/** Stands for rows that are known to be there. */
const KNOWN_ROWS: DescribedFile['samples'] = [[]];

function partsOf(files: readonly UnpackedFile[], sources: readonly SourceFile[]): readonly SourcePart[] {
  const parts = files.flatMap((file, index) => {
    const source = sources[index];
    return source?.name === file.name ? [{ file, source }] : [];
  });
  if (parts.length === files.length && parts.length === sources.length) return parts;
  throw new FatalJobError('the upload has other files than the datasource was made from');
}

/** What was known when the datasource was made: its types are those of the table. */
function remembered({ file, source }: SourcePart): DescribedFile {
  const { dialect, columns, types, timeFormats = [] } = source;
  const { name, size, workbook } = file;
  const known = columns.map(() => true);
  return { name, size, workbook, dialect, columns, types, timeFormats, known, sample: [], samples: KNOWN_ROWS };
}

/**
 * What the whole file tells counts more than its head. Only what the user has chosen by stays: when the whole looks as if it had other
 * columns, they are those of the head, and the encoding alone is taken over.
 */
function seenAgain(before: DescribedFile, now: DescribedFile): DescribedFile {
  const isAlike =
    now.columns.length === before.columns.length &&
    now.columns.every((name, index) => name.toLowerCase() === before.columns[index]?.toLowerCase()) &&
    now.dialect.delimiter === before.dialect.delimiter;
  if (isAlike) return { ...now, columns: before.columns };
  return { ...before, dialect: { ...before.dialect, encoding: now.dialect.encoding } };
}

function readingOf(file: DescribedFile | undefined): Pick<LoadFile, 'dialect' | 'columns'> {
  if (file === undefined) throw new Error('a file was lost on the way to its import');
  return { dialect: file.dialect, columns: file.columns };
}

function allFiles(parts: readonly SourcePart[], loaded: LoadReport['files']): LoadReport['files'] {
  const byName = new Map(loaded.map((file) => [file.name, file]));
  return parts.map(({ file: { name, size } }) => byName.get(name) ?? { name, size, rows: 0, rejected: 0 });
}
