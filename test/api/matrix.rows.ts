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
  /** The call changes what it names: only what refuses is tried. */
  readonly changes?: boolean;
  /** The id is a name, not 24 hexadecimal digits: a malformed one is just not there. */
  readonly named?: boolean;
  /** A success is a file, not JSON. */
  readonly file?: boolean;
  /** Bytes of a body that are taken; left out: 1 MiB. */
  readonly bodyLimit?: number;
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
function parts(id: string): readonly [string, string] {
  const [one = '', other = one] = id.split('/');
  return [one, other];
}
const alert = (world: World): string => world.alert;

/** One row for every route there is; a route without one fails the test. */
export const MATRIX: Readonly<Record<string, MatrixRow>> = {
  'POST login': { reach: 'public', call: () => ({ path: '/login', body: {} }) },
  'POST refresh-token': { reach: 'public', call: () => ({ path: '/refresh-token', body: {} }) },
  'GET health/live': { reach: 'public', call: () => ({ path: '/health/live' }) },
  'GET metrics': { reach: 'public', call: () => ({ path: '/metrics' }) },
  // What its tools and resources show to whom: see mcp.test.ts.
  'POST mcp': { reach: 'own', call: () => ({ path: '/mcp' }), changes: true },
  'GET mcp': { reach: 'public', call: () => ({ path: '/mcp' }) },
  'DELETE mcp': { reach: 'public', call: () => ({ path: '/mcp' }) },
  'GET health/ready': { reach: 'public', call: () => ({ path: '/health/ready' }) },
  'POST secure/logout': { reach: 'own', call: () => ({ path: '/secure/logout' }), changes: true },
  'GET secure/currentuser': { reach: 'own', call: () => ({ path: '/secure/currentuser' }) },
  'PATCH secure/currentuser': {
    reach: 'own',
    call: () => ({ path: '/secure/currentuser', body: { first_name: 'Ada', last_name: 'Byron' } }),
    changes: true,
  },
  'POST secure/currentuser/password': {
    reach: 'own',
    call: () => ({ path: '/secure/currentuser/password', body: {} }),
    changes: true,
  },
  'GET secure/currentuser/sessions': { reach: 'own', call: () => ({ path: '/secure/currentuser/sessions' }) },
  'DELETE secure/currentuser/sessions/:id': {
    reach: 'owner',
    call: (id) => ({ path: `/secure/currentuser/sessions/${id}` }),
    id: (world) => world.session,
    changes: true,
  },
  'POST forgotten-password': { reach: 'public', call: () => ({ path: '/forgotten-password', body: { email: '' } }) },
  'GET secure/sign-in': { reach: 'manager', call: () => ({ path: '/secure/sign-in' }) },
  'PUT secure/sign-in': {
    reach: 'manager',
    call: () => ({
      path: '/secure/sign-in',
      body: {
        ...{ issuer: 'https://127.0.0.1', client_id: 'x', client_secret: 'y', domains: ['acme.example'] },
        ...{ default_role: 'user', admits_unknown: false },
      },
    }),
    changes: true,
  },
  'DELETE secure/sign-in': { reach: 'manager', call: () => ({ path: '/secure/sign-in' }), changes: true },
  'POST sign-in/begin': {
    reach: 'public',
    call: () => ({ path: '/sign-in/begin', body: { email: '', company_id: '' } }),
  },
  'POST sign-in/finish': {
    reach: 'public',
    call: () => ({ path: '/sign-in/finish', body: { browser: '', state: '', code: '', iss: '' } }),
  },
  'GET secure/bin': { reach: 'own', call: () => ({ path: '/secure/bin' }) },
  'POST secure/bin/:id/restore': {
    reach: 'owner',
    call: (id) => ({ path: `/secure/bin/${id}/restore` }),
    id: (world) => world.deleted,
    changes: true,
  },
  'DELETE secure/bin/:id': {
    reach: 'owner',
    call: (id) => ({ path: `/secure/bin/${id}` }),
    id: (world) => world.deleted,
    changes: true,
  },
  'GET secure/audit': { reach: 'manager', call: () => ({ path: '/secure/audit' }) },
  'GET secure/audit/csv': { reach: 'manager', call: () => ({ path: '/secure/audit/csv' }), file: true },
  'POST secure/invitation': {
    reach: 'manager',
    call: () => ({ path: '/secure/invitation', body: { email: 'new@example.com', role: 'user' } }),
    changes: true,
  },
  'GET secure/invitation/list': { reach: 'manager', call: () => ({ path: '/secure/invitation/list' }) },
  'DELETE secure/invitation/:id': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/invitation/${id}` }),
    id: (world) => world.invitation,
    changes: true,
  },
  'PATCH secure/user/:id': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/user/${id}`, body: { role: 'user', is_active: true } }),
    id: (world) => world.owner.id,
    changes: true,
  },
  'DELETE secure/user/:id': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/user/${id}` }),
    id: (world) => world.owner.id,
    changes: true,
  },
  'POST secure/user/:id/reset': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/user/${id}/reset` }),
    id: (world) => world.owner.id,
    changes: true,
  },
  'POST invitation/look': { reach: 'public', call: () => ({ path: '/invitation/look', body: {} }) },
  'POST invitation/accept': { reach: 'public', call: () => ({ path: '/invitation/accept', body: {} }) },
  'GET secure/board/list': { reach: 'own', call: () => ({ path: '/secure/board/list' }) },
  'POST secure/board': {
    reach: 'own',
    call: () => ({ path: '/secure/board', body: { title: 'Sales', notes: '' } }),
  },
  'GET secure/board/:id': { reach: 'company', call: (id) => ({ path: `/secure/board/${id}` }), id: board },
  // Whoever made it and managers; a colleague is told that they may not: see boards.test.ts.
  'PATCH secure/board/:id': {
    reach: 'company',
    call: (id) => ({
      path: `/secure/board/${id}`,
      body: { title: 'Sales', notes: '', range: null, filters: [], refresh_minutes: null, layout: [] },
    }),
    id: board,
  },
  'DELETE secure/board/:id': {
    reach: 'company',
    call: (id) => ({ path: `/secure/board/${id}` }),
    id: board,
    changes: true,
  },
  'POST secure/board/:id/tile': {
    reach: 'company',
    call: (id) => ({ path: `/secure/board/${id}/tile`, body: { text: 'Read from left to right.' } }),
    id: board,
  },
  'PATCH secure/board/:id/tile/:tile': {
    reach: 'company',
    call: (id) => ({ path: `/secure/board/${parts(id)[0]}/tile/${parts(id)[1]}`, body: { title: 'Warmth' } }),
    id: tile,
  },
  'DELETE secure/board/:id/tile/:tile': {
    reach: 'company',
    call: (id) => ({ path: `/secure/board/${parts(id)[0]}/tile/${parts(id)[1]}` }),
    id: tile,
    changes: true,
  },
  'POST secure/board/:id/tile/:tile/figure': {
    reach: 'company',
    call: (id) => ({
      path: `/secure/board/${parts(id)[0]}/tile/${parts(id)[1]}/figure`,
      body: { range: null, filters: [] },
    }),
    id: tile,
  },
  'POST secure/share': {
    reach: 'company',
    call: (id) => ({ path: '/secure/share', body: { board_id: id, days: 7 } }),
    id: board,
  },
  'GET secure/share/list': { reach: 'own', call: () => ({ path: '/secure/share/list' }) },
  // Whoever made it and managers; a colleague is told that it is not there: see boards.test.ts.
  'DELETE secure/share/:id': {
    reach: 'company',
    call: (id) => ({ path: `/secure/share/${id}` }),
    id: (world) => world.link,
    changes: true,
  },
  // What holds a link: see boards.test.ts.
  'POST shared/look': { reach: 'public', call: () => ({ path: '/shared/look', body: { token: '' } }) },
  'POST shared/figure': { reach: 'public', call: () => ({ path: '/shared/figure', body: { token: '', tile_id: '' } }) },
  'GET secure/currentcompany': { reach: 'own', call: () => ({ path: '/secure/currentcompany' }) },
  'GET secure/usage': { reach: 'manager', call: () => ({ path: '/secure/usage?group=user' }) },
  'GET secure/settings': { reach: 'own', call: () => ({ path: '/secure/settings' }) },
  'PATCH secure/settings': {
    reach: 'manager',
    call: () => ({ path: '/secure/settings', body: { config: { theme: 'dark' } } }),
  },
  'POST secure/api-keys': {
    reach: 'own',
    call: () => ({
      path: '/secure/api-keys',
      body: { name: 'Reports', scopes: ['read'], days: 30, expires_at: null, service_account: null },
    }),
  },
  'GET secure/api-keys': { reach: 'own', call: () => ({ path: '/secure/api-keys' }) },
  // Its owner and managers; a colleague is told that it is not there: see api-keys.test.ts.
  'DELETE secure/api-keys/:id': {
    reach: 'company',
    call: (id) => ({ path: `/secure/api-keys/${id}` }),
    id: apiKey,
    changes: true,
  },
  'GET secure/user/list': { reach: 'manager', call: () => ({ path: '/secure/user/list' }) },
  'GET secure/user/:id': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/user/${id}` }),
    id: (world) => world.owner.id,
  },
  'POST secure/datasource/upload': { reach: 'own', call: () => ({ path: '/secure/datasource/upload' }), changes: true },
  'POST secure/datasource/sample': {
    reach: 'manager',
    call: () => ({ path: '/secure/datasource/sample' }),
    changes: true,
  },
  'POST secure/datasource/fetch': {
    reach: 'own',
    call: () => ({ path: '/secure/datasource/fetch', body: { kind: 'https', address: 'https://127.0.0.1/rows.csv' } }),
    changes: true,
  },
  'POST secure/datasource/refetch': {
    reach: 'company',
    call: (id) => ({ path: '/secure/datasource/refetch', body: { id } }),
    id: datasource,
    changes: true,
  },
  'DELETE secure/datasource/refetch': {
    reach: 'company',
    call: (id) => ({ path: '/secure/datasource/refetch', body: { id } }),
    id: datasource,
    changes: true,
  },
  'PATCH secure/datasource/place': {
    reach: 'company',
    call: (id) => ({ path: '/secure/datasource/place', body: { id, every_minutes: 60 } }),
    id: datasource,
    changes: true,
  },
  'DELETE secure/datasource/upload': {
    reach: 'company',
    call: (id) => ({ path: '/secure/datasource/upload', body: { filename: id } }),
    id: (world) => world.upload,
    changes: true,
    named: true,
  },
  'POST secure/datasource/detect-timeformat': {
    reach: 'own',
    call: () => ({ path: '/secure/datasource/detect-timeformat', body: { timestamp: '2024-01-31 12:00:00' } }),
  },
  'PUT secure/datasource': {
    reach: 'own',
    call: () => ({ path: '/secure/datasource', body: {} }),
    changes: true,
  },
  'GET secure/datasource': {
    reach: 'company',
    call: (id) => ({ path: `/secure/datasource?id=${id}` }),
    id: datasource,
  },
  // What it does with files: see append.test.ts.
  'POST secure/datasource/append': {
    reach: 'company',
    call: (id) => ({ path: '/secure/datasource/append', body: { datasource_id: id, filename: 'nothing.csv' } }),
    id: datasource,
    changes: true,
  },
  'GET secure/datasources': { reach: 'own', call: () => ({ path: '/secure/datasources' }) },
  'POST secure/datasources/plain': {
    reach: 'own',
    call: () => ({ path: '/secure/datasources/plain', body: {} }),
  },
  'PATCH secure/datasource': {
    reach: 'company',
    call: (id) => ({ path: '/secure/datasource', body: { id, name: null, context: 'measured indoors' } }),
    id: datasource,
  },
  'DELETE secure/datasource': {
    reach: 'company',
    call: (id) => ({ path: '/secure/datasource', body: { id } }),
    id: datasource,
    changes: true,
  },
  'GET secure/datasource/annotations': {
    reach: 'company',
    call: (id) => ({ path: `/secure/datasource/annotations?id=${id}` }),
    id: datasource,
  },
  'POST secure/datasource/annotation': {
    reach: 'company',
    call: (id) => ({
      path: '/secure/datasource/annotation',
      body: { datasource_id: id, from: '2024-01-01', to: '2024-01-02T00:00:00Z', text: 'Filter changed' },
    }),
    id: datasource,
    changes: true,
  },
  // Who wrote it and managers; a colleague is forbidden: see annotations.test.ts.
  'DELETE secure/datasource/annotation/:id': {
    reach: 'company',
    call: (id) => ({ path: `/secure/datasource/annotation/${id}` }),
    id: annotation,
    changes: true,
  },
  'GET secure/datasource/semantics': {
    reach: 'company',
    call: (id) => ({ path: `/secure/datasource/semantics?id=${id}` }),
    id: datasource,
  },
  'GET secure/datasource/semantics/draft': {
    reach: 'company',
    call: (id) => ({ path: `/secure/datasource/semantics/draft?id=${id}` }),
    id: datasource,
  },
  'GET secure/datasource/semantics/yaml': {
    reach: 'company',
    call: (id) => ({ path: `/secure/datasource/semantics/yaml?id=${id}` }),
    id: datasource,
    file: true,
  },
  // Its creator and managers; a colleague is forbidden: see semantics.test.ts.
  'PUT secure/datasource/semantics': {
    reach: 'company',
    call: (id) => ({ path: '/secure/datasource/semantics', body: { id, version: 0, semantics: {}, yaml: null } }),
    id: datasource,
    changes: true,
  },
  'GET secure/relations': {
    reach: 'company',
    call: (id) => ({ path: `/secure/relations?datasource_id=${id}` }),
    id: datasource,
  },
  'POST secure/relations/propose': {
    reach: 'company',
    call: (id) => ({ path: '/secure/relations/propose', body: { datasource_ids: [id, id] } }),
    id: datasource,
    changes: true,
  },
  // Who made one of its datasources and managers; a colleague is forbidden: see relations.test.ts.
  'POST secure/relations/confirm': {
    reach: 'company',
    call: (id) => ({ path: '/secure/relations/confirm', body: { id } }),
    id: relation,
    changes: true,
  },
  'POST secure/relations/dismiss': {
    reach: 'company',
    call: (id) => ({ path: '/secure/relations/dismiss', body: { id } }),
    id: relation,
    changes: true,
  },
  'DELETE secure/relations': {
    reach: 'company',
    call: (id) => ({ path: '/secure/relations', body: { id } }),
    id: relation,
    changes: true,
  },
  'GET secure/verified': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/verified?id=${id}&state=candidate` }),
    id: datasource,
  },
  'POST secure/verified': {
    reach: 'manager',
    call: (id) => ({
      path: '/secure/verified',
      body: { datasource_id: id, question: 'How many rows?', wording: 'Some.', sql: 'SELECT count(*) FROM data' },
    }),
    id: datasource,
    changes: true,
  },
  'PATCH secure/verified/:id': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/verified/${id}`, body: { wording: 'It has {rows} rows.', state: 'verified' } }),
    id: golden,
  },
  'DELETE secure/verified/:id': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/verified/${id}` }),
    id: golden,
    changes: true,
  },
  'POST secure/evaluation/run': {
    reach: 'manager',
    call: (id) => ({ path: '/secure/evaluation/run', body: { id, models: [''], semantics: null } }),
    id: datasource,
    changes: true,
  },
  'GET secure/evaluation/run/:id': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/evaluation/run/${id}` }),
    id: evaluation,
  },
  'POST secure/evaluation/stop': {
    reach: 'manager',
    call: (id) => ({ path: '/secure/evaluation/stop', body: { id } }),
    id: evaluation,
  },
  'GET secure/evaluation/runs': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/evaluation/runs?id=${id}` }),
    id: datasource,
  },
  'POST secure/evaluation/schedule': {
    reach: 'manager',
    call: (id) => ({ path: '/secure/evaluation/schedule', body: { id, interval: 1440, enabled: true } }),
    id: datasource,
  },
  'POST secure/assistant/feedback': {
    reach: 'owner',
    call: (id) => ({
      path: '/secure/assistant/feedback',
      body: { conversation_id: id, message_id: 'f'.repeat(24), rating: 'up', correction: null },
    }),
    id: conversation,
    changes: true,
  },
  'GET secure/assistant/feedback': {
    reach: 'owner',
    call: (id) => ({ path: `/secure/assistant/feedback?conversation_id=${id}` }),
    id: conversation,
  },
  'PATCH secure/datasource/insert': {
    reach: 'company',
    call: (id) => ({
      path: '/secure/datasource/insert',
      body: { datasource_id: id, data: [{ device: 'd1', at: '2024-01-03 00:00:00', temperature: '21.5' }] },
    }),
    id: datasource,
    bodyLimit: 8 * 1024 * 1024,
  },
  'GET secure/datasource/export': {
    reach: 'company',
    call: (id) => ({ path: `/secure/datasource/export?id=${id}` }),
    id: datasource,
    file: true,
  },
  'GET secure/datasource/rejects': {
    reach: 'company',
    call: (id) => ({ path: `/secure/datasource/rejects?id=${id}` }),
    id: datasource,
    file: true,
  },
  'GET secure/datasource/store-ds-schema-summary': {
    reach: 'company',
    call: (id) => ({ path: `/secure/datasource/store-ds-schema-summary?id=${id}` }),
    id: datasource,
  },
  'POST secure/datasource/distinct-metadata': {
    reach: 'company',
    call: (id) => ({ path: '/secure/datasource/distinct-metadata', body: { datasource_id: id, search: '', page: 0 } }),
    id: datasource,
  },
  'POST secure/data/plot': {
    reach: 'company',
    call: (id) => ({
      path: '/secure/data/plot',
      body: { datasource_id: id, asset: '', from: '', to: '', value: 'temperature' },
    }),
    id: datasource,
  },
  'POST secure/data/query': {
    reach: 'company',
    call: (id) => ({
      path: '/secure/data/query',
      body: { datasource_id: id, query: 'SELECT device FROM data', offset: 0, limit: 10 },
    }),
    id: datasource,
  },
  'POST secure/data/query/csv': {
    reach: 'company',
    call: (id) => ({ path: '/secure/data/query/csv', body: { datasource_id: id, query: 'SELECT device FROM data' } }),
    id: datasource,
    file: true,
  },
  'GET secure/contextfiles': { reach: 'own', call: () => ({ path: '/secure/contextfiles' }) },
  'PUT secure/contextfiles': { reach: 'own', call: () => ({ path: '/secure/contextfiles' }), changes: true },
  'DELETE secure/contextfiles/:fileId': {
    reach: 'company',
    call: (id) => ({ path: `/secure/contextfiles/${id}` }),
    id: (world) => world.file,
    changes: true,
  },
  'GET secure/assistant/conversations': { reach: 'own', call: () => ({ path: '/secure/assistant/conversations' }) },
  'GET secure/assistant/conversation/:id': {
    reach: 'owner',
    call: (id) => ({ path: `/secure/assistant/conversation/${id}` }),
    id: conversation,
  },
  'POST secure/assistant/conversation': {
    reach: 'company',
    call: (id) => ({ path: '/secure/assistant/conversation', body: { title: 'x', datasource_id: id } }),
    id: datasource,
  },
  'PUT secure/assistant/conversation': {
    reach: 'owner',
    call: (id) => ({
      path: '/secure/assistant/conversation',
      body: { id, title: null, datasource_id: null, pinned: true, context_only: false },
    }),
    id: conversation,
  },
  'DELETE secure/assistant/conversation': {
    reach: 'owner',
    call: (id) => ({ path: '/secure/assistant/conversation', body: { id } }),
    id: conversation,
    changes: true,
  },
  'POST secure/assistant/stop': {
    reach: 'owner',
    call: (id) => ({ path: '/secure/assistant/stop', body: { conversation_id: id } }),
    id: conversation,
  },
  'GET secure/capabilities': { reach: 'own', call: () => ({ path: '/secure/capabilities' }) },
  'GET secure/assistant/history/notebook': {
    reach: 'owner',
    call: (id) => ({ path: `/secure/assistant/history/notebook?conversation_id=${id}` }),
    id: conversation,
    file: true,
  },
  'GET secure/assistant/history': {
    reach: 'owner',
    call: (id) => ({ path: `/secure/assistant/history?conversation_id=${id}` }),
    id: conversation,
  },
  'POST secure/assistant/chat': {
    reach: 'owner',
    call: (id) => ({ path: '/secure/assistant/chat', body: { conversation_id: id, message: 'how many rows' } }),
    id: conversation,
  },
  'POST secure/assistant/chatstream': {
    reach: 'owner',
    call: (id) => ({ path: '/secure/assistant/chatstream', body: { conversation_id: id, message: 'how many rows' } }),
    id: conversation,
    changes: true,
  },
  'GET secure/assistant/suggestionsquery': {
    reach: 'owner',
    call: (id) => ({ path: `/secure/assistant/suggestionsquery?conversation_id=${id}` }),
    id: conversation,
  },
  'GET secure/assistant/suggestionsquery/reload': {
    reach: 'owner',
    call: (id) => ({ path: `/secure/assistant/suggestionsquery/reload?conversation_id=${id}` }),
    id: conversation,
  },
  'GET secure/assistant/visualizations/:filename': {
    reach: 'company',
    call: (id) => ({ path: `/secure/assistant/visualizations/${id}` }),
    id: (world) => world.image,
    named: true,
  },
  'GET secure/assistant/visualizations/:filename/chart': {
    reach: 'company',
    call: (id) => ({ path: `/secure/assistant/visualizations/${id}/chart` }),
    id: (world) => world.image,
    named: true,
  },
  'GET secure/agent/tasks': { reach: 'own', call: () => ({ path: '/secure/agent/tasks' }) },
  'GET secure/agent/task/:task_id/notebook': {
    reach: 'company',
    call: (id) => ({ path: `/secure/agent/task/${id}/notebook` }),
    id: task,
    file: true,
  },
  'GET secure/agent/task/:task_id': {
    reach: 'company',
    call: (id) => ({ path: `/secure/agent/task/${id}` }),
    id: task,
  },
  'POST secure/agent/task': {
    reach: 'company',
    call: (id) => ({
      path: '/secure/agent/task',
      body: {
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
      },
    }),
    id: datasource,
  },
  'GET secure/agent/task/run/:task_id': {
    reach: 'company',
    call: (id) => ({ path: `/secure/agent/task/run/${id}` }),
    id: task,
    changes: true,
  },
  'POST secure/agent/task/schedule': {
    reach: 'company',
    call: (id) => ({
      path: '/secure/agent/task/schedule',
      body: { task_id: id, automation_interval: 60, automation_enabled: false, condition: { type: 'new_data' } },
    }),
    id: task,
  },
  'POST secure/agent/task/stop': {
    reach: 'company',
    call: (id) => ({ path: '/secure/agent/task/stop', body: { task_id: id } }),
    id: task,
    changes: true,
  },
  'DELETE secure/agent/task/delete/:task_id': {
    reach: 'company',
    call: (id) => ({ path: `/secure/agent/task/delete/${id}` }),
    id: task,
    changes: true,
  },
  'GET secure/agent/taskhistory/:task_id': {
    reach: 'company',
    call: (id) => ({ path: `/secure/agent/taskhistory/${id}` }),
    id: task,
  },
  'GET secure/alerts': { reach: 'own', call: () => ({ path: '/secure/alerts' }) },
  'POST secure/alerts': {
    reach: 'company',
    call: (id) => ({
      path: '/secure/alerts',
      body: {
        name: 'Heat',
        datasource_id: id,
        dbquery: 'SELECT avg(temperature) FROM data',
        condition: { type: 'above', value: 25 },
        check_interval: 1440,
        check_at: { days: ['mon'], time: '08:00', time_zone: 'Europe/Berlin' },
        notify_emails: [],
        webhook: false,
      },
    }),
    id: datasource,
  },
  'GET secure/alerts/:id': { reach: 'company', call: (id) => ({ path: `/secure/alerts/${id}` }), id: alert },
  'PATCH secure/alerts/:id': {
    reach: 'company',
    call: (id) => ({ path: `/secure/alerts/${id}`, body: { name: 'Heat', condition: { type: 'no_data' } } }),
    id: alert,
    changes: true,
  },
  'DELETE secure/alerts/:id': {
    reach: 'company',
    call: (id) => ({ path: `/secure/alerts/${id}` }),
    id: alert,
    changes: true,
  },
  'POST secure/alerts/:id/check': {
    reach: 'company',
    call: (id) => ({ path: `/secure/alerts/${id}/check` }),
    id: alert,
  },
  'GET secure/alerts/:id/history': {
    reach: 'company',
    call: (id) => ({ path: `/secure/alerts/${id}/history` }),
    id: alert,
  },
};
