import { aDocx as aWordDocument, aPdf as aPrintedPdf, paragraph } from '../contracts/document-reader.fixture.js';
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
export function aPdf(pages: readonly string[]): Promise<Uint8Array> {
  return aPrintedPdf(pages.map((text) => [text]));
}

/** A Word document with these paragraphs. */
export function aDocx(paragraphs: readonly { readonly text: string; readonly style?: string }[]): Uint8Array {
  return aWordDocument({ body: paragraphs.map(({ text, ...style }) => paragraph(text, style)).join('') });
}
