import type { World } from './world.builder.js';

export interface Call {
  readonly path: string;
  readonly body?: object;
}

/** How a route is called for the thing with an id, and who may. */
export interface MatrixRow {
  /** `company`: everybody in it may; `owner`: the user alone; `manager`: managers alone; `own`: no id, each sees their own. */
  readonly reach: 'public' | 'company' | 'owner' | 'manager' | 'own';
  readonly call: (id: string) => Call;
  readonly id?: (world: World) => string;
  /** Of what everybody sees, this is for whoever made it and for managers: a colleague is forbidden it. */
  readonly makers?: boolean;
  /** The call changes what it names: only what refuses is tried. */
  readonly changes?: boolean;
  /** The id is a name, not 24 hexadecimal digits: a malformed one is just not there. */
  readonly named?: boolean;
  /** A success is a file, not JSON. */
  readonly file?: boolean;
  /** Bytes of a body that are taken; left out: 1 MiB. */
  readonly bodyLimit?: number;
}

/** A row whose path is that of its route, with the id in its place or in the query. */
interface WrittenRow extends Omit<MatrixRow, 'call'> {
  readonly body?: object | ((id: string) => object);
  /** The name of the id in the query. */
  readonly query?: string;
  /** Of another path. */
  readonly call?: MatrixRow['call'];
}

const datasource = (world: World): string => world.datasource;
const conversation = (world: World): string => world.conversation;
const apiKey = (world: World): string => world.apiKey;
const relation = (world: World): string => world.relation;
const golden = (world: World): string => world.golden;
const annotation = (world: World): string => world.annotation;
const evaluation = (world: World): string => world.evaluation;
const task = (world: World): string => world.task;
const board = (world: World): string => world.board;

/** A board and its tile; any other text stands for both. */
const tile = (world: World): string => `${world.board}/${world.tile}`;
const alert = (world: World): string => world.alert;

/** One row for every route there is; a route without one fails the test. */
const ROWS: Readonly<Record<string, WrittenRow>> = {
  'POST login': { reach: 'public', body: {} },
  'POST refresh-token': { reach: 'public', body: {} },
  'GET health/live': { reach: 'public' },
  'GET metrics': { reach: 'public' },
  // What its tools and resources show to whom: see mcp.test.ts.
  'POST mcp': { reach: 'own', changes: true },
  'GET mcp': { reach: 'public' },
  'DELETE mcp': { reach: 'public' },
  'GET health/ready': { reach: 'public' },
  'POST secure/logout': { reach: 'own', changes: true },
  'GET secure/currentuser': { reach: 'own' },
  'PATCH secure/currentuser': { reach: 'own', body: { first_name: 'Ada', last_name: 'Byron' }, changes: true },
  'POST secure/currentuser/password': { reach: 'own', body: {}, changes: true },
  'GET secure/currentuser/sessions': { reach: 'own' },
  'DELETE secure/currentuser/sessions/:id': { reach: 'owner', id: (world) => world.session, changes: true },
  'POST forgotten-password': { reach: 'public', body: { email: '' } },
  'GET secure/sign-in': { reach: 'manager' },
  'PUT secure/sign-in': {
    reach: 'manager',
    body: {
      ...{ issuer: 'https://127.0.0.1', client_id: 'x', client_secret: 'y', domains: ['acme.example'] },
      ...{ default_role: 'user', admits_unknown: false },
    },
    changes: true,
  },
  'DELETE secure/sign-in': { reach: 'manager', changes: true },
  'POST sign-in/begin': { reach: 'public', body: { email: '', company_id: '' } },
  'POST sign-in/finish': { reach: 'public', body: { browser: '', state: '', code: '', iss: '' } },
  'GET secure/bin': { reach: 'own' },
  'POST secure/bin/:id/restore': { reach: 'owner', id: (world) => world.deleted, changes: true },
  'DELETE secure/bin/:id': { reach: 'owner', id: (world) => world.deleted, changes: true },
  'GET secure/audit': { reach: 'manager' },
  'GET secure/audit/csv': { reach: 'manager', file: true },
  'POST secure/invitation': { reach: 'manager', body: { email: 'new@example.com', role: 'user' }, changes: true },
  'GET secure/invitation/list': { reach: 'manager' },
  'DELETE secure/invitation/:id': { reach: 'manager', id: (world) => world.invitation, changes: true },
  'PATCH secure/user/:id': {
    reach: 'manager',
    body: { role: 'user', is_active: true },
    id: (world) => world.owner.id,
    changes: true,
  },
  'DELETE secure/user/:id': { reach: 'manager', id: (world) => world.owner.id, changes: true },
  'POST secure/user/:id/reset': { reach: 'manager', id: (world) => world.owner.id, changes: true },
  'POST invitation/look': { reach: 'public', body: {} },
  'POST invitation/accept': { reach: 'public', body: {} },
  'GET secure/board/list': { reach: 'own' },
  'POST secure/board': { reach: 'own', body: { title: 'Sales', notes: '' } },
  'GET secure/board/:id': { reach: 'company', id: board },
  'PATCH secure/board/:id': {
    reach: 'company',
    makers: true,
    body: { title: 'Sales', notes: '', range: null, filters: [], refresh_minutes: null, layout: [] },
    id: board,
  },
  'DELETE secure/board/:id': { reach: 'company', makers: true, id: board, changes: true },
  'POST secure/board/:id/tile': {
    reach: 'company',
    makers: true,
    body: { text: 'Read from left to right.' },
    id: board,
  },
  'PATCH secure/board/:id/tile/:tile': { reach: 'company', makers: true, body: { title: 'Warmth' }, id: tile },
  'DELETE secure/board/:id/tile/:tile': { reach: 'company', makers: true, id: tile, changes: true },
  'POST secure/board/:id/tile/:tile/figure': { reach: 'company', body: { range: null, filters: [] }, id: tile },
  'POST secure/share': { reach: 'company', makers: true, body: (id) => ({ board_id: id, days: 7 }), id: board },
  'GET secure/share/list': { reach: 'own' },
  // Whoever made it and managers; a colleague is told that it is not there: see boards.test.ts.
  'DELETE secure/share/:id': { reach: 'company', id: (world) => world.link, changes: true },
  // What holds a link: see boards.test.ts.
  'POST shared/look': { reach: 'public', body: { token: '' } },
  'POST shared/figure': { reach: 'public', body: { token: '', tile_id: '' } },
  'GET secure/currentcompany': { reach: 'own' },
  'GET secure/usage': { reach: 'manager', call: () => ({ path: '/secure/usage?group=user' }) },
  'GET secure/settings': { reach: 'own' },
  'PATCH secure/settings': { reach: 'manager', body: { config: { theme: 'dark' } } },
  'POST secure/api-keys': {
    reach: 'own',
    body: { name: 'Reports', scopes: ['read'], days: 30, expires_at: null, service_account: null },
  },
  'GET secure/api-keys': { reach: 'own' },
  // Its owner and managers; a colleague is told that it is not there: see api-keys.test.ts.
  'DELETE secure/api-keys/:id': { reach: 'company', id: apiKey, changes: true },
  'GET secure/user/list': { reach: 'manager' },
  'GET secure/user/:id': { reach: 'manager', id: (world) => world.owner.id },
  'POST secure/datasource/upload': { reach: 'own', changes: true },
  'POST secure/datasource/sample': { reach: 'manager', changes: true },
  'POST secure/datasource/fetch': {
    reach: 'own',
    body: { kind: 'https', address: 'https://127.0.0.1/rows.csv' },
    changes: true,
  },
  'POST secure/datasource/refetch': { reach: 'company', body: (id) => ({ id }), id: datasource, changes: true },
  'DELETE secure/datasource/refetch': { reach: 'company', body: (id) => ({ id }), id: datasource, changes: true },
  'PATCH secure/datasource/place': {
    reach: 'company',
    body: (id) => ({ id, every_minutes: 60 }),
    id: datasource,
    changes: true,
  },
  'DELETE secure/datasource/upload': {
    reach: 'company',
    body: (id) => ({ filename: id }),
    id: (world) => world.upload,
    changes: true,
    named: true,
  },
  'POST secure/datasource/detect-timeformat': { reach: 'own', body: { timestamp: '2024-01-31 12:00:00' } },
  'PUT secure/datasource': { reach: 'own', body: {}, changes: true },
  'GET secure/datasource': { reach: 'company', query: 'id', id: datasource },
  // What it does with files: see append.test.ts.
  'POST secure/datasource/append': {
    reach: 'company',
    body: (id) => ({ datasource_id: id, filename: 'nothing.csv' }),
    id: datasource,
    changes: true,
  },
  'GET secure/datasources': { reach: 'own' },
  'POST secure/datasources/plain': { reach: 'own', body: {} },
  'PATCH secure/datasource': {
    reach: 'company',
    body: (id) => ({ id, name: null, context: 'measured indoors' }),
    id: datasource,
  },
  'DELETE secure/datasource': { reach: 'company', body: (id) => ({ id }), id: datasource, changes: true },
  'GET secure/datasource/annotations': { reach: 'company', query: 'id', id: datasource },
  'POST secure/datasource/annotation': {
    reach: 'company',
    body: (id) => ({ datasource_id: id, from: '2024-01-01', to: '2024-01-02T00:00:00Z', text: 'Filter changed' }),
    id: datasource,
    changes: true,
  },
  'DELETE secure/datasource/annotation/:id': { reach: 'company', makers: true, id: annotation, changes: true },
  'GET secure/datasource/semantics': { reach: 'company', query: 'id', id: datasource },
  'GET secure/datasource/semantics/draft': { reach: 'company', query: 'id', id: datasource },
  'GET secure/datasource/semantics/yaml': { reach: 'company', query: 'id', id: datasource, file: true },
  'PUT secure/datasource/semantics': {
    reach: 'company',
    makers: true,
    body: (id) => ({ id, version: 0, semantics: {}, yaml: null }),
    id: datasource,
    changes: true,
  },
  'GET secure/relations': { reach: 'company', query: 'datasource_id', id: datasource },
  'POST secure/relations/propose': {
    reach: 'company',
    body: (id) => ({ datasource_ids: [id, id] }),
    id: datasource,
    changes: true,
  },
  'POST secure/relations/confirm': {
    reach: 'company',
    makers: true,
    body: (id) => ({ id }),
    id: relation,
    changes: true,
  },
  'POST secure/relations/dismiss': {
    reach: 'company',
    makers: true,
    body: (id) => ({ id }),
    id: relation,
    changes: true,
  },
  'DELETE secure/relations': { reach: 'company', makers: true, body: (id) => ({ id }), id: relation, changes: true },
  'GET secure/verified': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/verified?id=${id}&state=candidate` }),
    id: datasource,
  },
  'POST secure/verified': {
    reach: 'manager',
    body: (id) => ({
      datasource_id: id,
      question: 'How many rows?',
      wording: 'Some.',
      sql: 'SELECT count(*) FROM data',
    }),
    id: datasource,
    changes: true,
  },
  'PATCH secure/verified/:id': {
    reach: 'manager',
    body: { wording: 'It has {rows} rows.', state: 'verified' },
    id: golden,
  },
  'DELETE secure/verified/:id': { reach: 'manager', id: golden, changes: true },
  'POST secure/evaluation/run': {
    reach: 'manager',
    body: (id) => ({ id, models: [''], semantics: null }),
    id: datasource,
    changes: true,
  },
  'GET secure/evaluation/run/:id': { reach: 'manager', id: evaluation },
  'POST secure/evaluation/stop': { reach: 'manager', body: (id) => ({ id }), id: evaluation },
  'GET secure/evaluation/runs': { reach: 'manager', query: 'id', id: datasource },
  'POST secure/evaluation/schedule': {
    reach: 'manager',
    body: (id) => ({ id, interval: 1440, enabled: true }),
    id: datasource,
  },
  'POST secure/assistant/feedback': {
    reach: 'owner',
    body: (id) => ({ conversation_id: id, message_id: 'f'.repeat(24), rating: 'up', correction: null }),
    id: conversation,
    changes: true,
  },
  'GET secure/assistant/feedback': { reach: 'owner', query: 'conversation_id', id: conversation },
  'PATCH secure/datasource/insert': {
    reach: 'company',
    body: (id) => ({ datasource_id: id, data: [{ device: 'd1', at: '2024-01-03 00:00:00', temperature: '21.5' }] }),
    id: datasource,
    bodyLimit: 8 * 1024 * 1024,
  },
  'GET secure/datasource/export': { reach: 'company', query: 'id', id: datasource, file: true },
  'GET secure/datasource/rejects': { reach: 'company', query: 'id', id: datasource, file: true },
  'GET secure/datasource/store-ds-schema-summary': { reach: 'company', query: 'id', id: datasource },
  'POST secure/datasource/distinct-metadata': {
    reach: 'company',
    body: (id) => ({ datasource_id: id, search: '', page: 0 }),
    id: datasource,
  },
  'POST secure/data/plot': {
    reach: 'company',
    body: (id) => ({ datasource_id: id, asset: '', from: '', to: '', value: 'temperature' }),
    id: datasource,
  },
  'POST secure/data/query': {
    reach: 'company',
    body: (id) => ({ datasource_id: id, query: 'SELECT device FROM data', offset: 0, limit: 10 }),
    id: datasource,
  },
  'POST secure/data/query/csv': {
    reach: 'company',
    body: (id) => ({ datasource_id: id, query: 'SELECT device FROM data' }),
    id: datasource,
    file: true,
  },
  'GET secure/contextfiles': { reach: 'own' },
  'PUT secure/contextfiles': { reach: 'own', changes: true },
  'DELETE secure/contextfiles/:fileId': { reach: 'company', makers: true, id: (world) => world.file, changes: true },
  'GET secure/assistant/conversations': { reach: 'own' },
  'GET secure/assistant/conversation/:id': { reach: 'owner', id: conversation },
  'POST secure/assistant/conversation': {
    reach: 'company',
    body: (id) => ({ title: 'x', datasource_id: id }),
    id: datasource,
  },
  'PUT secure/assistant/conversation': {
    reach: 'owner',
    body: (id) => ({ id, title: null, datasource_id: null, pinned: true, context_only: false }),
    id: conversation,
  },
  'DELETE secure/assistant/conversation': { reach: 'owner', body: (id) => ({ id }), id: conversation, changes: true },
  'POST secure/assistant/stop': { reach: 'owner', body: (id) => ({ conversation_id: id }), id: conversation },
  'GET secure/capabilities': { reach: 'own' },
  'GET secure/assistant/history/notebook': { reach: 'owner', query: 'conversation_id', id: conversation, file: true },
  'GET secure/assistant/history': { reach: 'owner', query: 'conversation_id', id: conversation },
  'POST secure/assistant/chat': {
    reach: 'owner',
    body: (id) => ({ conversation_id: id, message: 'how many rows' }),
    id: conversation,
  },
  'POST secure/assistant/chatstream': {
    reach: 'owner',
    body: (id) => ({ conversation_id: id, message: 'how many rows' }),
    id: conversation,
    changes: true,
  },
  'GET secure/assistant/suggestionsquery': { reach: 'owner', query: 'conversation_id', id: conversation },
  'GET secure/assistant/suggestionsquery/reload': { reach: 'owner', query: 'conversation_id', id: conversation },
  'GET secure/assistant/visualizations/:filename': { reach: 'company', id: (world) => world.image, named: true },
  'GET secure/assistant/visualizations/:filename/chart': { reach: 'company', id: (world) => world.image, named: true },
  'GET secure/agent/tasks': { reach: 'own' },
  'GET secure/agent/task/:task_id/notebook': { reach: 'company', id: task, file: true },
  'GET secure/agent/task/:task_id': { reach: 'company', id: task },
  'POST secure/agent/task': {
    reach: 'company',
    body: (id) => ({
      name: 'Watch',
      prompt: 'How many rows are there?',
      datasources: [id],
      mode: 'solve',
      thinking: false,
      automation_enabled: false,
      automation_interval: 15,
      automation_at: { days: ['mon'], time: '08:00', time_zone: 'Europe/Berlin' },
      condition: { type: 'always' },
      notify_emails: [],
    }),
    id: datasource,
  },
  'GET secure/agent/task/run/:task_id': { reach: 'company', id: task, changes: true },
  'POST secure/agent/task/schedule': {
    reach: 'company',
    body: (id) => ({
      task_id: id,
      automation_interval: 60,
      automation_enabled: false,
      condition: { type: 'new_data' },
    }),
    id: task,
  },
  'POST secure/agent/task/stop': { reach: 'company', body: (id) => ({ task_id: id }), id: task, changes: true },
  'DELETE secure/agent/task/delete/:task_id': { reach: 'company', makers: true, id: task, changes: true },
  'GET secure/agent/taskhistory/:task_id': { reach: 'company', id: task },
  'GET secure/alerts': { reach: 'own' },
  'POST secure/alerts': {
    reach: 'company',
    body: (id) => ({
      name: 'Heat',
      datasource_id: id,
      dbquery: 'SELECT avg(temperature) FROM data',
      condition: { type: 'above', value: 25 },
      check_interval: 1440,
      check_at: { days: ['mon'], time: '08:00', time_zone: 'Europe/Berlin' },
      notify_emails: [],
      webhook: false,
    }),
    id: datasource,
  },
  'GET secure/alerts/:id': { reach: 'company', id: alert },
  'PATCH secure/alerts/:id': {
    reach: 'company',
    makers: true,
    body: { name: 'Heat', condition: { type: 'no_data' } },
    id: alert,
    changes: true,
  },
  'DELETE secure/alerts/:id': { reach: 'company', makers: true, id: alert, changes: true },
  'POST secure/alerts/:id/check': { reach: 'company', id: alert },
  'GET secure/alerts/:id/history': { reach: 'company', id: alert },
};

export const MATRIX: Readonly<Record<string, MatrixRow>> = Object.fromEntries(
  Object.entries(ROWS).map(([route, { body, query, call, ...row }]) => {
    const made = (id: string): Call => ({
      path: pathOf(route, id) + (query === undefined ? '' : `?${query}=${id}`),
      ...(body === undefined ? {} : { body: typeof body === 'function' ? (body as (id: string) => object)(id) : body }),
    });
    return [route, { ...row, call: call ?? made }];
  }),
);

function pathOf(route: string, id: string): string {
  const [first = '', second = first] = id.split('/');
  const places = [first, second];
  return `/${route.split(' ')[1]}`.replace(/:\w+/g, () => places.shift() ?? '');
}
