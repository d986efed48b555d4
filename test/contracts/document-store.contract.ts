import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { documentChangesContract } from './document-store.changes.js';
import { documentFieldsContract } from './document-store.fields.js';
import { ACCOUNTS, ACME, NOTES, aNote, type StoreUnderTest } from './document-store.kinds.js';
import { documentQuestionsContract } from './document-store.questions.js';

/** What every document store promises. `start` opens one that is empty. */
export function documentStoreContract(start: () => Promise<StoreUnderTest>): void {
  let under: StoreUnderTest;

  beforeAll(async () => {
    under = await start();
  });
  afterAll(() => under.close());
  beforeEach(async () => {
    await under.store.tenantCollection(NOTES).ofAll().remove({});
    await under.store.tenantCollection(ACCOUNTS).ofAll().remove({});
  });

  it('is there', async () => {
    await expect(under.store.check()).resolves.toBeUndefined();
  });

  it('gives the same documents for the same kind, however often it is opened', async () => {
    const note = aNote();
    await under.store.tenantCollection(NOTES).of(ACME).insert(note);
    expect(await under.store.collection(NOTES).get(note.id)).toMatchObject({ id: note.id });
  });

  documentFieldsContract(() => under);
  documentQuestionsContract(() => under);
  documentChangesContract(() => under);
}
