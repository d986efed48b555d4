import { describe, expect, it } from 'vitest';
import { aService } from '../api/a-service.js';
import { importedDatasource, openConversation } from '../api/world.builder.js';
import { StreamClient, streamUrl } from '../support/stream-client.js';
import { aContextConversation, aDocx, aPdf, ask, listed, processed, putFiles } from '../api/context-files.builder.js';

const HANDBOOK = [
  'The pump P-7 is serviced every 90 days by the maintenance team.',
  'The spare parts are kept in the hall behind the loading ramp.',
].join('\n\n');

const api = await aService();
const ada = await api.signIn('acme');
const datasource = await importedDatasource(api, ada);

describe('context files', () => {
  it('are processed, answer questions with their sources, and are gone when they are deleted', async () => {
    await using room = await StreamClient.open(streamUrl(api.url, ada.companyId, String(ada.token)));
    const pages = ['General terms apply to all deliveries.', 'The warranty period is 24 months from delivery.'];
    const paragraphs = [{ text: 'Contacts', style: 'H1' }, { text: 'The emergency number is 4711.' }];
    const files = [
      { name: 'handbook.txt', content: HANDBOOK },
      { name: 'warranty.pdf', content: await aPdf(pages) },
      { name: 'contacts.docx', content: aDocx(paragraphs) },
    ];
    const { status, body } = await putFiles(ada, files);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      message: 'context files saved',
      files: files.map(({ name }) => ({ filename: name, metadata: { status: 'pending', company_id: ada.companyId } })),
    });
    await api.drain();

    const ready = await listed(ada);
    expect(ready.map(({ filename }) => filename)).toEqual(['contacts.docx', 'warranty.pdf', 'handbook.txt']);
    const collections = new Set(ready.map(({ metadata }) => metadata.collection_id));
    expect(collections.size).toBe(1);
    for (const { metadata } of ready) {
      expect(metadata).toMatchObject({
        status: 'ready',
        collection_id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      });
      expect(metadata).not.toHaveProperty('reason');
    }
    expect(ready[1]?.metadata.pages).toBe(2);
    for (const { id, filename } of ready) {
      await room.hears({ event: 'context-file-status', data: { file_id: id, filename, status: 'ready' } });
    }

    const conversation = await aContextConversation(ada, datasource);
    const warranty = await ask(ada, conversation, 'How long is the warranty period?');
    expect(warranty.response).toContain('24 months');
    expect(warranty).toMatchObject({ kind: 'answer', dbquery: '' });
    expect(warranty.sources[0]).toMatchObject({ filename: 'warranty.pdf', page: 2, file_id: ready[1]?.id });
    expect(warranty.response).toContain('warranty.pdf, page 2');
    expect((await ask(ada, conversation, 'What is the emergency number?')).response).toContain('4711');

    expect((await ada.delete(`/secure/contextfiles/${String(ready[1]?.id)}`)).status).toBe(200);
    const after = await ask(ada, conversation, 'How long is the warranty period?');
    expect(after).toMatchObject({ kind: 'cannot', sources: [] });
    expect(after.response).not.toContain('24 months');
    expect((await listed(ada)).map(({ filename }) => filename)).toEqual(['contacts.docx', 'handbook.txt']);
  });

  it('that can not be read fail with a reason, and the others do not', async () => {
    const [broken, blank, good] = await processed(api, ada, [
      { name: 'broken.pdf', content: '%PDF-1.7\nnothing of a PDF follows' },
      { name: 'blank.pdf', content: await aPdf([' ']) },
      { name: 'good.txt', content: 'The lighthouse was built in 1874.' },
    ]);
    const reason = expect.stringMatching(/\w+ \w+/) as string;
    for (const file of [broken, blank])
      expect(file?.metadata).toMatchObject({ status: 'failed', reason, collection_id: '' });
    expect(good?.metadata.status).toBe('ready');
    for (const file of [broken, blank, good])
      expect((await ada.delete(`/secure/contextfiles/${String(file?.id)}?permanent=true`)).status).toBe(200);
  });

  it('are never quoted to another company', async () => {
    const eve = await api.signIn('globex');
    const theirs = await importedDatasource(api, eve);
    await processed(api, eve, [{ name: 'own.txt', content: 'The canteen opens at noon.' }]);
    const conversation = await aContextConversation(eve, theirs);
    const answer = await ask(eve, conversation, 'How often is the pump P-7 serviced?');
    expect(JSON.stringify(answer)).not.toMatch(/90 days|handbook/);
  });

  it('answer what the table can not, beside a table that answers the rest', async () => {
    const conversation = await openConversation(ada, datasource);
    const files = await ask(ada, conversation, 'How often is the pump P-7 serviced?');
    expect(files.response).toContain('90 days');
    expect(files.sources).toHaveLength(1);
    const table = await ask(ada, conversation, 'average temperature by device');
    expect(table.dbquery).not.toBe('');
    expect(table.sources).toEqual([]);
  });
});
