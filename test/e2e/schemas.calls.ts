import { BOARD_CALLS } from './schemas.boards.js';
import { signInCalls } from './schemas.sign-in.js';
import { csv, field, kept, ROWS, until, type RouteCall } from './schemas.world.js';

const CALLS: readonly RouteCall[] = [
  { route: 'GET health/live', call: () => ({ path: '/health/live' }) },
  { route: 'GET health/ready', call: () => ({ path: '/health/ready' }) },
  {
    route: 'POST login',
    call: (made) => ({ path: '/login', body: { email: kept(made, 'email'), password: kept(made, 'password') } }),
  },
  {
    route: 'GET secure/currentuser',
    call: () => ({ path: '/secure/currentuser' }),
    then: (body, made) => void made.set('user', field(body, 'user', 'id')),
  },
  {
    route: 'POST secure/api-keys',
    call: () => ({ path: '/secure/api-keys', body: { name: 'Reports', scopes: ['read', 'ask'], days: 30 } }),
    then: (body, made) => void made.set('api key', field(body, 'api_key', 'id')),
  },
  { route: 'GET secure/api-keys', call: () => ({ path: '/secure/api-keys' }) },
  { route: 'DELETE secure/api-keys/:id', call: (made) => ({ path: `/secure/api-keys/${kept(made, 'api key')}` }) },
  { route: 'GET secure/user/list', call: () => ({ path: '/secure/user/list' }) },
  { route: 'GET secure/user/:id', call: (made) => ({ path: `/secure/user/${kept(made, 'user')}` }) },
  {
    route: 'PATCH secure/currentuser',
    call: () => ({ path: '/secure/currentuser', body: { first_name: 'Ada', last_name: 'Byron' } }),
  },
  {
    route: 'POST secure/currentuser/password',
    call: (made) => ({
      path: '/secure/currentuser/password',
      body: { current_password: kept(made, 'password'), new_password: kept(made, 'password') },
    }),
  },
  {
    route: 'POST secure/invitation',
    call: () => ({ path: '/secure/invitation', body: { email: 'grace@example.com', role: 'user' } }),
    then: (body, made) => void made.set('invitation token', field(body, 'token')),
  },
  { route: 'GET secure/audit', call: () => ({ path: '/secure/audit' }) },
  { route: 'GET secure/audit/csv', call: () => ({ path: '/secure/audit/csv' }) },
  { route: 'GET secure/invitation/list', call: () => ({ path: '/secure/invitation/list' }) },
  {
    route: 'POST invitation/look',
    call: (made) => ({ path: '/invitation/look', body: { token: kept(made, 'invitation token') } }),
  },
  {
    route: 'POST invitation/accept',
    call: (made) => ({
      path: '/invitation/accept',
      body: { token: kept(made, 'invitation token'), password: 'a good password', first_name: 'Grace' },
    }),
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
  {
    route: 'PATCH secure/user/:id',
    call: (made) => ({ path: `/secure/user/${kept(made, 'member')}`, body: { role: 'manager' } }),
  },
  {
    route: 'POST secure/user/:id/reset',
    call: (made) => ({ path: `/secure/user/${kept(made, 'member')}/reset` }),
    then: (body, made) => void made.set('invitation', field(body, 'invitation', 'id')),
  },
  {
    route: 'DELETE secure/invitation/:id',
    call: (made) => ({ path: `/secure/invitation/${kept(made, 'invitation')}` }),
  },
  { route: 'DELETE secure/user/:id', call: (made) => ({ path: `/secure/user/${kept(made, 'member')}` }) },
  {
    route: 'GET secure/currentuser/sessions',
    call: () => ({ path: '/secure/currentuser/sessions' }),
    then: async (_body, made, client) => {
      await client.post('/login', { email: kept(made, 'email'), password: kept(made, 'password') });
      const { body } = await client.get('/secure/currentuser/sessions');
      const other = (body['sessions'] as { id: string; is_current: boolean }[]).find((one) => !one.is_current);
      made.set('session', String(other?.id));
    },
  },
  {
    route: 'DELETE secure/currentuser/sessions/:id',
    call: (made) => ({ path: `/secure/currentuser/sessions/${kept(made, 'session')}` }),
  },
  { route: 'GET secure/currentcompany', call: () => ({ path: '/secure/currentcompany' }) },
  {
    route: 'PATCH secure/settings',
    call: () => ({
      path: '/secure/settings',
      body: { config: { webhook: { url: 'https://hooks.example.com/', events: [] }, theme: 'dark' } },
    }),
  },
  { route: 'GET secure/settings', call: () => ({ path: '/secure/settings' }) },
  {
    route: 'POST secure/datasource/upload',
    call: () => ({ path: '/secure/datasource/upload', form: csv('rows.csv') }),
    then: async (body, made, client) => {
      made.set('upload', field(body, 'filename'));
      for (const name of ['unused upload', 'further upload'])
        made.set(name, field((await client.upload(ROWS)).body, 'filename'));
    },
  },
  {
    route: 'POST secure/datasource/fetch',
    call: (made) => ({
      path: '/secure/datasource/fetch',
      body: { kind: 'https', address: kept(made, 'place'), secret: 'Bearer 123', ca: kept(made, 'authority') },
    }),
    then: async (fetched, made, client) => {
      const config = { metafield: 'device', timefield: 'at', is_timeseries: true };
      const filename = field(fetched, 'filename');
      const { body } = await client.put('/secure/datasource', { name: 'Fetched', type: 'csv', filename, config });
      const id = field(body, 'datasource_id');
      made.set('fetched', id);
      await until(client, `/secure/datasource?id=${id}`, (text) => text.includes('"updating":false'));
    },
  },
  {
    route: 'POST secure/datasource/refetch',
    call: (made) => ({ path: '/secure/datasource/refetch', body: { id: kept(made, 'fetched') } }),
  },
  {
    route: 'DELETE secure/datasource/refetch',
    call: (made) => ({ path: '/secure/datasource/refetch', body: { id: kept(made, 'fetched') } }),
  },
  {
    route: 'PATCH secure/datasource/place',
    call: (made) => ({
      path: '/secure/datasource/place',
      body: { id: kept(made, 'fetched'), every_minutes: 60, secret: 'Bearer 124' },
    }),
  },
  {
    route: 'POST secure/datasource/sample',
    call: () => ({ path: '/secure/datasource/sample' }),
    then: async (body, made, client) => {
      const id = field(body, 'datasource_id');
      made.set('sample', id);
      await until(client, `/secure/datasource?id=${id}`, (text) => text.includes('"updating":false'));
    },
  },
  {
    route: 'DELETE secure/datasource/upload',
    call: (made) => ({ path: '/secure/datasource/upload', body: { filename: kept(made, 'unused upload') } }),
  },
  {
    route: 'POST secure/datasource/detect-timeformat',
    call: () => ({ path: '/secure/datasource/detect-timeformat', body: { timestamp: '03/04/2024' } }),
  },
  {
    route: 'PUT secure/datasource',
    call: (made) => ({
      path: '/secure/datasource',
      body: {
        name: 'Sensors',
        type: 'csv',
        filename: kept(made, 'upload'),
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
    }),
    then: async (body, made, client) => {
      const id = field(body, 'datasource_id');
      made.set('datasource', id);
      await until(client, `/secure/datasource?id=${id}`, (text) => text.includes('"updating":false'));
    },
  },
  { route: 'GET secure/datasource', call: (made) => ({ path: `/secure/datasource?id=${kept(made, 'datasource')}` }) },
  { route: 'GET secure/datasources', call: () => ({ path: '/secure/datasources?page=0&page_size=5' }) },
  {
    route: 'POST secure/datasources/plain',
    call: () => ({ path: '/secure/datasources/plain', body: { search: 'sens', page: 0 } }),
  },
  {
    route: 'PATCH secure/datasource',
    call: (made) => ({
      path: '/secure/datasource',
      body: { id: kept(made, 'datasource'), name: 'Sensors outside', context: 'measured outdoors' },
    }),
  },
  {
    route: 'PATCH secure/datasource/insert',
    call: (made) => ({
      path: '/secure/datasource/insert',
      body: {
        datasource_id: kept(made, 'datasource'),
        data: [
          { device: 'd1', at: '2024-01-05 00:00:00', temperature: '30.5', note: 'new' },
          { device: 'd1', at: 'yesterday', temperature: '30.5', note: 'skipped' },
        ],
      },
    }),
  },
  {
    route: 'POST secure/datasource/append',
    call: (made) => ({
      path: '/secure/datasource/append',
      body: {
        datasource_id: kept(made, 'datasource'),
        filename: kept(made, 'further upload'),
        keys: ['device', 'at'],
        mapping: [{ column: 'note', to: null }],
      },
    }),
    then: async (_body, made, client) => {
      await until(client, `/secure/datasource?id=${kept(made, 'datasource')}`, (text) =>
        text.includes('"updating":false'),
      );
    },
  },
  {
    route: 'GET secure/datasource/export',
    call: (made) => ({ path: `/secure/datasource/export?id=${kept(made, 'datasource')}&columns=at,note` }),
  },
  {
    route: 'GET secure/datasource/rejects',
    call: (made) => ({ path: `/secure/datasource/rejects?id=${kept(made, 'datasource')}` }),
  },
  {
    route: 'POST secure/data/query',
    call: (made) => ({
      path: '/secure/data/query',
      body: { datasource_id: kept(made, 'datasource'), query: 'SELECT device FROM data', offset: 0, limit: 2 },
    }),
  },
  {
    route: 'POST secure/data/query/csv',
    call: (made) => ({
      path: '/secure/data/query/csv',
      body: { datasource_id: kept(made, 'datasource'), query: 'SELECT device FROM data' },
    }),
  },
  {
    route: 'POST secure/datasource/annotation',
    call: (made) => ({
      path: '/secure/datasource/annotation',
      body: { datasource_id: kept(made, 'datasource'), from: '2024-01-01', to: '2024-01-02', text: 'Filter changed' },
    }),
    then: (body, made) => void made.set('annotation', field(body, 'annotation', 'id')),
  },
  {
    route: 'GET secure/datasource/annotations',
    call: (made) => ({ path: `/secure/datasource/annotations?id=${kept(made, 'datasource')}` }),
  },
  {
    route: 'DELETE secure/datasource/annotation/:id',
    call: (made) => ({ path: `/secure/datasource/annotation/${kept(made, 'annotation')}` }),
  },
  {
    route: 'POST secure/relations/propose',
    call: (made) => ({
      path: '/secure/relations/propose',
      body: {
        datasource_ids: [kept(made, 'datasource'), kept(made, 'sample')],
        columns: [{ first: 'device', second: 'location' }],
      },
    }),
    then: (body, made) => void made.set('relation', field(body, 'relations', '0', 'id')),
  },
  {
    route: 'POST secure/relations/dismiss',
    call: (made) => ({ path: '/secure/relations/dismiss', body: { id: kept(made, 'relation') } }),
  },
  {
    route: 'POST secure/relations/confirm',
    call: (made) => ({ path: '/secure/relations/confirm', body: { id: kept(made, 'relation') } }),
  },
  {
    route: 'GET secure/relations',
    call: (made) => ({ path: `/secure/relations?datasource_id=${kept(made, 'datasource')}` }),
  },
  {
    route: 'DELETE secure/relations',
    call: (made) => ({ path: '/secure/relations', body: { id: kept(made, 'relation') } }),
  },
  {
    route: 'GET secure/datasource/semantics/draft',
    call: (made) => ({ path: `/secure/datasource/semantics/draft?id=${kept(made, 'datasource')}` }),
  },
  {
    route: 'PUT secure/datasource/semantics',
    call: (made) => ({
      path: '/secure/datasource/semantics',
      body: {
        id: kept(made, 'datasource'),
        version: 0,
        semantics: {
          columns: [{ name: 'device', synonyms: ['sensor'] }],
          metrics: [{ name: 'readings', plan: { measures: [{ aggregate: 'count' }] } }],
          filters: [{ column: 'device', operator: '!=', value: 'none' }],
        },
      },
    }),
  },
  {
    route: 'GET secure/datasource/semantics',
    call: (made) => ({ path: `/secure/datasource/semantics?id=${kept(made, 'datasource')}` }),
  },
  {
    route: 'GET secure/datasource/semantics/yaml',
    call: (made) => ({ path: `/secure/datasource/semantics/yaml?id=${kept(made, 'datasource')}` }),
  },
  {
    route: 'POST secure/verified',
    call: (made) => ({
      path: '/secure/verified',
      body: {
        datasource_id: kept(made, 'datasource'),
        question: 'How many readings are there?',
        wording: 'There are {readings}.',
        sql: 'SELECT count(*) AS readings FROM data',
      },
    }),
    then: (body, made) => void made.set('golden', field(body, 'question', 'id')),
  },
  {
    route: 'PATCH secure/verified/:id',
    call: (made) => ({ path: `/secure/verified/${kept(made, 'golden')}`, body: { wording: '{readings} readings.' } }),
  },
  {
    route: 'GET secure/verified',
    call: (made) => ({ path: `/secure/verified?id=${kept(made, 'datasource')}&state=verified` }),
  },
  {
    route: 'POST secure/evaluation/run',
    call: (made) => ({ path: '/secure/evaluation/run', body: { id: kept(made, 'datasource') } }),
    then: (body, made) => void made.set('evaluation', field(body, 'evaluation', 'id')),
  },
  {
    route: 'GET secure/evaluation/run/:id',
    call: (made) => ({ path: `/secure/evaluation/run/${kept(made, 'evaluation')}` }),
  },
  {
    route: 'POST secure/evaluation/stop',
    call: (made) => ({ path: '/secure/evaluation/stop', body: { id: kept(made, 'evaluation') } }),
  },
  {
    route: 'POST secure/evaluation/schedule',
    call: (made) => ({
      path: '/secure/evaluation/schedule',
      body: { id: kept(made, 'datasource'), interval: 60, enabled: false },
    }),
  },
  {
    route: 'GET secure/evaluation/runs',
    call: (made) => ({ path: `/secure/evaluation/runs?id=${kept(made, 'datasource')}` }),
  },
  {
    route: 'DELETE secure/verified/:id',
    call: (made) => ({ path: `/secure/verified/${kept(made, 'golden')}` }),
  },
  ...BOARD_CALLS,
  {
    route: 'GET secure/datasource/store-ds-schema-summary',
    call: (made) => ({ path: `/secure/datasource/store-ds-schema-summary?id=${kept(made, 'datasource')}` }),
  },
  {
    route: 'POST secure/datasource/distinct-metadata',
    call: (made) => ({
      path: '/secure/datasource/distinct-metadata',
      body: { datasource_id: kept(made, 'datasource'), search: 'D', page: 0 },
    }),
  },
  {
    route: 'POST secure/data/plot',
    call: (made) => ({
      path: '/secure/data/plot',
      body: {
        datasource_id: kept(made, 'datasource'),
        asset: '',
        from: '2024-01-01T00:00:00Z',
        to: '',
        value: 'temperature',
        points: 10,
      },
    }),
  },
  {
    route: 'PUT secure/contextfiles',
    call: () => ({
      path: '/secure/contextfiles',
      form: [
        { field: 'files', name: 'notes.txt', type: 'text/plain', text: 'Device d1 stands on the roof of the house.' },
      ],
    }),
    then: async (body, made, client) => {
      const [file] = body['files'] as [{ id: string }];
      made.set('file', file.id);
      await until(client, '/secure/contextfiles', (text) => !text.includes('"pending"'));
    },
  },
  { route: 'GET secure/contextfiles', call: () => ({ path: '/secure/contextfiles' }) },
  {
    route: 'POST secure/assistant/conversation',
    call: (made) => ({
      path: '/secure/assistant/conversation',
      body: { title: 'About sensors', datasource_id: kept(made, 'datasource'), context_only: false },
    }),
    then: (body, made) => void made.set('conversation', field(body, 'id')),
  },
  {
    route: 'PUT secure/assistant/conversation',
    call: (made) => ({
      path: '/secure/assistant/conversation',
      body: {
        id: kept(made, 'conversation'),
        title: 'About sensors outside',
        datasource_id: kept(made, 'datasource'),
        pinned: true,
        context_only: false,
      },
    }),
  },
  { route: 'GET secure/assistant/conversations', call: () => ({ path: '/secure/assistant/conversations' }) },
  {
    route: 'GET secure/assistant/conversation/:id',
    call: (made) => ({ path: `/secure/assistant/conversation/${kept(made, 'conversation')}` }),
  },
  {
    route: 'POST secure/assistant/chat',
    call: (made) => ({
      path: '/secure/assistant/chat',
      body: {
        conversation_id: kept(made, 'conversation'),
        message: 'average temperature by device',
        skip_history: false,
        skip_save_history: false,
        context_only: false,
      },
    }),
    then: (body, made) => void made.set('image', field(body, 'response', 'visualization')),
  },
  {
    route: 'GET secure/assistant/visualizations/:filename',
    call: (made) => ({ path: `/secure/assistant/visualizations/${kept(made, 'image')}` }),
  },
  {
    route: 'GET secure/assistant/visualizations/:filename/chart',
    call: (made) => ({ path: `/secure/assistant/visualizations/${kept(made, 'image')}/chart` }),
  },
  {
    route: 'POST secure/assistant/chatstream',
    call: (made) => ({
      path: '/secure/assistant/chatstream',
      body: { conversation_id: kept(made, 'conversation'), message: 'where does d1 stand', context_only: true },
    }),
    then: (_body, made, client) =>
      until(client, `/secure/assistant/conversation/${kept(made, 'conversation')}`, (text) => text.includes('"ready"')),
  },
  {
    route: 'POST secure/assistant/stop',
    call: (made) => ({
      path: '/secure/assistant/stop',
      body: { conversation_id: kept(made, 'conversation') },
    }),
  },
  { route: 'GET secure/usage', call: () => ({ path: '/secure/usage?group=model&from=2026-01-01&to=2026-01-31' }) },
  { route: 'GET secure/capabilities', call: () => ({ path: '/secure/capabilities' }) },
  {
    route: 'GET secure/assistant/history/notebook',
    call: (made) => ({ path: `/secure/assistant/history/notebook?conversation_id=${kept(made, 'conversation')}` }),
  },
  {
    route: 'GET secure/assistant/history',
    call: (made) => ({ path: `/secure/assistant/history?conversation_id=${kept(made, 'conversation')}` }),
    then: (body, made) => void made.set('message', (body['history'] as { _id: string }[]).at(-1)?._id ?? ''),
  },
  {
    route: 'POST secure/assistant/feedback',
    call: (made) => ({
      path: '/secure/assistant/feedback',
      body: { conversation_id: kept(made, 'conversation'), message_id: kept(made, 'message'), rating: 'up' },
    }),
  },
  {
    route: 'GET secure/assistant/feedback',
    call: (made) => ({ path: `/secure/assistant/feedback?conversation_id=${kept(made, 'conversation')}` }),
  },
  {
    route: 'GET secure/assistant/suggestionsquery',
    call: (made) => ({ path: `/secure/assistant/suggestionsquery?conversation_id=${kept(made, 'conversation')}` }),
  },
  {
    route: 'GET secure/assistant/suggestionsquery/reload',
    call: (made) => ({
      path: `/secure/assistant/suggestionsquery/reload?conversation_id=${kept(made, 'conversation')}`,
    }),
  },
  {
    route: 'POST secure/agent/task',
    call: (made) => ({
      path: '/secure/agent/task',
      body: {
        name: 'Heat',
        prompt: 'average temperature by device',
        datasources: [kept(made, 'datasource')],
        mode: 'report',
        thinking: false,
        automation_enabled: false,
        automation_interval: 60,
        condition: {
          type: 'threshold',
          datasource_id: kept(made, 'datasource'),
          column: 'temperature',
          aggregate: 'max',
          operator: '>',
          value: 20,
        },
      },
    }),
    then: (body, made) => void made.set('task', field(body, 'task', 'id')),
  },
  {
    route: 'GET secure/agent/task/run/:task_id',
    call: (made) => ({ path: `/secure/agent/task/run/${kept(made, 'task')}` }),
    then: (_body, made, client) =>
      until(client, `/secure/agent/task/${kept(made, 'task')}`, (text) => !text.includes('"running"')),
  },
  { route: 'GET secure/agent/task/:task_id', call: (made) => ({ path: `/secure/agent/task/${kept(made, 'task')}` }) },
  { route: 'GET secure/agent/tasks', call: () => ({ path: '/secure/agent/tasks' }) },
  {
    route: 'POST secure/agent/task/schedule',
    call: (made) => ({
      path: '/secure/agent/task/schedule',
      body: { task_id: kept(made, 'task'), automation_interval: 60, automation_enabled: true },
    }),
  },
  {
    route: 'GET secure/agent/task/:task_id/notebook',
    call: (made) => ({ path: `/secure/agent/task/${kept(made, 'task')}/notebook` }),
  },
  {
    route: 'GET secure/agent/taskhistory/:task_id',
    call: (made) => ({ path: `/secure/agent/taskhistory/${kept(made, 'task')}?page=0` }),
  },
  {
    route: 'POST secure/agent/task/stop',
    first: (made, client) => client.get(`/secure/agent/task/run/${kept(made, 'task')}`),
    call: (made) => ({ path: '/secure/agent/task/stop', body: { task_id: kept(made, 'task') } }),
  },
  {
    route: 'DELETE secure/agent/task/delete/:task_id',
    call: (made) => ({ path: `/secure/agent/task/delete/${kept(made, 'task')}` }),
  },
  {
    route: 'POST secure/alerts',
    call: (made) => ({
      path: '/secure/alerts',
      body: {
        name: 'Heat',
        datasource_id: kept(made, 'datasource'),
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
    }),
    then: (body, made) => void made.set('alert', field(body, 'alert', 'id')),
  },
  { route: 'GET secure/alerts', call: () => ({ path: '/secure/alerts?page=0' }) },
  { route: 'GET secure/alerts/:id', call: (made) => ({ path: `/secure/alerts/${kept(made, 'alert')}` }) },
  { route: 'POST secure/alerts/:id/check', call: (made) => ({ path: `/secure/alerts/${kept(made, 'alert')}/check` }) },
  {
    route: 'PATCH secure/alerts/:id',
    call: (made) => ({
      path: `/secure/alerts/${kept(made, 'alert')}`,
      body: { condition: { type: 'changes', percent: 10 }, check_at: null },
    }),
  },
  {
    route: 'GET secure/alerts/:id/history',
    call: (made) => ({ path: `/secure/alerts/${kept(made, 'alert')}/history` }),
  },
  { route: 'DELETE secure/alerts/:id', call: (made) => ({ path: `/secure/alerts/${kept(made, 'alert')}` }) },
  {
    route: 'DELETE secure/contextfiles/:fileId',
    call: (made) => ({ path: `/secure/contextfiles/${kept(made, 'file')}` }),
  },
  {
    route: 'DELETE secure/assistant/conversation',
    call: (made) => ({ path: '/secure/assistant/conversation', body: { id: kept(made, 'conversation') } }),
  },
  { route: 'GET secure/bin', call: () => ({ path: '/secure/bin' }) },
  {
    route: 'POST secure/bin/:id/restore',
    call: (made) => ({ path: `/secure/bin/${kept(made, 'conversation')}/restore` }),
  },
  {
    route: 'DELETE secure/bin/:id',
    call: (made) => ({ path: `/secure/bin/${kept(made, 'task')}` }),
  },
  {
    route: 'DELETE secure/datasource',
    call: (made) => ({ path: '/secure/datasource', body: { id: kept(made, 'datasource') } }),
  },
  ...signInCalls(),
  {
    route: 'POST refresh-token',
    call: (made) => ({ path: '/refresh-token', body: { token: kept(made, 'token') } }),
  },
  { route: 'POST secure/logout', call: () => ({ path: '/secure/logout' }) },
];

/** One call that succeeds for every documented route, in an order in which each finds what it needs. */
export function allCalls(): readonly RouteCall[] {
  return CALLS;
}
