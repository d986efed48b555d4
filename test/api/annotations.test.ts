import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AnnotationRepository } from '../../src/features/datasource/annotations/annotations.service.js';
import { asId } from '../../src/shared/ids.js';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient, TestResponse } from '../support/test-client.js';
import { importedDatasource } from './world.builder.js';

let api: TestApi;
let ada: TestClient;
let colleague: TestClient;
let manager: TestClient;
let eve: TestClient;

beforeAll(async () => {
  api = await startTestApi({ environment: { RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' } });
  [ada, colleague, eve] = [await api.signIn('acme'), await api.signIn('acme'), await api.signIn('globex')];
  manager = await api.signIn('acme', { role: 'manager' });
});
afterAll(() => api[Symbol.asyncDispose]());

const WEEK = { from: '2024-01-01', to: '2024-01-08T00:00:00Z', text: 'Filter changed' };
const add = (id: string, by = ada, changes: object = {}): Promise<TestResponse> =>
  by.post('/secure/datasource/annotation', { datasource_id: id, ...WEEK, ...changes });
const list = (id: string, by = ada): Promise<TestResponse> => by.get(`/secure/datasource/annotations?id=${id}`);
const remove = (id: string, by = ada): Promise<TestResponse> => by.delete(`/secure/datasource/annotation/${id}`);
const idOf = ({ body }: TestResponse): string => (body['annotation'] as { id: string }).id;

describe('annotations of a datasource', () => {
  it('are kept for all of the company, by their beginning, and for nobody else', async () => {
    const id = await importedDatasource(api, ada);
    const later = await add(id, ada, { from: '2024-02-01T12:00:00+01:00', to: '2024-02-01T12:00:00+01:00' });
    expect(later).toMatchObject({
      status: 200,
      body: { annotation: { from: '2024-02-01T11:00:00.000Z', to: '2024-02-01T11:00:00.000Z', removable: true } },
    });
    expect(await add(id, colleague, { text: 'First' })).toMatchObject({ status: 200 });
    expect(await list(id, ada)).toMatchObject({
      body: {
        annotations: [
          { from: '2024-01-01T00:00:00.000Z', to: '2024-01-08T00:00:00.000Z', text: 'First', removable: false },
          { text: 'Filter changed', removable: true },
        ],
      },
    });
    expect(await add(id, eve)).toMatchObject({ status: 404 });
    expect(await list(id, eve)).toMatchObject({ status: 404 });
    expect(await remove(idOf(later), eve)).toMatchObject({ status: 404 });
    expect((await list(id)).body['annotations']).toHaveLength(2);
  });

  it('are removed by who wrote them and by managers', async () => {
    const id = await importedDatasource(api, ada);
    const [one, other] = [idOf(await add(id)), idOf(await add(id))];
    expect(await remove(one, colleague)).toMatchObject({ status: 403, body: { error: true } });
    expect(await remove(one)).toMatchObject({ status: 200, body: { error: false } });
    expect(await remove(one)).toMatchObject({ status: 404 });
    expect(await remove(other, manager)).toMatchObject({ status: 200 });
    expect(await list(id)).toMatchObject({ body: { annotations: [] } });
  });

  it('are refused with what is none', async () => {
    const id = await importedDatasource(api, ada);
    const refused: readonly (readonly [string, object])[] = [
      ['a range that ends before it begins', { to: '2023-12-31' }],
      ['a time that is none', { from: '2024-02-30' }],
      ['no text', { text: '' }],
      ['a long text', { text: 'x'.repeat(501) }],
    ];
    for (const [what, changes] of refused)
      expect(await add(id, ada, changes), what).toMatchObject({ status: 400, body: { error: true } });
    expect(await list(id)).toMatchObject({ body: { annotations: [] } });
  });

  it('go with their datasource', async () => {
    const id = await importedDatasource(api, ada);
    const annotation = idOf(await add(id));
    await ada.delete('/secure/datasource', { id, permanent: true });
    await api.drain();
    const company = asId<Parameters<AnnotationRepository['find']>[0]>(ada.companyId);
    expect(await api.get(AnnotationRepository).find(company, asId(annotation))).toBeNull();
  });
});
