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
const golden = (world: World): string => world.golden;
const evaluation = (world: World): string => world.evaluation;
const task = (world: World): string => world.task;

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
        condition: { type: 'always' },
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
};
