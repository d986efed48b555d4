import { createReadStream } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../ports/log.js';
import type { ObjectStore } from '../ports/object-store.js';
import type { TableRef } from '../ports/table.js';
import { AppError, messageOf } from '../shared/app-error.js';
import { asId, isId } from '../shared/ids.js';
import type { EngineProcess } from './engine/engine-client.js';
import { runCompaction } from './jobs.js';
import { DRAFT_FILE, fileExists, inDraft, linkOrCopy, namesIn, type RowFiles } from './row-files.js';
import type { RowFile, RowObjects } from './row-objects.js';
import type { RowTables } from './row-tables.js';
import { widened } from './table-shape.js';

const DATABASE = /^(base|delta)[.](\d+)(?:[.](\d+))?[.]duckdb$/;
const INSPECT_MS = 60_000;
const never = new AbortController().signal;

interface Parts {
  readonly process: EngineProcess;
  readonly tables: RowTables;
  readonly files: RowFiles;
  readonly objects: RowObjects;
  readonly store: ObjectStore;
  readonly log: Log;
  /** Of what makes one file of the later rows. */
  readonly memoryMb: number;
}

/** A generation as earlier versions kept it: `rows/<company>/<datasource>/base.<generation>.<merged>.duckdb`, and deltas above `merged`. */
interface OlderTable {
  readonly ref: TableRef;
  readonly folder: string;
  readonly base: string;
  readonly deltas: readonly string[];
}

/** @throws AppError `conflict` when rows lie in the data folder as an earlier version kept them. */
export async function assertTakenOver({ root }: RowFiles): Promise<void> {
  if (!(await namesIn(root, true)).some(isId)) return;
  const why = `${root} has rows of an earlier version: start the service on its data folder once, which takes them over`;
  throw new AppError('conflict', why);
}

/** Takes over rows that an earlier version has left in the data folder, datasource by datasource. It may be interrupted, and goes on at the next start. */
export async function takeOverOlderRows(parts: Parts): Promise<void> {
  for (const company of (await namesIn(parts.files.root, true)).filter(isId)) {
    const folder = join(parts.files.root, company);
    for (const datasource of (await namesIn(folder, true)).filter(isId))
      await takeOverDatasource(parts, join(folder, datasource), {
        companyId: asId(company),
        datasourceId: asId(datasource),
      });
    // What could not be taken over stays.
    await rmdir(folder).catch(() => undefined);
  }
}

async function takeOverDatasource(
  parts: Parts,
  folder: string,
  owner: Pick<TableRef, 'companyId' | 'datasourceId'>,
): Promise<void> {
  try {
    for (const table of await olderTables(folder, owner)) await takeOver(parts, table);
    await rm(folder, { recursive: true });
  } catch (error) {
    parts.log.error(`the rows in ${folder} could not be taken over`, { error: messageOf(error) });
  }
}

async function olderTables(
  folder: string,
  owner: Pick<TableRef, 'companyId' | 'datasourceId'>,
): Promise<readonly OlderTable[]> {
  const found = (await namesIn(folder)).flatMap((name) => {
    const [, kind, generation, number = kind === 'base' ? '0' : '1'] = DATABASE.exec(name) ?? [];
    return kind === undefined ? [] : [{ name, kind, generation: Number(generation), number: Number(number) }];
  });
  const generations = new Set(found.map(({ generation }) => generation));
  return [...generations].flatMap((generation) => {
    const own = found.filter((file) => file.generation === generation).sort((one, other) => one.number - other.number);
    // The highest is the one that was read, and holds the deltas up to its number.
    const base = own.filter(({ kind }) => kind === 'base').at(-1);
    if (base === undefined) return [];
    const deltas = own.filter(({ kind, number }) => kind === 'delta' && number > base.number);
    return [
      {
        ref: { ...owner, generation, visibleFrom: null },
        folder,
        base: join(folder, base.name),
        deltas: deltas.map(({ name }) => join(folder, name)),
      },
    ];
  });
}

async function takeOver(parts: Parts, { ref, folder, base, deltas }: OlderTable): Promise<void> {
  const { process, tables, files, objects, store } = parts;
  if (await tables.has(ref)) return;
  const { companyId, datasourceId, generation } = ref;
  const prefix = `${datasourceId}.${generation}.`;
  const shape = await process.request('inspect', { path: base }, INSPECT_MS);
  const part = deltas.length === 0 ? null : await partOf(parts, { ref, base, deltas, prefix });
  const lines = join(folder, `rejects.${generation}.ndjson`);
  const rejects = (await fileExists(lines)) ? `${prefix}rejects` : null;
  if (rejects !== null) {
    const key = { companyId, area: 'rows' as const, name: rejects };
    await store.remove(key);
    await store.write(key, createReadStream(lines), Number.MAX_SAFE_INTEGER);
  }
  const columns = widened(shape.columns, part?.wider ?? []);
  const names = { timeField: shape.time.name, metaField: shape.meta.name };
  // What was taken over is removed when the record is there.
  const file = await inDraft(files, async (draft) => {
    await linkOrCopy(base, join(draft, DRAFT_FILE));
    return objects.put(companyId, prefix, join(draft, DRAFT_FILE), shape.rows);
  });
  await tables.publish(ref, { ...names, base: file, part: part?.file ?? null, rejects, columns });
}

/** One file of the later rows. */
async function partOf(
  { process, files, objects, memoryMb }: Parts,
  { ref, base, deltas, prefix }: { ref: TableRef; base: string; deltas: readonly string[]; prefix: string },
): Promise<{ readonly file: RowFile; readonly wider: readonly string[] }> {
  return inDraft(files, async (draft) => {
    const order = { base, isPart: true, laterRows: 0, older: deltas, columns: null, visibleFrom: null, memoryMb };
    const rows = await runCompaction(draft, order, never);
    const { columns } = await process.request('inspect', { path: join(draft, DRAFT_FILE) }, INSPECT_MS);
    const wider = columns.filter(({ type }) => type === 'number').map(({ physical }) => physical);
    return { file: await objects.put(ref.companyId, prefix, join(draft, DRAFT_FILE), rows), wider };
  });
}
