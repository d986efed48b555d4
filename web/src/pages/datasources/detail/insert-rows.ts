import { api, call } from '../../../app/client.js';
import { csvOf, parseCsv } from '../../../shared/csv.js';
import { LOCALE } from '../../../shared/language.js';
import type { Datasource } from '../../../shared/wire.js';
import { t } from '@lingui/core/macro';

/** What the service takes at once. */
const BATCH = 1000;

export interface Paste {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** Why it can't be inserted; null when it can. */
  readonly problem: string | null;
}

export interface Skipped {
  /** From 1, as the reader counts. */
  readonly row: number;
  readonly reason: string;
}

export interface InsertOutcome {
  readonly inserted: number;
  readonly skipped: number;
  readonly sample: readonly Skipped[];
  /** The rows that were skipped, to be corrected and inserted, as the sample counts them; null: all that was pasted. */
  readonly left: string | null;
}

/** What a pasted text means for a datasource: with a line of column names, or in the order of its own columns. */
export function pasteOf(text: string, { config }: Datasource): Paste {
  const [first, ...others] = parseCsv(text);
  if (first === undefined) return { columns: [], rows: [], problem: null };
  const known = config.columns[0] ?? [];
  const isHeader = first.some((cell) => known.includes(cell));
  const columns = isHeader ? first : known;
  const lines = isHeader ? others : [first, ...others];
  const rows = lines.map((cells) => rowOf(columns, cells));
  return {
    columns: columns.filter((name) => known.includes(name)),
    rows,
    problem: problemOf(columns, rows.length, config),
  };
}

function rowOf(columns: readonly string[], cells: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(columns.map((name, place) => [name, cells[place] ?? '']));
}

const LIST = new Intl.ListFormat(LOCALE);

function problemOf(columns: readonly string[], rows: number, config: Datasource['config']): string | null {
  const needed = config.is_timeseries ? [config.timefield, config.metafield] : [config.metafield];
  const missing = needed.filter((name) => !columns.includes(name));
  if (missing.length > 0)
    return t`Every row needs these columns, and the first line must name them: ${LIST.format(missing)}.`;
  return rows === 0 ? t`There are no rows below the column names.` : null;
}

/** Inserts all rows, a thousand at a time. `keys` has one for each thousand, so that a second try after a lost answer stores nothing twice. */
export async function insertAll(
  datasourceId: string,
  paste: Paste,
  keys: { readonly of: (batch: number) => string; readonly onBatch: (done: number) => void },
): Promise<InsertOutcome> {
  const { rows } = paste;
  let outcome: InsertOutcome = { inserted: 0, skipped: 0, sample: [], left: null };
  for (let start = 0; start < rows.length; start += BATCH) {
    const data = rows.slice(start, start + BATCH).map((row) => ({ ...row }));
    const answer = await insertBatch(datasourceId, data, keys.of(start / BATCH));
    const sample = answer.skipped.map(({ row, reason }) => ({ row: start + row + 1, reason }));
    outcome = {
      ...outcome,
      inserted: outcome.inserted + answer.inserted_rows,
      skipped: outcome.skipped + data.length - answer.inserted_rows,
      sample: [...outcome.sample, ...sample].slice(0, 100),
    };
    keys.onBatch(Math.min(start + BATCH, rows.length));
  }
  return withoutInserted(outcome, paste);
}

/** Rows that are inserted already would be stored twice. */
function withoutInserted(outcome: InsertOutcome, { columns, rows }: Paste): InsertOutcome {
  const { inserted, skipped, sample } = outcome;
  if (inserted === 0 || skipped > sample.length) return outcome;
  const left = sample.map(({ row }) => columns.map((name) => rows[row - 1]?.[name] ?? ''));
  return {
    ...outcome,
    sample: sample.map(({ reason }, place) => ({ row: place + 1, reason })),
    left: skipped === 0 ? '' : csvOf([columns, ...left]),
  };
}

interface InsertAnswer {
  readonly inserted_rows: number;
  readonly skipped: readonly { readonly row: number; readonly reason: string }[];
}

/** When none of the rows fits the service answers with 400, and with the reasons, which are what the reader needs. */
async function insertBatch(id: string, data: Record<string, string>[], key: string): Promise<InsertAnswer> {
  const asked = api.PATCH('/api/v1/secure/datasource/insert', {
    body: { datasource_id: id, data },
    headers: { 'idempotency-key': key },
  });
  const { error } = await asked;
  const refused = error as Partial<InsertAnswer> | undefined;
  if (refused?.inserted_rows === 0 && refused.skipped !== undefined)
    return { inserted_rows: 0, skipped: refused.skipped };
  return call(asked);
}
