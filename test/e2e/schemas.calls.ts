import { CLIENT, throughProvider } from '../support/oidc-provider.js';
import { eventually } from '../support/eventually.js';
import type { TestClient } from '../support/test-client.js';

/** What earlier calls made, under the names that later ones use. */
export type Made = Map<string, string>;

/** Several fields of a form that is sent instead of JSON. */
type Form = readonly { readonly field: string; readonly name: string; readonly type: string; readonly text: string }[];

/** One call that succeeds. In its path and its body `<name>` stands for what an earlier call made under that name. */
export interface RouteCall {
  /** Its method and path, which begins after the prefix of the API. */
  readonly call: string;
  readonly body?: object;
  readonly form?: Form;
  /** What must have happened just before. When it is over too soon, which a 409 says, it is done again. */
  readonly first?: (made: Made, client: TestClient) => Promise<unknown>;
  /** Where the answer has what is kept under which name. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** Keeps what else the answer made, and waits for what happens in the background. */
  readonly then?: (body: Record<string, unknown>, made: Made, client: TestClient) => unknown;
}

export const ROWS = [
  'device,at,temperature,note',
  ...Array.from({ length: 48 }, (_, hour) => {
    const at = new Date(Date.UTC(2024, 0, 1, hour)).toISOString().slice(0, 19).replace('T', ' ');
    return `d${hour % 3},${at},${(20 + hour / 10).toFixed(1)},${hour % 5 === 0 ? '' : 'fine'}`;
  }),
  'd9,not a time,1.0,rejected',
].join('\n');

export function kept(made: Made, name: string): string {
  const value = made.get(name);
  if (value === undefined) throw new Error(`no earlier call made ${name}`);
  return value;
}

/** Waits until an answer is as it should be. */
export async function until(client: TestClient, path: string, isGood: (text: string) => boolean): Promise<void> {
  await eventually(async () => JSON.stringify((await client.get(path)).body), isGood);
}

/** The text at `a.b` of an answer. */
export function field(body: Record<string, unknown>, path: string): string {
  const value = path.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], body);
  if (typeof value !== 'string') throw new Error(`${path} is no text: ${JSON.stringify(body).slice(0, 300)}`);
  return value;
}

/** Keeps a datasource under a name, and waits for its rows. */
function importedAs(name: string): NonNullable<RouteCall['then']> {
  return async (body, made, client) => {
    if ('datasource_id' in body) made.set(name, field(body, 'datasource_id'));
    await until(client, `/secure/datasource?id=${kept(made, name)}`, (text) => text.includes('"updating":false'));
  };
}

function call(name: string, more: Omit<RouteCall, 'call'> = {}): RouteCall {
  return { call: name, ...more };
}

const TIMED = { metafield: 'device', timefield: 'at', is_timeseries: true };
const AGGREGATE = { kind: 'aggregate', measures: [{ aggregate: 'avg', column: 'temperature', label: 'warmth' }] };
const IN_DATASOURCE = { datasource_id: '<datasource>' };
const COUNT_QUERY = { ...IN_DATASOURCE, query: 'SELECT device FROM data' };

/** People, their sessions and what they may. */
const PEOPLE: readonly RouteCall[] = [
  call('GET health/live'),
  call('GET health/ready'),
  call('POST login', { body: { email: '<email>', password: '<password>' } }),
  call('GET secure/currentuser', { keeps: { user: 'user.id' } }),
  call('POST secure/api-keys', {
    body: { name: 'Reports', scopes: ['read', 'ask'], days: 30 },
    keeps: { 'api key': 'api_key.id' },
  }),
  call('GET secure/api-keys'),
  call('DELETE secure/api-keys/<api key>'),
  call('GET secure/user/list'),
  call('GET secure/user/<user>'),
  call('PATCH secure/currentuser', { body: { first_name: 'Ada', last_name: 'Byron' } }),
  call('POST secure/currentuser/password', { body: { current_password: '<password>', new_password: '<password>' } }),
  call('POST secure/invitation', {
    body: { email: 'grace@example.com', role: 'user' },
    keeps: { 'invitation token': 'token' },
  }),
  call('GET secure/audit'),
  call('GET secure/audit/csv'),
  call('GET secure/invitation/list'),
  call('POST invitation/look', { body: { token: '<invitation token>' } }),
  call('POST invitation/accept', {
    body: { token: '<invitation token>', password: 'a good password', first_name: 'Grace' },
    then: async (_body, made, client) => {
      const users = (await client.get('/secure/user/list')).body['users'] as { id: string; email: string }[];
      made.set('member', String(users.find(({ email }) => email === 'grace@example.com')?.id));
    },
  }),
  call('PATCH secure/user/<member>', { body: { role: 'manager' } }),
  call('POST secure/user/<member>/reset', { keeps: { invitation: 'invitation.id' } }),
  call('DELETE secure/invitation/<invitation>'),
  call('DELETE secure/user/<member>'),
  call('GET secure/currentuser/sessions', {
    then: async (_body, made, client) => {
      await client.post('/login', { email: kept(made, 'email'), password: kept(made, 'password') });
      const { body } = await client.get('/secure/currentuser/sessions');
      const other = (body['sessions'] as { id: string; is_current: boolean }[]).find((one) => !one.is_current);
      made.set('session', String(other?.id));
    },
  }),
  call('DELETE secure/currentuser/sessions/<session>'),
  call('GET secure/currentcompany'),
  call('PATCH secure/settings', {
    body: { config: { webhook: { url: 'https://hooks.example.com/', events: [] }, theme: 'dark' } },
  }),
  call('GET secure/settings'),
];

const DATASOURCES: readonly RouteCall[] = [
  call('POST secure/datasource/upload', {
    form: [{ field: 'file', name: 'rows.csv', type: 'text/csv', text: ROWS }],
    then: async (body, made, client) => {
      made.set('upload', field(body, 'filename'));
      for (const name of ['unused upload', 'further upload'])
        made.set(name, field((await client.upload(ROWS)).body, 'filename'));
    },
  }),
  call('POST secure/datasource/fetch', {
    body: { kind: 'https', address: '<place>', secret: 'Bearer 123', ca: '<authority>' },
    then: async (fetched, made, client) => {
      const filename = field(fetched, 'filename');
      const asked = { name: 'Fetched', type: 'csv', filename, config: TIMED };
      await importedAs('fetched')((await client.put('/secure/datasource', asked)).body, made, client);
    },
  }),
  call('POST secure/datasource/refetch', { body: { id: '<fetched>' } }),
  call('DELETE secure/datasource/refetch', { body: { id: '<fetched>' } }),
  call('PATCH secure/datasource/place', { body: { id: '<fetched>', every_minutes: 60, secret: 'Bearer 124' } }),
  call('POST secure/datasource/sample', { then: importedAs('sample') }),
  call('DELETE secure/datasource/upload', { body: { filename: '<unused upload>' } }),
  call('POST secure/datasource/detect-timeformat', { body: { timestamp: '03/04/2024' } }),
  call('PUT secure/datasource', {
    body: {
      ...{ name: 'Sensors', type: 'csv', filename: '<upload>', file: 'rows.csv' },
      config: {
        ...{ ...TIMED, timeformat: 'yyyy-MM-dd HH:mm:ss', values: ['temperature'], granularity: 'hours' },
        ...{ lifespan: 0, context: 'measured outdoors' },
      },
    },
    then: importedAs('datasource'),
  }),
  call('GET secure/datasource?id=<datasource>'),
  call('GET secure/datasources?page=0&page_size=5'),
  call('POST secure/datasources/plain', { body: { search: 'sens', page: 0 } }),
  call('PATCH secure/datasource', {
    body: { id: '<datasource>', name: 'Sensors outside', context: 'measured outdoors' },
  }),
  call('PATCH secure/datasource/insert', {
    body: {
      ...IN_DATASOURCE,
      data: ['2024-01-05 00:00:00', 'skipped'].map((at) => ({ device: 'd1', at, temperature: '30.5', note: 'new' })),
    },
  }),
  call('POST secure/datasource/append', {
    body: {
      ...{ ...IN_DATASOURCE, filename: '<further upload>', keys: ['device', 'at'] },
      mapping: [{ column: 'note', to: null }],
    },
    then: importedAs('datasource'),
  }),
  call('GET secure/datasource/export?id=<datasource>&columns=at,note'),
  call('GET secure/datasource/rejects?id=<datasource>'),
  call('POST secure/data/query', { body: { ...COUNT_QUERY, offset: 0, limit: 2 } }),
  call('POST secure/data/query/csv', { body: COUNT_QUERY }),
  call('POST secure/datasource/annotation', {
    body: { ...IN_DATASOURCE, from: '2024-01-01', to: '2024-01-02', text: 'Filter changed' },
    keeps: { annotation: 'annotation.id' },
  }),
  call('GET secure/datasource/annotations?id=<datasource>'),
  call('DELETE secure/datasource/annotation/<annotation>'),
  call('POST secure/relations/propose', {
    body: { datasource_ids: ['<datasource>', '<sample>'], columns: [{ first: 'device', second: 'location' }] },
    keeps: { relation: 'relations.0.id' },
  }),
  call('POST secure/relations/dismiss', { body: { id: '<relation>' } }),
  call('POST secure/relations/confirm', { body: { id: '<relation>' } }),
  call('GET secure/relations?datasource_id=<datasource>'),
  call('DELETE secure/relations', { body: { id: '<relation>' } }),
  call('GET secure/datasource/semantics/draft?id=<datasource>'),
  call('PUT secure/datasource/semantics', {
    body: {
      ...{ id: '<datasource>', version: 0 },
      semantics: {
        columns: [{ name: 'device', synonyms: ['sensor'] }],
        metrics: [{ name: 'readings', plan: { measures: [{ aggregate: 'count' }] } }],
        filters: [{ column: 'device', operator: '!=', value: 'none' }],
      },
    },
  }),
  call('GET secure/datasource/semantics?id=<datasource>'),
  call('GET secure/datasource/semantics/yaml?id=<datasource>'),
  call('GET secure/datasource/store-ds-schema-summary?id=<datasource>'),
  call('POST secure/datasource/distinct-metadata', { body: { ...IN_DATASOURCE, search: 'D', page: 0 } }),
  call('POST secure/data/plot', {
    body: { ...IN_DATASOURCE, asset: '', from: '2024-01-01T00:00:00Z', to: '', value: 'temperature', points: 10 },
  }),
];

const VERIFIED: readonly RouteCall[] = [
  call('POST secure/verified', {
    body: {
      ...{ ...IN_DATASOURCE, question: 'How many readings are there?', wording: 'There are {readings}.' },
      sql: 'SELECT count(*) AS readings FROM data',
    },
    keeps: { golden: 'question.id' },
  }),
  call('PATCH secure/verified/<golden>', { body: { wording: '{readings} readings.' } }),
  call('GET secure/verified?id=<datasource>&state=verified'),
  call('POST secure/evaluation/run', { body: { id: '<datasource>' }, keeps: { evaluation: 'evaluation.id' } }),
  call('GET secure/evaluation/run/<evaluation>'),
  call('POST secure/evaluation/stop', { body: { id: '<evaluation>' } }),
  call('POST secure/evaluation/schedule', { body: { id: '<datasource>', interval: 60, enabled: false } }),
  call('GET secure/evaluation/runs?id=<datasource>'),
  call('DELETE secure/verified/<golden>'),
];

/** Boards and links to them. */
const BOARDS: readonly RouteCall[] = [
  call('POST secure/board', {
    body: { title: 'Readings', notes: 'What the sensors say.' },
    keeps: { board: 'board.id' },
  }),
  call('POST secure/board/<board>/tile', {
    body: {
      ...{ ...IN_DATASOURCE, title: 'Warmth', chart: { kind: 'bar', x: 'device', y: 'warmth', title: 'Warmth' } },
      plan: { ...AGGREGATE, dimensions: [{ kind: 'column', column: 'device', label: 'device' }] },
    },
    keeps: { tile: 'tile.id' },
  }),
  call('POST secure/board/<board>/tile/<tile>/figure', { body: {} }),
  call('PATCH secure/board/<board>/tile/<tile>', { body: { title: 'How warm it is' } }),
  call('PATCH secure/board/<board>', {
    body: {
      ...{ title: 'Sensors', range: { last: 50, unit: 'year' }, refresh_minutes: 5 },
      filters: [{ column: 'device', values: ['d1'] }],
      layout: [{ id: '<tile>', x: 0, y: 0, w: 12, h: 6 }],
    },
  }),
  call('GET secure/board/<board>'),
  call('GET secure/board/list'),
  call('POST secure/share', {
    body: { board_id: '<board>', days: 7 },
    keeps: { link: 'link.id', 'link token': 'token' },
  }),
  call('GET secure/share/list'),
  call('POST shared/look', { body: { token: '<link token>' } }),
  call('POST shared/figure', { body: { token: '<link token>', tile_id: '<tile>' } }),
  call('DELETE secure/share/<link>'),
  call('DELETE secure/board/<board>/tile/<tile>'),
  call('DELETE secure/board/<board>'),
];

const ASSISTANT: readonly RouteCall[] = [
  call('PUT secure/contextfiles', {
    form: [
      { field: 'files', name: 'notes.txt', type: 'text/plain', text: 'Device d1 stands on the roof of the house.' },
    ],
    then: async (body, made, client) => {
      made.set('file', field(body, 'files.0.id'));
      await until(client, '/secure/contextfiles', (text) => !text.includes('"pending"'));
    },
  }),
  call('GET secure/contextfiles'),
  call('POST secure/assistant/conversation', {
    body: { title: 'About sensors', ...IN_DATASOURCE, context_only: false },
    keeps: { conversation: 'id' },
  }),
  call('PUT secure/assistant/conversation', {
    body: { id: '<conversation>', title: 'Sensors outside', ...IN_DATASOURCE, pinned: true, context_only: false },
  }),
  call('GET secure/assistant/conversations'),
  call('GET secure/assistant/conversation/<conversation>'),
  call('POST secure/assistant/chat', {
    body: {
      ...{ conversation_id: '<conversation>', message: 'average temperature by device' },
      ...{ skip_history: false, skip_save_history: false, context_only: false },
    },
    keeps: { image: 'response.visualization' },
  }),
  call('GET secure/assistant/visualizations/<image>'),
  call('GET secure/assistant/visualizations/<image>/chart'),
  call('POST secure/assistant/chatstream', {
    body: { conversation_id: '<conversation>', message: 'where does d1 stand', context_only: true },
    then: (_body, made, client) =>
      until(client, `/secure/assistant/conversation/${kept(made, 'conversation')}`, (text) => text.includes('"ready"')),
  }),
  call('POST secure/assistant/stop', { body: { conversation_id: '<conversation>' } }),
  call('GET secure/usage?group=model&from=2026-01-01&to=2026-01-31'),
  call('GET secure/capabilities'),
  call('GET secure/assistant/history/notebook?conversation_id=<conversation>'),
  call('GET secure/assistant/history?conversation_id=<conversation>', {
    // The last answer was stopped.
    then: (body, made) => made.set('message', (body['history'] as { _id: string }[]).at(-3)?._id ?? ''),
  }),
  call('POST secure/assistant/feedback', {
    body: { conversation_id: '<conversation>', message_id: '<message>', rating: 'up' },
  }),
  call('GET secure/assistant/feedback?conversation_id=<conversation>'),
  call('GET secure/assistant/suggestionsquery?conversation_id=<conversation>'),
  call('GET secure/assistant/suggestionsquery/reload?conversation_id=<conversation>'),
];

const TASKS: readonly RouteCall[] = [
  call('POST secure/agent/task', {
    body: {
      ...{ name: 'Heat', prompt: 'average temperature by device', datasources: ['<datasource>'], mode: 'report' },
      ...{ thinking: false, automation_enabled: false, automation_interval: 60 },
      condition: {
        ...{ type: 'threshold', ...IN_DATASOURCE, column: 'temperature', aggregate: 'max', operator: '>', value: 20 },
      },
    },
    keeps: { task: 'task.id' },
  }),
  call('GET secure/agent/task/run/<task>', {
    then: (_body, made, client) =>
      until(client, `/secure/agent/task/${kept(made, 'task')}`, (text) => !text.includes('"running"')),
  }),
  call('GET secure/agent/task/<task>'),
  call('GET secure/agent/tasks'),
  call('POST secure/agent/task/schedule', {
    body: { task_id: '<task>', automation_interval: 60, automation_enabled: true },
  }),
  call('GET secure/agent/task/<task>/notebook'),
  call('GET secure/agent/taskhistory/<task>?page=0'),
  call('POST secure/agent/task/stop', {
    first: (made, client) => client.get(`/secure/agent/task/run/${kept(made, 'task')}`),
    body: { task_id: '<task>' },
  }),
  call('DELETE secure/agent/task/delete/<task>'),
  call('POST secure/alerts', {
    body: {
      ...{ name: 'Heat', ...IN_DATASOURCE, condition: { type: 'above', value: -100 } },
      plan: { ...AGGREGATE, dimensions: [], filters: [], having: [], order: [], limit: null },
      check_at: { days: ['mon', 'fri'], time: '08:00', time_zone: 'Europe/Berlin' },
    },
    keeps: { alert: 'alert.id' },
  }),
  call('GET secure/alerts?page=0'),
  call('GET secure/alerts/<alert>'),
  call('POST secure/alerts/<alert>/check'),
  call('PATCH secure/alerts/<alert>', { body: { condition: { type: 'changes', percent: 10 }, check_at: null } }),
  call('GET secure/alerts/<alert>/history'),
  call('DELETE secure/alerts/<alert>'),
];

/** What ends things, and signing in with the company's provider, and without a password. */
const ENDINGS: readonly RouteCall[] = [
  call('DELETE secure/contextfiles/<file>'),
  call('DELETE secure/assistant/conversation', { body: { id: '<conversation>' } }),
  call('GET secure/bin'),
  call('POST secure/bin/<conversation>/restore'),
  call('DELETE secure/bin/<task>'),
  call('DELETE secure/datasource', { body: { id: '<datasource>' } }),
  call('PUT secure/sign-in', {
    body: {
      ...{ issuer: '<issuer>', client_id: CLIENT.id, client_secret: CLIENT.secret, domains: ['example.com'] },
      ...{ default_role: 'user', admits_unknown: false },
    },
  }),
  call('POST forgotten-password', { body: { email: '<email>' } }),
  call('GET secure/sign-in'),
  call('POST sign-in/begin', {
    body: { email: '<email>' },
    then: async (body, made) => {
      const back = await throughProvider(field(body, 'url'), 'ada');
      made.set('browser', field(body, 'browser'));
      for (const name of ['code', 'state', 'iss']) made.set(name, back.searchParams.get(name) ?? '');
    },
  }),
  call('POST sign-in/finish', { body: { browser: '<browser>', code: '<code>', state: '<state>', iss: '<iss>' } }),
  call('DELETE secure/sign-in'),
  call('POST refresh-token', { body: { token: '<token>' } }),
  call('POST secure/logout'),
];

/** For every documented route, in an order in which each finds what it needs. */
export const ALL_CALLS = [PEOPLE, DATASOURCES, VERIFIED, BOARDS, ASSISTANT, TASKS, ENDINGS].flat();
