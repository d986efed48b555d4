import { StreamableFile } from '@nestjs/common';
import { tame } from '../shared/tame.js';

const LONGEST_NAME = 100;
/** Many datasources are called after their file. */
const UPLOADED_ENDING = /\.(?:csv|zip|xlsx|parquet)$/i;
/** What file systems give a meaning of their own. */
const NOT_IN_FILES = /[\\/:*?"<>|]/g;
const NOT_PLAIN = /[^\w .()-]/g;
/** What `encodeURIComponent` leaves and the header has a use for. */
const RESERVED = /['()*]/g;

/** The value of `content-disposition` under which a browser saves an answer: any Unicode name, and a plain one for those that know no better. */
export function attachment(name: string, ending: string): string {
  const bare = name.replace(UPLOADED_ENDING, '');
  const safe = tame(bare, LONGEST_NAME).toWellFormed().replace(NOT_IN_FILES, '_').replace(/^\.+/, '').trim();
  const file = `${safe === '' ? 'datasource' : safe}${ending}`;
  const encoded = encodeURIComponent(file).replace(RESERVED, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${file.replace(NOT_PLAIN, '_')}"; filename*=UTF-8''${encoded}`;
}

/** How the API document describes a CSV file. */
export const CSV = { content: { 'text/csv': { schema: { type: 'string', format: 'binary' } } } };

export const CSV_TYPE = 'text/csv; charset=utf-8';

const NOTEBOOK_TYPE = 'application/x-ipynb+json';

/** How the API document describes a notebook. */
export const NOTEBOOK = { content: { [NOTEBOOK_TYPE]: { schema: { type: 'string', format: 'binary' } } } };

/** The answer that a browser saves as a notebook of that name. */
export function notebookFile(name: string, notebook: Buffer): StreamableFile {
  const disposition = attachment(name, '.ipynb');
  return new StreamableFile(notebook, { type: NOTEBOOK_TYPE, length: notebook.byteLength, disposition });
}
