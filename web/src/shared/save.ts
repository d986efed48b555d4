import { client } from '../app/client.js';

/** From so many rows on a file may not fit in memory. */
const MANY_ROWS = 500_000;

interface FileTarget {
  createWritable(): Promise<WritableStream<Uint8Array>>;
}
type Picker = (options: { readonly suggestedName: string }) => Promise<FileTarget>;

/** Saves what the service sends, and gives its name; null when the reader changed their mind. */
export async function saveDownload(
  path: string,
  query: Readonly<Record<string, string>>,
  rows: number,
): Promise<string | null> {
  const { showSaveFilePicker: pick } = window as { readonly showSaveFilePicker?: Picker };
  // Asked for before anything is fetched: browsers let a page ask only just after a click.
  const target =
    rows >= MANY_ROWS && pick !== undefined ? await chosen(pick, `rows.${query.format ?? 'csv'}`) : undefined;
  if (target === null) return null;
  const { filename, response } = await client.download(path, query);
  if (target === undefined) saveBlob(await response.blob(), filename);
  else await response.body?.pipeTo(await target.createWritable());
  return filename;
}

async function chosen(pick: Picker, suggestedName: string): Promise<FileTarget | null> {
  try {
    return await pick({ suggestedName });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  }
}

/** Hands bytes to the browser's own way of saving. */
export function saveBlob(blob: Blob, filename: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
