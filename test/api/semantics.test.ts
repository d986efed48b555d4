import { describe, expect, it } from 'vitest';
import { AnnotationRepository } from '../../src/features/datasource/annotations/annotations.service.js';
import { SemanticsRepository } from '../../src/features/datasource/semantics/semantics.repository.js';
import { asId } from '../../src/shared/ids.js';
import type { TestResponse } from '../support/test-client.js';
import { theService } from './a-service.js';
import { fetched } from './downloads.builder.js';
import { answerAbout, answerTo, idOf, importedDatasource, openConversation } from './world.builder.js';

const ORDERS = [
  'region,day,amount (EUR),score,status',
  ...Array.from({ length: 60 }, (_, at) => {
    const day = new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
    return `${at % 2 === 0 ? 'North' : 'South'},${day},${100 + at}.5,${(at % 5) + 1},${at % 3 === 0 ? 'refunded' : 'paid'}`;
  }),
].join('\n');
const CONFIG = { timefield: 'day', metafield: 'region' };

const api = await theService();
const [ada, colleague] = [await api.signIn('acme'), await api.signIn('acme')];

const NET = {
  name: 'net revenue',
  synonyms: ['net sales'],
  unit: 'EUR',
  plan: {
    measures: [{ aggregate: 'sum', column: 'amount (EUR)' }],
    filters: [{ column: 'status', operator: '!=', value: 'refunded' }],
  },
};
/** The same in the words of plans. */
const NET_PLAN = {
  measures: [{ aggregate: 'sum', column: 'amount (EUR)', label: 'net revenue' }],
  filters: [{ kind: 'in', column: 'status', values: ['refunded'], negated: true }],
};

const made = (): Promise<string> => importedDatasource(api, ada, ORDERS, CONFIG);
const read = (id: string, by = ada): Promise<TestResponse> => by.get(`/secure/datasource/semantics?id=${id}`);
const write = (id: string, version: number, semantics: object, by = ada): Promise<TestResponse> =>
  by.put('/secure/datasource/semantics', { id, version, semantics });
const put = (id: string, yaml: string): Promise<TestResponse> =>
  ada.put('/secure/datasource/semantics', { id, version: 0, yaml });
/** For what is refused. */
const untouched = await made();

describe('what a table means', () => {
  it('is empty at first, and is drafted from the table itself', async () => {
    const id = await made();
    const nothing = { columns: [], metrics: [], fiscal_year_start: 1 };
    const empty = { version: 0, updated_at: null, editable: true, semantics: nothing };
    expect(await read(id)).toMatchObject({ status: 200, body: empty });
    const { body } = await ada.get(`/secure/datasource/semantics/draft?id=${id}`);
    expect(body['semantics']).toMatchObject({
      description: '',
      metrics: [],
      columns: [
        { name: 'region', role: '', allowed_values: ['North', 'South'], unit: '', description: '', synonyms: [] },
        { name: 'day', role: '', allowed_values: [] },
        { name: 'amount (EUR)', role: 'sum', unit: 'EUR', format: 'currency', allowed_values: [] },
        { name: 'score', role: 'average', unit: '' },
        { name: 'status', allowed_values: ['paid', 'refunded'] },
      ],
    });
    const draft = body['semantics'] as object;
    expect(await write(id, 0, draft)).toMatchObject({ status: 200, body: { version: 1, semantics: draft } });
  });

  it('is kept in versions, each written on the one before', async () => {
    const id = await made();
    expect(await write(id, 0, { description: 'Orders', metrics: [NET] })).toMatchObject({
      status: 200,
      body: { version: 1, semantics: { metrics: [{ ...NET, description: '', plan: NET_PLAN }] } },
    });
    expect(await write(id, 0, { description: 'Mine' })).toMatchObject({ status: 409, body: { error: true } });
    const both = await Promise.all(['one', 'two'].map((description) => write(id, 1, { description })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await read(id)).toMatchObject({ body: { version: 2, semantics: { metrics: [] } } });
    const versionOf = (version: number): Promise<TestResponse> =>
      ada.get(`/secure/datasource/semantics?id=${id}&version=${version}`);
    expect(await versionOf(1)).toMatchObject({
      status: 200,
      body: { version: 1, semantics: { description: 'Orders' } },
    });
    for (let version = 2; version < 22; version += 1) await write(id, version, {});
    expect(await versionOf(2)).toMatchObject({ status: 404 });
    expect(await versionOf(3)).toMatchObject({ status: 200 });
  });

  it('decides roles with the import, until somebody of the company who may does it', async () => {
    const id = await made();
    const rolesFor = async (by = ada): Promise<readonly string[]> => {
      const { body } = await by.get(`/secure/datasource/store-ds-schema-summary?id=${id}`);
      return (body['summary'] as { columns: { role: string }[] }).columns.map(({ role }) => role);
    };
    const figureOf = async (message: string): Promise<unknown> => {
      const conversation = await openConversation(ada, id);
      const answer = await answerTo(ada, conversation, message);
      // Of several readings that are offered the first.
      const { data } = answer['kind'] === 'clarify' ? await answerTo(ada, conversation, '1') : answer;
      return (data as { columns: string[] }).columns.at(-1);
    };
    expect(await rolesFor()).toEqual(['', '', 'sum', 'average', '']);
    expect(await figureOf('score by region')).toBe('average score');
    const role = (name: string, said: string): object => ({ columns: [{ name, role: said }] });
    expect(await write(id, 0, role('score', 'sum'), colleague)).toMatchObject({ status: 403 });
    expect(await rolesFor()).toEqual(['', '', 'sum', 'average', '']);

    expect(await write(id, 0, role('score', 'sum'))).toMatchObject({ status: 200 });
    expect(await rolesFor(colleague)).toEqual(['', '', 'sum', 'sum', '']);
    expect(await figureOf('score by region')).toBe('total score');
    expect(await figureOf('average score by region')).toBe('average score');
    await write(id, 1, role('amount (EUR)', 'none'));
    expect(await rolesFor()).toEqual(['', '', 'none', 'average', '']);
  });

  it('goes with its datasource, as annotations do', async () => {
    const id = await made();
    await write(id, 0, { description: 'x' });
    const annotation = idOf(await add(id), 'annotation');
    const company = asId<Parameters<AnnotationRepository['find']>[0]>(ada.companyId);
    const kept = async (): Promise<unknown> => [
      await api.get(SemanticsRepository).of(company, asId(id)),
      await api.get(AnnotationRepository).find(company, asId(annotation)),
    ];
    expect(await kept()).toEqual([expect.anything(), expect.anything()]);
    await ada.delete('/secure/datasource', { id, permanent: true });
    await api.drain();
    expect(await kept()).toEqual([null, null]);
  });
});

describe('what does not fit', () => {
  const metric = (plan: object, name = 'a'): object => ({ name, plan });
  const SCORE = { name: 'score' };

  it.each<[string, object, readonly string[]]>([
    ['a column twice', { columns: [SCORE, SCORE] }, ['columns.1.name']],
    ['an unknown role', { columns: [{ ...SCORE, role: 'add' }] }, ['columns.0.role']],
    [
      'a metric that can’t be worked out',
      { metrics: [NET, metric({ measures: [{ aggregate: 'sum', column: 'status' }] })] },
      ['metrics.1.plan'],
    ],
    [
      'a metric in groups',
      { metrics: [metric({ measures: [{ aggregate: 'count' }], group_by: ['region'] })] },
      ['metrics.0.plan'],
    ],
    ['two metrics of one name', { metrics: [NET, { ...NET, name: 'Net Sales' }] }, ['metrics.1.name']],
    [
      'several things, all at once,',
      {
        columns: [{ name: 'nope' }],
        metrics: ['a', 'b'].map((name) => metric({ measures: [{ aggregate: 'sum', column: 'nope' }] }, name)),
      },
      ['columns.0.name', 'metrics.0.plan.measures.0.column', 'metrics.1.plan.measures.0.column'],
    ],
  ])('%s is refused, and its place named', async (_name, semantics, fields) => {
    const details = fields.map((field) => ({ field: `semantics.${field}` }));
    expect(await write(untouched, 0, semantics)).toMatchObject({ status: 400, body: { details } });
    expect(await read(untouched)).toMatchObject({ body: { version: 0 } });
  });

  const bomb = Array.from({ length: 9 }, (_, at) => {
    const inner = at === 0 ? 'x' : `*${'abcdefgh'.charAt(at - 1)}`;
    const name = 'abcdefghi'.charAt(at);
    return `${name}: &${name} [${Array<string>(9).fill(inner).join(', ')}]`;
  });

  it.each([
    ['what is none', 'a: [', /^yaml is not YAML/],
    ['what is no object', '- a', /^yaml must be an object/],
    ['a tag', 'description: !!js/function "x"', /^yaml is not YAML/],
    ['a bomb of aliases', bomb.join('\n'), /^yaml must not have aliases/],
    ['depth', `description: ${'['.repeat(5000)}${']'.repeat(5000)}`, /^yaml (is not YAML|has lists)/],
    ['too much', `description: ${'x'.repeat(256 * 1024)}`, /yaml must have at most/],
    ['a number that JSON has not', 'fiscal_year_start: .inf', /fiscal_year_start must/],
  ])('is refused as YAML: %s', async (_name, text, message) => {
    const body = { message: expect.stringMatching(message) as unknown };
    expect(await put(untouched, text)).toMatchObject({ status: 400, body });
  });
});

it('YAML says the same: what is exported can be imported elsewhere', async () => {
  const [one, other] = [await made(), await made()];
  const text = [
    'description: All orders',
    'columns:',
    '  - name: amount (EUR)',
    '    synonyms: [turnover]',
    'metrics:',
    '  - name: net revenue',
    '    plan:',
    '      measures: [{ aggregate: sum, column: amount (EUR) }]',
    "      filters: [{ column: status, operator: '!=', value: refunded }]",
    'fiscal_year_start: 4',
  ].join('\n');
  const { body } = await put(one, text);
  expect(body['semantics']).toMatchObject({
    description: 'All orders',
    columns: [{ name: 'amount (EUR)', synonyms: ['turnover'] }],
    metrics: [{ name: 'net revenue', plan: NET_PLAN }],
    fiscal_year_start: 4,
  });
  const exported = await fetched(ada, `/secure/datasource/semantics/yaml?id=${one}`);
  expect(exported.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
  expect(exported.headers.get('content-disposition')).toContain('.yaml');
  expect(await put(other, await exported.text())).toMatchObject({
    status: 200,
    body: { semantics: body['semantics'] },
  });
});

it('a question may name a metric, of the rows that count', async () => {
  const id = await made();
  await write(id, 0, { metrics: [NET], filters: [{ column: 'region', operator: '!=', value: 'South' }] });
  const north = Array.from({ length: 60 }, (_, at) => at).filter((at) => at % 2 === 0 && at % 3 !== 0);
  const total = north.reduce((sum, at) => sum + 100.5 + at, 0);
  const answer = await answerAbout(ada, id, 'What is the net sales?');
  expect(answer).toMatchObject({ kind: 'answer', data: { columns: ['net revenue'], rows: [[total]] } });
  expect(answer['response']).toContain('Only rows where region is not South count');
  const grouped = await answerAbout(ada, id, 'net revenue by region');
  expect(grouped).toMatchObject({ data: { columns: ['region', 'net revenue'] } });
});

const add = (id: string, by = ada, changes: object = {}): Promise<TestResponse> =>
  by.post('/secure/datasource/annotation', {
    ...{ datasource_id: id, from: '2024-01-01', to: '2024-01-08T00:00:00Z', text: 'Filter changed' },
    ...changes,
  });

it('annotations of a datasource are kept for all of the company, by their beginning', async () => {
  const id = await made();
  const moment = '2024-02-01T12:00:00+01:00';
  const annotation = { from: '2024-02-01T11:00:00.000Z', to: '2024-02-01T11:00:00.000Z', removable: true };
  expect(await add(id, ada, { from: moment, to: moment })).toMatchObject({ status: 200, body: { annotation } });
  expect(await add(id, colleague, { text: 'First' })).toMatchObject({ status: 200 });
  const { body } = await ada.get(`/secure/datasource/annotations?id=${id}`);
  expect(body['annotations']).toMatchObject([
    { from: '2024-01-01T00:00:00.000Z', to: '2024-01-08T00:00:00.000Z', text: 'First', removable: false },
    { text: 'Filter changed', removable: true },
  ]);
});
