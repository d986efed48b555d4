import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { AppError } from '../../src/shared/app-error.js';
import { DocumentReader } from '../../src/ports/document-reader.js';
import { type Collection, DocumentStore } from '../../src/ports/document-store.js';
import { EmbeddingModel } from '../../src/ports/embedding-model.js';
import { Instance } from '../../src/ports/instance.js';
import { JOB_POLICIES } from '../../src/ports/jobs.js';
import { type ContextFile, CONTEXT_FILES } from '../../src/features/context-files/context-file.schema.js';
import { PassageBatchRepository } from '../../src/features/context-files/passages/passage-batch.repository.js';
import { PASSAGE_BATCHES } from '../../src/features/context-files/passages/passage-batch.schema.js';
import { DATASOURCES } from '../../src/features/datasource/datasource.schema.js';
import { ContextFilesFacade } from '../../src/features/context-files/context-files.facade.js';
import { ContextFileReconciler } from '../../src/features/context-files/processing/context-file-run.js';
import { aService } from '../api/a-service.js';
import { aContextConversation, aPdf, ask, listed, processed, putFiles } from '../api/context-files.builder.js';
import { importedDatasource } from '../api/world.builder.js';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { INSTANCES } from '../support/way.js';

const MINUTE = 60_000;
const TEXT = { name: 'a.txt', content: 'The lighthouse was built in 1874.' };
const AWAY = new AppError('unavailable', 'the embedding service is away');

// As the service runs, but for the pause before the next attempt.
Object.assign(JOB_POLICIES['context-file.process'], { backoffMs: 100 });
const service = await aService();
/** The same service with other companies in each test. */
let api: TestApi;
let ada: TestClient;

beforeEach(async () => {
  api = service.anew();
  ada = await api.signIn('acme');
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function passages(question: string, company = 'acme'): Promise<readonly string[]> {
  const found = await api
    .get(ContextFilesFacade)
    .passagesFor(await api.companyId(company), question, AbortSignal.timeout(10_000));
  return found.map(({ quote }) => quote);
}

/** No instance reaches the endpoint, until the spies are restored. */
function endpointAway(): readonly MockInstance<EmbeddingModel['embed']>[] {
  return api.everywhere(EmbeddingModel).map((model) => vi.spyOn(model, 'embed').mockRejectedValue(AWAY));
}

function renameModel(value = 'another-model'): void {
  for (const model of api.everywhere(EmbeddingModel)) Object.defineProperty(model, 'name', { value });
}

async function batches(): Promise<readonly { readonly attempt: string; readonly fileId: string }[]> {
  const company = await api.companyId('acme');
  return api.get(DocumentStore).tenantCollection(PASSAGE_BATCHES).of(company).find({});
}

async function statuses(client = ada): Promise<readonly string[]> {
  return (await listed(client)).map(({ metadata }) => metadata.status);
}

/** What was left over is looked for, and worked on. */
async function reconciled(): Promise<void> {
  await api.get(ContextFileReconciler).tick();
  await api.drain();
}

async function files(): Promise<Collection<ContextFile>> {
  return api
    .get(DocumentStore)
    .tenantCollection(CONTEXT_FILES)
    .of(await api.companyId('acme'));
}

describe('while the embedding endpoint is away', () => {
  it('a file waits for it, and is ready when it is back, or fails after ten minutes with a reason for people', async () => {
    const spies = endpointAway();
    await putFiles(ada, [TEXT]);
    await api.drain();
    expect(spies.flatMap(({ mock }) => mock.calls)).toHaveLength(3);
    expect(await statuses()).toEqual(['pending']);
    expect(await batches()).toEqual([]);
    for (const spy of spies) spy.mockRestore();
    await reconciled();
    expect(await statuses()).toEqual(['ready']);

    endpointAway();
    await putFiles(ada, [{ ...TEXT, name: 'b.txt' }]);
    await api.drain();
    api.clock.advance(10 * MINUTE + 1);
    await reconciled();
    const late = (await listed(ada)).find(({ filename }) => filename === 'b.txt');
    expect(late?.metadata).toMatchObject({
      status: 'failed',
      reason: 'it could not be processed within 10 minutes: the embedding service is away',
    });
  });

  it('words alone find passages, also when the endpoint hangs', async () => {
    await processed(api, ada, [TEXT]);
    const spies = endpointAway();
    expect(await passages('When was the lighthouse built?')).toEqual([TEXT.content]);
    for (const spy of spies) spy.mockRestore();
    vi.spyOn(api.get(EmbeddingModel), 'embed').mockReturnValue(new Promise(() => undefined));
    const began = performance.now();
    expect(await passages('When was the lighthouse built?')).toEqual([TEXT.content]);
    expect(performance.now() - began).toBeLessThan(9_000);
  });
});

describe('another embedding model', () => {
  let before: string;
  beforeEach(() => {
    before = api.get(EmbeddingModel).name;
  });
  afterEach(() => {
    renameModel(before);
  });

  it('makes new vectors in the background, and words find passages until then', async () => {
    await processed(api, ada, [TEXT, { name: 'b.txt', content: 'The harbour has a crane.' }]);
    const earlier = new Set((await batches()).map(({ attempt }) => attempt));
    renameModel();
    expect(await passages('When was the lighthouse built?')).toEqual([TEXT.content]);

    await api.get(ContextFileReconciler).renewVectors();
    await api.drain();
    const renewed = await (await files()).find({});
    expect(renewed.map(({ embeddingModel, status }) => [embeddingModel, status])).toEqual([
      ['another-model', 'ready'],
      ['another-model', 'ready'],
    ]);
    const after = await batches();
    expect(after).toHaveLength(2);
    expect(after.some(({ attempt }) => earlier.has(attempt))).toBe(false);
    expect(await passages('When was the lighthouse built?')).toEqual([TEXT.content]);

    // One that is away leaves the files as they are.
    renameModel('a-third-model');
    endpointAway();
    await api.get(ContextFileReconciler).renewVectors();
    await api.drain();
    expect(await statuses()).toEqual(['ready', 'ready']);
    expect(await passages('When was the lighthouse built?')).toEqual([TEXT.content]);
    for (const { id } of await listed(ada)) {
      expect((await ada.delete(`/secure/contextfiles/${id}?permanent=true`)).status).toBe(200);
    }
    expect(await batches()).toEqual([]);
  });
});

describe('a file that nobody works on any more', () => {
  async function leaveTo(owner: string, fields: object): Promise<void> {
    // An instance that is alone knows that every other owner is dead; others wait for the lease.
    const ahead = api.get(Instance).alone ? MINUTE : -1;
    const until = new Date(api.clock.now().getTime() + ahead);
    const set = { leaseOwner: owner, leaseUntil: until, status: 'pending', attempt: null } as const;
    await (await files()).update({}, { set: { ...set, startedAt: api.clock.now(), ...fields } });
  }

  it('is taken up again, without doubled passages, until it has brought the service down three times', async () => {
    await processed(api, ada, [TEXT]);
    await leaveTo('a dead instance', { interrupted: 1 });
    await reconciled();
    expect(await statuses()).toEqual(['ready']);
    expect(await batches()).toHaveLength(1);
    expect(await passages('lighthouse')).toEqual([TEXT.content]);
    await leaveTo('a dead instance', { interrupted: 3 });
    await reconciled();
    const [file] = await listed(ada);
    expect(file?.metadata).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('interrupted too often') as string,
    });
  });
});

it('files that take long to read do not keep another company waiting', async () => {
  const eve = await api.signIn('globex');
  const over = new AbortController();
  let poisonous = 0;
  for (const reader of api.everywhere(DocumentReader)) {
    const really = reader.read.bind(reader);
    vi.spyOn(reader, 'read').mockImplementation(async (path, type, signal) => {
      if (type === 'text/plain') return really(path, type, signal);
      poisonous += 1;
      // As one that keeps its reader busy until the time is over.
      if (!over.signal.aborted) await once(AbortSignal.any([over.signal, signal]), 'abort');
      throw new AppError('invalid_input', 'it took too long to read');
    });
  }
  const poison = await aPdf(['Poison.']);
  await putFiles(
    ada,
    Array.from({ length: 20 }, (_, n) => ({ name: `${n}.pdf`, content: poison })),
  );
  const began = performance.now();
  await putFiles(eve, [TEXT]);
  await expect.poll(() => statuses(eve)).toEqual(['ready']);
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(poisonous).toBeLessThan(6 * INSTANCES);
  expect((await statuses()).filter((status) => status === 'pending').length).toBeGreaterThan(10);
  over.abort();
  await api.drain();
  expect(new Set(await statuses())).toEqual(new Set(['failed']));
}, 120_000);

it('searches at once put passages on the shelf once, stop when they are told to, and see no file that is gone', async () => {
  const [file] = await processed(api, ada, [TEXT]);
  const look = vi.spyOn(api.get(PassageBatchRepository), 'of');
  const answers = await Promise.all(Array.from({ length: 8 }, () => passages('lighthouse')));
  expect(answers.every(([first]) => first === TEXT.content)).toBe(true);
  expect(look).toHaveBeenCalledTimes(1);
  const stop = AbortSignal.abort(new Error('enough'));
  const companyId = await api.companyId('acme');
  await expect(api.get(ContextFilesFacade).passagesFor(companyId, 'lighthouse', stop)).rejects.toThrow('enough');

  // Nobody sees a file that was deleted while they waited.
  const model = api.get(EmbeddingModel);
  const really = model.embed.bind(model);
  let deleted: Promise<unknown> | null = null;
  vi.spyOn(model, 'embed').mockImplementation(async (texts, signal) => {
    deleted = ada.delete(`/secure/contextfiles/${String(file?.id)}?permanent=true`);
    await deleted;
    return really(texts, signal);
  });
  expect(await passages('lighthouse')).toEqual([]);
  expect(await batches()).toEqual([]);
});

describe('a question about context files alone', () => {
  it('says what to do when there are none, or none can be used yet', async () => {
    const datasource = await importedDatasource(api, ada);
    const conversation = await aContextConversation(ada, datasource);
    const none = await ask(ada, conversation, 'When was the lighthouse built?');
    expect(none).toMatchObject({ kind: 'cannot', sources: [] });
    expect(none.response).toMatch(/no context files yet.*PUT/);

    const spies = endpointAway();
    await putFiles(ada, [TEXT]);
    expect((await ask(ada, conversation, 'When was the lighthouse built?')).response).toMatch(/still being processed/);
    for (const spy of spies) spy.mockRestore();
    await api.drain();
    await reconciled();
    expect((await ask(ada, conversation, 'When was the lighthouse built?')).response).toContain('1874');
  });

  it('does not need the rows of the datasource', async () => {
    const { body: upload } = await ada.upload('device,at,value\nd1,yesterday or so,1\n');
    const { body, status } = await ada.put('/secure/datasource', {
      name: 'Without rows',
      type: 'csv',
      filename: upload['filename'],
      config: { metafield: 'device', timefield: '' },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    // Before the import has even begun.
    const conversation = await aContextConversation(ada, String(body['datasource_id']));
    await processed(api, ada, [TEXT]);
    await api
      .get(DocumentStore)
      .tenantCollection(DATASOURCES)
      .of(await api.companyId('acme'))
      .update({}, { set: { generation: 0, profile: null, updating: true } });
    expect((await ask(ada, conversation, 'When was the lighthouse built?')).response).toContain('1874');
  });
});
