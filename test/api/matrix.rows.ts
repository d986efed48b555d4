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

type More = Omit<WrittenRow, 'reach' | 'id'>;
type Thing = Exclude<keyof World, 'owner' | 'colleague' | 'manager' | 'eve' | 'eveManager' | 'stranger'>;

const row =
  (reach: MatrixRow['reach']) =>
  (thing: Thing | ((world: World) => string), more: More = {}): WrittenRow => ({
    reach,
    id: typeof thing === 'function' ? thing : (world): string => world[thing],
    ...more,
  });
/** Everybody of the company may. */
const company = row('company');
/** The company sees it, and whoever made it and managers may. */
const makers = (thing: Parameters<typeof company>[0], more: More = {}): WrittenRow =>
  company(thing, { makers: true, ...more });
const owner = row('owner');
const manager = row('manager');
const own = (more: More = {}): WrittenRow => ({ reach: 'own', ...more });
const everyManager = (more: More = {}): WrittenRow => ({ reach: 'manager', ...more });
const open = (body?: object): WrittenRow => ({ reach: 'public', ...(body === undefined ? {} : { body }) });

const CHANGES = { changes: true };
const FILE = { file: true };
/** A body that names the thing, with these fields besides. */
const by = (name: string, fields: object = {}, more: More = {}): More => ({
  body: (id) => ({ [name]: id, ...fields }),
  ...more,
});
const byId = by('id');
const CHANGED = { ...byId, ...CHANGES };
const SQL = { query: 'SELECT device FROM data' };
const ROW = { device: 'd1', at: '2024-01-03 00:00:00', temperature: '21.5' };
const MONDAY = { days: ['mon'], time: '08:00', time_zone: 'Europe/Berlin' };
const PROVIDER = {
  ...{ issuer: 'https://127.0.0.1', client_id: 'x', client_secret: 'y', domains: ['acme.example'] },
  ...{ default_role: 'user', admits_unknown: false },
};
const KEY = { name: 'Reports', scopes: ['read'], days: 30, expires_at: null, service_account: null };
const BOARD = { title: 'Sales', notes: '', range: null, filters: [], refresh_minutes: null, layout: [] };
const PLACE = { kind: 'https', address: 'https://127.0.0.1/rows.csv' };
const NOTE = { from: '2024-01-01', to: '2024-01-02T00:00:00Z', text: 'Filter changed' };
const QUESTION = { question: 'How many rows?', wording: 'Some.', sql: 'SELECT count(*) FROM data' };
const CONVERSATION = { title: null, datasource_id: null, pinned: true, context_only: false };
const FEEDBACK = { message_id: 'f'.repeat(24), rating: 'up', correction: null };
const SCHEDULE = { automation_interval: 60, automation_enabled: false, condition: { type: 'new_data' } };
const TASK = {
  ...{ name: 'Watch', prompt: 'How many rows are there?', mode: 'solve', thinking: false, notify_emails: [] },
  ...{ automation_enabled: false, automation_interval: 15, automation_at: MONDAY, condition: { type: 'always' } },
};
const ALERT = {
  ...{ name: 'Heat', dbquery: 'SELECT avg(temperature) FROM data', condition: { type: 'above', value: 25 } },
  ...{ check_interval: 1440, check_at: MONDAY, notify_emails: [], webhook: false },
};
const person = (world: World): string => world.owner.id;
/** A board and its tile; any other text stands for both. */
const tile = (world: World): string => `${world.board}/${world.tile}`;

/** One row for every route there is; a route without one fails the test. */
const ROWS: Readonly<Record<string, WrittenRow>> = {
  'POST login': open({}),
  'POST refresh-token': open({}),
  'GET health/live': open(),
  'GET health/ready': open(),
  'GET metrics': open(),
  // What its tools and resources show to whom: see mcp.test.ts.
  'POST mcp': own(CHANGES),
  'GET mcp': open(),
  'DELETE mcp': open(),
  'POST forgotten-password': open({ email: '' }),
  'POST sign-in/begin': open({ email: '', company_id: '' }),
  'POST sign-in/finish': open({ browser: '', state: '', code: '', iss: '' }),
  'POST invitation/look': open({}),
  'POST invitation/accept': open({}),
  // What holds a link: see boards.test.ts.
  'POST shared/look': open({ token: '' }),
  'POST shared/figure': open({ token: '', tile_id: '' }),

  'POST secure/logout': own(CHANGES),
  'GET secure/currentuser': own(),
  'PATCH secure/currentuser': own({ body: { first_name: 'Ada', last_name: 'Byron' }, changes: true }),
  'POST secure/currentuser/password': own({ body: {}, changes: true }),
  'GET secure/currentuser/sessions': own(),
  'DELETE secure/currentuser/sessions/:id': owner('session', CHANGES),
  'GET secure/sign-in': everyManager(),
  'PUT secure/sign-in': everyManager({ body: PROVIDER, changes: true }),
  'DELETE secure/sign-in': everyManager(CHANGES),
  'GET secure/audit': everyManager(),
  'GET secure/audit/csv': everyManager(FILE),
  'POST secure/invitation': everyManager({ body: { email: 'new@example.com', role: 'user' }, changes: true }),
  'GET secure/invitation/list': everyManager(),
  'DELETE secure/invitation/:id': manager('invitation', CHANGES),
  'GET secure/user/list': everyManager(),
  'GET secure/user/:id': manager(person),
  'PATCH secure/user/:id': manager(person, { body: { role: 'user', is_active: true }, changes: true }),
  'DELETE secure/user/:id': manager(person, CHANGES),
  'POST secure/user/:id/reset': manager(person, CHANGES),
  'POST secure/api-keys': own({ body: KEY }),
  'GET secure/api-keys': own(),
  // Its owner and managers; a colleague is told that it is not there: see api-keys.test.ts.
  'DELETE secure/api-keys/:id': company('apiKey', CHANGES),
  'GET secure/currentcompany': own(),
  'GET secure/usage': everyManager({ call: () => ({ path: '/secure/usage?group=user' }) }),
  'GET secure/settings': own(),
  'PATCH secure/settings': everyManager({ body: { config: { theme: 'dark' } } }),
  'GET secure/capabilities': own(),
  'GET secure/bin': own(),
  'POST secure/bin/:id/restore': owner('deleted', CHANGES),
  'DELETE secure/bin/:id': owner('deleted', CHANGES),

  'GET secure/board/list': own(),
  'POST secure/board': own({ body: { title: 'Sales', notes: '' } }),
  'GET secure/board/:id': company('board'),
  'PATCH secure/board/:id': makers('board', { body: BOARD }),
  'DELETE secure/board/:id': makers('board', CHANGES),
  'POST secure/board/:id/tile': makers('board', { body: { text: 'Read from left to right.' } }),
  'PATCH secure/board/:id/tile/:tile': makers(tile, { body: { title: 'Warmth' } }),
  'DELETE secure/board/:id/tile/:tile': makers(tile, CHANGES),
  'POST secure/board/:id/tile/:tile/figure': company(tile, { body: { range: null, filters: [] } }),
  'POST secure/share': makers('board', by('board_id', { days: 7 })),
  'GET secure/share/list': own(),
  // Whoever made it and managers; a colleague is told that it is not there: see boards.test.ts.
  'DELETE secure/share/:id': company('link', CHANGES),

  'POST secure/datasource/upload': own(CHANGES),
  'POST secure/datasource/sample': everyManager(CHANGES),
  'POST secure/datasource/fetch': own({ body: PLACE, ...CHANGES }),
  'POST secure/datasource/refetch': company('datasource', CHANGED),
  'DELETE secure/datasource/refetch': company('datasource', CHANGED),
  'PATCH secure/datasource/place': company('datasource', by('id', { every_minutes: 60 }, CHANGES)),
  'DELETE secure/datasource/upload': company('upload', by('filename', {}, { ...CHANGES, named: true })),
  'POST secure/datasource/detect-timeformat': own({ body: { timestamp: '2024-01-31 12:00:00' } }),
  'PUT secure/datasource': own({ body: {}, changes: true }),
  'GET secure/datasource': company('datasource', { query: 'id' }),
  // What it does with files: see append.test.ts.
  'POST secure/datasource/append': company('datasource', by('datasource_id', { filename: 'nothing.csv' }, CHANGES)),
  'GET secure/datasources': own(),
  'POST secure/datasources/plain': own({ body: {} }),
  'PATCH secure/datasource': company('datasource', by('id', { name: null, context: 'measured indoors' })),
  'DELETE secure/datasource': company('datasource', CHANGED),
  'PATCH secure/datasource/insert': company(
    'datasource',
    by('datasource_id', { data: [ROW] }, { bodyLimit: 8 * 1024 * 1024 }),
  ),
  'GET secure/datasource/annotations': company('datasource', { query: 'id' }),
  'POST secure/datasource/annotation': company('datasource', by('datasource_id', NOTE, CHANGES)),
  'DELETE secure/datasource/annotation/:id': makers('annotation', CHANGES),
  'GET secure/datasource/semantics': company('datasource', { query: 'id' }),
  'GET secure/datasource/semantics/draft': company('datasource', { query: 'id' }),
  'GET secure/datasource/semantics/yaml': company('datasource', { query: 'id', file: true }),
  'PUT secure/datasource/semantics': makers('datasource', by('id', { version: 0, semantics: {}, yaml: null }, CHANGES)),
  'GET secure/datasource/export': company('datasource', { query: 'id', file: true }),
  'GET secure/datasource/rejects': company('datasource', { query: 'id', file: true }),
  'GET secure/datasource/store-ds-schema-summary': company('datasource', { query: 'id' }),
  'POST secure/datasource/distinct-metadata': company('datasource', by('datasource_id', { search: '', page: 0 })),
  'POST secure/data/plot': company(
    'datasource',
    by('datasource_id', { asset: '', from: '', to: '', value: 'temperature' }),
  ),
  'POST secure/data/query': company('datasource', by('datasource_id', { ...SQL, offset: 0, limit: 10 })),
  'POST secure/data/query/csv': company('datasource', by('datasource_id', SQL, FILE)),
  'GET secure/relations': company('datasource', { query: 'datasource_id' }),
  'POST secure/relations/propose': company('datasource', { body: (id) => ({ datasource_ids: [id, id] }), ...CHANGES }),
  'POST secure/relations/confirm': makers('relation', CHANGED),
  'POST secure/relations/dismiss': makers('relation', CHANGED),
  'DELETE secure/relations': makers('relation', CHANGED),
  'GET secure/verified': manager('datasource', {
    call: (id) => ({ path: `/secure/verified?id=${id}&state=candidate` }),
  }),
  'POST secure/verified': manager('datasource', by('datasource_id', QUESTION, CHANGES)),
  'PATCH secure/verified/:id': manager('golden', { body: { wording: 'It has {rows} rows.', state: 'verified' } }),
  'DELETE secure/verified/:id': manager('golden', CHANGES),
  'POST secure/evaluation/run': manager('datasource', by('id', { models: [''], semantics: null }, CHANGES)),
  'GET secure/evaluation/run/:id': manager('evaluation'),
  'POST secure/evaluation/stop': manager('evaluation', byId),
  'GET secure/evaluation/runs': manager('datasource', { query: 'id' }),
  'POST secure/evaluation/schedule': manager('datasource', by('id', { interval: 1440, enabled: true })),
  'GET secure/contextfiles': own(),
  'PUT secure/contextfiles': own(CHANGES),
  'DELETE secure/contextfiles/:fileId': makers('file', CHANGES),

  'GET secure/assistant/conversations': own(),
  'GET secure/assistant/conversation/:id': owner('conversation'),
  'POST secure/assistant/conversation': company('datasource', by('datasource_id', { title: 'x' })),
  'PUT secure/assistant/conversation': owner('conversation', by('id', CONVERSATION)),
  'DELETE secure/assistant/conversation': owner('conversation', CHANGED),
  'GET secure/assistant/history': owner('conversation', { query: 'conversation_id' }),
  'GET secure/assistant/history/notebook': owner('conversation', { query: 'conversation_id', file: true }),
  'POST secure/assistant/chat': owner('conversation', by('conversation_id', { message: 'how many rows' })),
  'POST secure/assistant/chatstream': owner(
    'conversation',
    by('conversation_id', { message: 'how many rows' }, CHANGES),
  ),
  'POST secure/assistant/stop': owner('conversation', by('conversation_id')),
  'GET secure/assistant/feedback': owner('conversation', { query: 'conversation_id' }),
  'POST secure/assistant/feedback': owner('conversation', by('conversation_id', FEEDBACK, CHANGES)),
  'GET secure/assistant/suggestionsquery': owner('conversation', { query: 'conversation_id' }),
  'GET secure/assistant/suggestionsquery/reload': owner('conversation', { query: 'conversation_id' }),
  'GET secure/assistant/visualizations/:filename': company('image', { named: true }),
  'GET secure/assistant/visualizations/:filename/chart': company('image', { named: true }),

  'GET secure/agent/tasks': own(),
  'GET secure/agent/task/:task_id': company('task'),
  'GET secure/agent/task/:task_id/notebook': company('task', FILE),
  'POST secure/agent/task': company('datasource', { body: (id) => ({ datasources: [id], ...TASK }) }),
  'GET secure/agent/task/run/:task_id': company('task', CHANGES),
  'POST secure/agent/task/schedule': company('task', by('task_id', SCHEDULE)),
  'POST secure/agent/task/stop': company('task', by('task_id', {}, CHANGES)),
  'DELETE secure/agent/task/delete/:task_id': makers('task', CHANGES),
  'GET secure/agent/taskhistory/:task_id': company('task'),
  'GET secure/alerts': own(),
  'POST secure/alerts': company('datasource', by('datasource_id', ALERT)),
  'GET secure/alerts/:id': company('alert'),
  'PATCH secure/alerts/:id': makers('alert', { body: { name: 'Heat', condition: { type: 'no_data' } }, changes: true }),
  'DELETE secure/alerts/:id': makers('alert', CHANGES),
  'POST secure/alerts/:id/check': company('alert'),
  'GET secure/alerts/:id/history': company('alert'),
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
