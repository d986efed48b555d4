import { strToU8, zipSync } from 'fflate';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';

export interface AFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

export interface ListedFile extends Readonly<Record<'id' | 'filename' | 'uploaded_date', string>> {
  readonly metadata: Readonly<Record<'company_id' | 'status' | 'collection_id' | 'created_at', string>> & {
    readonly reason?: string;
    readonly pages: number | null;
    readonly passages: number;
  };
}

export interface Source extends Readonly<Record<'file_id' | 'filename' | 'quote', string>> {
  readonly page: number | null;
}

export interface Answered extends Readonly<Record<'response' | 'kind' | 'dbquery', string>> {
  readonly sources: readonly Source[];
}

/** Sends files as a browser's form does. */
export async function putFiles(client: TestClient, files: readonly AFile[], field = 'files'): Promise<TestResponse> {
  const form = new FormData();
  for (const { name, content } of files) form.append(field, new Blob([content]), name);
  return putBody(client, form);
}

export async function putBody(
  client: TestClient,
  body: FormData | string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const response = await fetch(`${client.url}/api/v1/secure/contextfiles`, {
    method: 'PUT',
    body,
    headers: { authorization: `Bearer ${String(client.token)}`, ...headers },
  });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

export async function listed(client: TestClient): Promise<readonly ListedFile[]> {
  const { body } = await client.get('/secure/contextfiles');
  return body['files'] as ListedFile[];
}

/** Sends files and waits until all of them are ready or failed. */
export async function processed(
  api: TestApi,
  client: TestClient,
  files: readonly AFile[],
): Promise<readonly ListedFile[]> {
  const { status, body } = await putFiles(client, files);
  if (status !== 200) throw new Error(`not taken: ${JSON.stringify(body)}`);
  const ids = new Set((body['files'] as ListedFile[]).map(({ id }) => id));
  await api.drain();
  return (await listed(client)).filter(({ id }) => ids.has(id)).toReversed();
}

export async function aContextConversation(client: TestClient, datasourceId: string): Promise<string> {
  const { body } = await client.post('/secure/assistant/conversation', {
    title: 'About the files',
    datasource_id: datasourceId,
    context_only: true,
  });
  return String(body['id']);
}

export async function ask(client: TestClient, conversation: string, message: string): Promise<Answered> {
  const { status, body } = await client.post('/secure/assistant/chat', { conversation_id: conversation, message });
  if (status !== 200) throw new Error(`not answered: ${JSON.stringify(body)}`);
  return body['response'] as Answered;
}

/** A PDF with these texts, a page each. */
export async function aPdf(pages: readonly string[]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const text of pages) {
    const page = document.addPage([595, 842]);
    page.drawText(text, { x: 50, y: 780, size: 11, font, maxWidth: 480, lineHeight: 14 });
  }
  return document.save();
}

export interface AParagraph {
  readonly text: string;
  readonly style?: string;
}

/** A Word document with these paragraphs. */
export function aDocx(paragraphs: readonly AParagraph[]): Uint8Array {
  const body = paragraphs
    .map(({ text, style }) => {
      const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
      return `<w:p>${properties}<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;
    })
    .join('');
  const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  return zipSync({
    '[Content_Types].xml': strToU8(
      '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    '_rels/.rels': strToU8(
      '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    'word/document.xml': strToU8(
      `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="${namespace}"><w:body>${body}</w:body></w:document>`,
    ),
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
