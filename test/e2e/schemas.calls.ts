import { CLIENT, throughProvider } from '../support/oidc-provider.js';
import type { TestClient } from '../support/test-client.js';
import { csv, field, kept, type Made, ROWS, until, type RouteCall } from './schemas.world.js';

/** Keeps a datasource under a name, and waits for its rows. */
async function imported(made: Made, client: TestClient, name: string, id: string): Promise<void> {
  made.set(name, id);
  await until(client, `/secure/datasource?id=${id}`, (text) => text.includes('"updating":false'));
}

/** Boards and links to them. */
const BOARD_CALLS: readonly RouteCall[] = [
  {
    route: 'POST secure/board',
    body: { title: 'Readings', notes: 'What the sensors say.' },
    keeps: { board: ['board', 'id'] },
  },
  {
    route: 'POST secure/board/:id/tile',
    path: '/secure/board/<board>/tile',
    body: {
      datasource_id: '<datasource>',
      plan: {
        kind: 'aggregate',
        measures: [{ aggregate: 'avg', column: 'temperature', label: 'warmth' }],
        dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
      },
      chart: { kind: 'bar', x: 'device', y: 'warmth', title: 'Warmth' },
      title: 'Warmth',
    },
    keeps: { tile: ['tile', 'id'] },
  },
  { route: 'POST secure/board/:id/tile/:tile/figure', path: '/secure/board/<board>/tile/<tile>/figure', body: {} },
  {
    route: 'PATCH secure/board/:id/tile/:tile',
    path: '/secure/board/<board>/tile/<tile>',
    body: { title: 'How warm it is' },
  },
  {
    route: 'PATCH secure/board/:id',
    path: '/secure/board/<board>',
    body: {
      title: 'Sensors',
      range: { last: 50, unit: 'year' },
      filters: [{ column: 'device', values: ['d1'] }],
      refresh_minutes: 5,
      layout: [{ id: '<tile>', x: 0, y: 0, w: 12, h: 6 }],
    },
  },
  { route: 'GET secure/board/:id', path: '/secure/board/<board>' },
  { route: 'GET secure/board/list' },
  {
    route: 'POST secure/share',
    body: { board_id: '<board>', days: 7 },
    keeps: { link: ['link', 'id'], 'link token': ['token'] },
  },
  { route: 'GET secure/share/list' },
  { route: 'POST shared/look', body: { token: '<link token>' } },
  { route: 'POST shared/figure', body: { token: '<link token>', tile_id: '<tile>' } },
  { route: 'DELETE secure/share/:id', path: '/secure/share/<link>' },
  { route: 'DELETE secure/board/:id/tile/:tile', path: '/secure/board/<board>/tile/<tile>' },
  { route: 'DELETE secure/board/:id', path: '/secure/board/<board>' },
];

/** Signing in with the company's provider, and without a password. */
const SIGN_IN_CALLS: readonly RouteCall[] = [
  {
    route: 'PUT secure/sign-in',
    body: {
      issuer: '<issuer>',
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      domains: ['example.com'],
      default_role: 'user',
      admits_unknown: false,
    },
  },
  { route: 'POST forgotten-password', body: { email: '<email>' } },
  { route: 'GET secure/sign-in' },
  {
    route: 'POST sign-in/begin',
    body: { email: '<email>' },
    then: async (body, made) => {
      const back = await throughProvider(field(body, 'url'), 'ada');
      made.set('browser', field(body, 'browser'));
      for (const name of ['code', 'state', 'iss']) made.set(name, back.searchParams.get(name) ?? '');
    },
  },
  { route: 'POST sign-in/finish', body: { browser: '<browser>', code: '<code>', state: '<state>', iss: '<iss>' } },
  { route: 'DELETE secure/sign-in' },
];

/** One call that succeeds for every documented route, in an order in which each finds what it needs. */
export const ALL_CALLS: readonly RouteCall[] = [
  { route: 'GET health/live' },
  { route: 'GET health/ready' },
  { route: 'POST login', body: { email: '<email>', password: '<password>' } },
  { route: 'GET secure/currentuser', keeps: { user: ['user', 'id'] } },
  {
    route: 'POST secure/api-keys',
    body: { name: 'Reports', scopes: ['read', 'ask'], days: 30 },
    keeps: { 'api key': ['api_key', 'id'] },
  },
  { route: 'GET secure/api-keys' },
  { route: 'DELETE secure/api-keys/:id', path: '/secure/api-keys/<api key>' },
  { route: 'GET secure/user/list' },
  { route: 'GET secure/user/:id', path: '/secure/user/<user>' },
  { route: 'PATCH secure/currentuser', body: { first_name: 'Ada', last_name: 'Byron' } },
  { route: 'POST secure/currentuser/password', body: { current_password: '<password>', new_password: '<password>' } },
  {
    route: 'POST secure/invitation',
    body: { email: 'grace@example.com', role: 'user' },
    keeps: { 'invitation token': ['token'] },
  },
  { route: 'GET secure/audit' },
  { route: 'GET secure/audit/csv' },
  { route: 'GET secure/invitation/list' },
  { route: 'POST invitation/look', body: { token: '<invitation token>' } },
  {
    route: 'POST invitation/accept',
    body: { token: '<invitation token>', password: 'a good password', first_name: 'Grace' },
    then: async (_body, made, client) => {
      const { body } = await client.get('/secure/user/list');
      made.set(
        'member',
        String(
          (body['users'] as { id: string; email: string }[]).find(({ email }) => email === 'grace@example.com')?.id,
        ),
      );
    },
  },
  { route: 'PATCH secure/user/:id', path: '/secure/user/<member>', body: { role: 'manager' } },
  {
    route: 'POST secure/user/:id/reset',
    path: '/secure/user/<member>/reset',
    keeps: { invitation: ['invitation', 'id'] },
  },
  { route: 'DELETE secure/invitation/:id', path: '/secure/invitation/<invitation>' },
  { route: 'DELETE secure/user/:id', path: '/secure/user/<member>' },
  {
    route: 'GET secure/currentuser/sessions',
    then: async (_body, made, client) => {
      await client.post('/login', { email: kept(made, 'email'), password: kept(made, 'password') });
      const { body } = await client.get('/secure/currentuser/sessions');
      const other = (body['sessions'] as { id: string; is_current: boolean }[]).find((one) => !one.is_current);
      made.set('session', String(other?.id));
    },
  },
  { route: 'DELETE secure/currentuser/sessions/:id', path: '/secure/currentuser/sessions/<session>' },
  { route: 'GET secure/currentcompany' },
  {
    route: 'PATCH secure/settings',
    body: { config: { webhook: { url: 'https://hooks.example.com/', events: [] }, theme: 'dark' } },
  },
  { route: 'GET secure/settings' },
  {
    route: 'POST secure/datasource/upload',
    form: csv('rows.csv'),
    then: async (body, made, client) => {
      made.set('upload', field(body, 'filename'));
      for (const name of ['unused upload', 'further upload'])
        made.set(name, field((await client.upload(ROWS)).body, 'filename'));
    },
  },
  {
    route: 'POST secure/datasource/fetch',
    body: { kind: 'https', address: '<place>', secret: 'Bearer 123', ca: '<authority>' },
    then: async (fetched, made, client) => {
      const config = { metafield: 'device', timefield: 'at', is_timeseries: true };
      const filename = field(fetched, 'filename');
      const { body } = await client.put('/secure/datasource', { name: 'Fetched', type: 'csv', filename, config });
      await imported(made, client, 'fetched', field(body, 'datasource_id'));
    },
  },
  { route: 'POST secure/datasource/refetch', body: { id: '<fetched>' } },
  { route: 'DELETE secure/datasource/refetch', body: { id: '<fetched>' } },
  { route: 'PATCH secure/datasource/place', body: { id: '<fetched>', every_minutes: 60, secret: 'Bearer 124' } },
  {
    route: 'POST secure/datasource/sample',
    then: (body, made, client) => imported(made, client, 'sample', field(body, 'datasource_id')),
  },
  { route: 'DELETE secure/datasource/upload', body: { filename: '<unused upload>' } },
  { route: 'POST secure/datasource/detect-timeformat', body: { timestamp: '03/04/2024' } },
  {
    route: 'PUT secure/datasource',
    body: {
      name: 'Sensors',
      type: 'csv',
      filename: '<upload>',
      file: 'rows.csv',
      config: {
        metafield: 'device',
        timefield: 'at',
        is_timeseries: true,
        timeformat: 'yyyy-MM-dd HH:mm:ss',
        values: ['temperature'],
        granularity: 'hours',
        lifespan: 0,
        context: 'measured outdoors',
      },
    },
    then: (body, made, client) => imported(made, client, 'datasource', field(body, 'datasource_id')),
  },
  { route: 'GET secure/datasource', path: '/secure/datasource?id=<datasource>' },
  { route: 'GET secure/datasources', path: '/secure/datasources?page=0&page_size=5' },
  { route: 'POST secure/datasources/plain', body: { search: 'sens', page: 0 } },
  {
    route: 'PATCH secure/datasource',
    body: { id: '<datasource>', name: 'Sensors outside', context: 'measured outdoors' },
  },
  {
    route: 'PATCH secure/datasource/insert',
    body: {
      datasource_id: '<datasource>',
      data: [
        { device: 'd1', at: '2024-01-05 00:00:00', temperature: '30.5', note: 'new' },
        { device: 'd1', at: 'yesterday', temperature: '30.5', note: 'skipped' },
      ],
    },
  },
  {
    route: 'POST secure/datasource/append',
    body: {
      datasource_id: '<datasource>',
      filename: '<further upload>',
      keys: ['device', 'at'],
      mapping: [{ column: 'note', to: null }],
    },
    then: (_body, made, client) => imported(made, client, 'datasource', kept(made, 'datasource')),
  },
  { route: 'GET secure/datasource/export', path: '/secure/datasource/export?id=<datasource>&columns=at,note' },
  { route: 'GET secure/datasource/rejects', path: '/secure/datasource/rejects?id=<datasource>' },
  {
    route: 'POST secure/data/query',
    body: { datasource_id: '<datasource>', query: 'SELECT device FROM data', offset: 0, limit: 2 },
  },
  { route: 'POST secure/data/query/csv', body: { datasource_id: '<datasource>', query: 'SELECT device FROM data' } },
  {
    route: 'POST secure/datasource/annotation',
    body: { datasource_id: '<datasource>', from: '2024-01-01', to: '2024-01-02', text: 'Filter changed' },
    keeps: { annotation: ['annotation', 'id'] },
  },
  { route: 'GET secure/datasource/annotations', path: '/secure/datasource/annotations?id=<datasource>' },
  { route: 'DELETE secure/datasource/annotation/:id', path: '/secure/datasource/annotation/<annotation>' },
  {
    route: 'POST secure/relations/propose',
    body: { datasource_ids: ['<datasource>', '<sample>'], columns: [{ first: 'device', second: 'location' }] },
    keeps: { relation: ['relations', '0', 'id'] },
  },
  { route: 'POST secure/relations/dismiss', body: { id: '<relation>' } },
  { route: 'POST secure/relations/confirm', body: { id: '<relation>' } },
  { route: 'GET secure/relations', path: '/secure/relations?datasource_id=<datasource>' },
  { route: 'DELETE secure/relations', body: { id: '<relation>' } },
  { route: 'GET secure/datasource/semantics/draft', path: '/secure/datasource/semantics/draft?id=<datasource>' },
  {
    route: 'PUT secure/datasource/semantics',
    body: {
      id: '<datasource>',
      version: 0,
      semantics: {
        columns: [{ name: 'device', synonyms: ['sensor'] }],
        metrics: [{ name: 'readings', plan: { measures: [{ aggregate: 'count' }] } }],
        filters: [{ column: 'device', operator: '!=', value: 'none' }],
      },
    },
  },
  { route: 'GET secure/datasource/semantics', path: '/secure/datasource/semantics?id=<datasource>' },
  { route: 'GET secure/datasource/semantics/yaml', path: '/secure/datasource/semantics/yaml?id=<datasource>' },
  {
    route: 'POST secure/verified',
    body: {
      datasource_id: '<datasource>',
      question: 'How many readings are there?',
      wording: 'There are {readings}.',
      sql: 'SELECT count(*) AS readings FROM data',
    },
    keeps: { golden: ['question', 'id'] },
  },
  { route: 'PATCH secure/verified/:id', path: '/secure/verified/<golden>', body: { wording: '{readings} readings.' } },
  { route: 'GET secure/verified', path: '/secure/verified?id=<datasource>&state=verified' },
  { route: 'POST secure/evaluation/run', body: { id: '<datasource>' }, keeps: { evaluation: ['evaluation', 'id'] } },
  { route: 'GET secure/evaluation/run/:id', path: '/secure/evaluation/run/<evaluation>' },
  { route: 'POST secure/evaluation/stop', body: { id: '<evaluation>' } },
  { route: 'POST secure/evaluation/schedule', body: { id: '<datasource>', interval: 60, enabled: false } },
  { route: 'GET secure/evaluation/runs', path: '/secure/evaluation/runs?id=<datasource>' },
  { route: 'DELETE secure/verified/:id', path: '/secure/verified/<golden>' },
  ...BOARD_CALLS,
  {
    route: 'GET secure/datasource/store-ds-schema-summary',
    path: '/secure/datasource/store-ds-schema-summary?id=<datasource>',
  },
  { route: 'POST secure/datasource/distinct-metadata', body: { datasource_id: '<datasource>', search: 'D', page: 0 } },
  {
    route: 'POST secure/data/plot',
    body: {
      datasource_id: '<datasource>',
      asset: '',
      from: '2024-01-01T00:00:00Z',
      to: '',
      value: 'temperature',
      points: 10,
    },
  },
  {
    route: 'PUT secure/contextfiles',
    form: [
      { field: 'files', name: 'notes.txt', type: 'text/plain', text: 'Device d1 stands on the roof of the house.' },
    ],
    then: async (body, made, client) => {
      const [file] = body['files'] as [{ id: string }];
      made.set('file', file.id);
      await until(client, '/secure/contextfiles', (text) => !text.includes('"pending"'));
    },
  },
  { route: 'GET secure/contextfiles' },
  {
    route: 'POST secure/assistant/conversation',
    body: { title: 'About sensors', datasource_id: '<datasource>', context_only: false },
    keeps: { conversation: ['id'] },
  },
  {
    route: 'PUT secure/assistant/conversation',
    body: {
      id: '<conversation>',
      title: 'About sensors outside',
      datasource_id: '<datasource>',
      pinned: true,
      context_only: false,
    },
  },
  { route: 'GET secure/assistant/conversations' },
  { route: 'GET secure/assistant/conversation/:id', path: '/secure/assistant/conversation/<conversation>' },
  {
    route: 'POST secure/assistant/chat',
    body: {
      conversation_id: '<conversation>',
      message: 'average temperature by device',
      skip_history: false,
      skip_save_history: false,
      context_only: false,
    },
    keeps: { image: ['response', 'visualization'] },
  },
  { route: 'GET secure/assistant/visualizations/:filename', path: '/secure/assistant/visualizations/<image>' },
  {
    route: 'GET secure/assistant/visualizations/:filename/chart',
    path: '/secure/assistant/visualizations/<image>/chart',
  },
  {
    route: 'POST secure/assistant/chatstream',
    body: { conversation_id: '<conversation>', message: 'where does d1 stand', context_only: true },
    then: (_body, made, client) =>
      until(client, `/secure/assistant/conversation/${kept(made, 'conversation')}`, (text) => text.includes('"ready"')),
  },
  { route: 'POST secure/assistant/stop', body: { conversation_id: '<conversation>' } },
  { route: 'GET secure/usage', path: '/secure/usage?group=model&from=2026-01-01&to=2026-01-31' },
  { route: 'GET secure/capabilities' },
  {
    route: 'GET secure/assistant/history/notebook',
    path: '/secure/assistant/history/notebook?conversation_id=<conversation>',
  },
  {
    route: 'GET secure/assistant/history',
    path: '/secure/assistant/history?conversation_id=<conversation>',
    // The last answer was stopped.
    then: (body, made) => void made.set('message', (body['history'] as { _id: string }[]).at(-3)?._id ?? ''),
  },
  {
    route: 'POST secure/assistant/feedback',
    body: { conversation_id: '<conversation>', message_id: '<message>', rating: 'up' },
  },
  { route: 'GET secure/assistant/feedback', path: '/secure/assistant/feedback?conversation_id=<conversation>' },
  {
    route: 'GET secure/assistant/suggestionsquery',
    path: '/secure/assistant/suggestionsquery?conversation_id=<conversation>',
  },
  {
    route: 'GET secure/assistant/suggestionsquery/reload',
    path: '/secure/assistant/suggestionsquery/reload?conversation_id=<conversation>',
  },
  {
    route: 'POST secure/agent/task',
    body: {
      name: 'Heat',
      prompt: 'average temperature by device',
      datasources: ['<datasource>'],
      mode: 'report',
      thinking: false,
      automation_enabled: false,
      automation_interval: 60,
      condition: {
        type: 'threshold',
        datasource_id: '<datasource>',
        column: 'temperature',
        aggregate: 'max',
        operator: '>',
        value: 20,
      },
    },
    keeps: { task: ['task', 'id'] },
  },
  {
    route: 'GET secure/agent/task/run/:task_id',
    path: '/secure/agent/task/run/<task>',
    then: (_body, made, client) =>
      until(client, `/secure/agent/task/${kept(made, 'task')}`, (text) => !text.includes('"running"')),
  },
  { route: 'GET secure/agent/task/:task_id', path: '/secure/agent/task/<task>' },
  { route: 'GET secure/agent/tasks' },
  {
    route: 'POST secure/agent/task/schedule',
    body: { task_id: '<task>', automation_interval: 60, automation_enabled: true },
  },
  { route: 'GET secure/agent/task/:task_id/notebook', path: '/secure/agent/task/<task>/notebook' },
  { route: 'GET secure/agent/taskhistory/:task_id', path: '/secure/agent/taskhistory/<task>?page=0' },
  {
    route: 'POST secure/agent/task/stop',
    first: (made, client) => client.get(`/secure/agent/task/run/${kept(made, 'task')}`),
    body: { task_id: '<task>' },
  },
  { route: 'DELETE secure/agent/task/delete/:task_id', path: '/secure/agent/task/delete/<task>' },
  {
    route: 'POST secure/alerts',
    body: {
      name: 'Heat',
      datasource_id: '<datasource>',
      plan: {
        kind: 'aggregate',
        measures: [{ aggregate: 'max', column: 'temperature', label: 'highest' }],
        dimensions: [],
        filters: [],
        having: [],
        order: [],
        limit: null,
      },
      condition: { type: 'above', value: -100 },
      check_at: { days: ['mon', 'fri'], time: '08:00', time_zone: 'Europe/Berlin' },
    },
    keeps: { alert: ['alert', 'id'] },
  },
  { route: 'GET secure/alerts', path: '/secure/alerts?page=0' },
  { route: 'GET secure/alerts/:id', path: '/secure/alerts/<alert>' },
  { route: 'POST secure/alerts/:id/check', path: '/secure/alerts/<alert>/check' },
  {
    route: 'PATCH secure/alerts/:id',
    path: '/secure/alerts/<alert>',
    body: { condition: { type: 'changes', percent: 10 }, check_at: null },
  },
  { route: 'GET secure/alerts/:id/history', path: '/secure/alerts/<alert>/history' },
  { route: 'DELETE secure/alerts/:id', path: '/secure/alerts/<alert>' },
  { route: 'DELETE secure/contextfiles/:fileId', path: '/secure/contextfiles/<file>' },
  { route: 'DELETE secure/assistant/conversation', body: { id: '<conversation>' } },
  { route: 'GET secure/bin' },
  { route: 'POST secure/bin/:id/restore', path: '/secure/bin/<conversation>/restore' },
  { route: 'DELETE secure/bin/:id', path: '/secure/bin/<task>' },
  { route: 'DELETE secure/datasource', body: { id: '<datasource>' } },
  ...SIGN_IN_CALLS,
  { route: 'POST refresh-token', body: { token: '<token>' } },
  { route: 'POST secure/logout' },
];
