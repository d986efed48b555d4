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
}

const datasource = (world: World): string => world.datasource;
const conversation = (world: World): string => world.conversation;

/** One row for every route there is; a route without one fails the test. */
export const MATRIX: Readonly<Record<string, MatrixRow>> = {
  'POST login': { reach: 'public', call: () => ({ path: '/login', body: {} }) },
  'POST refresh-token': { reach: 'public', call: () => ({ path: '/refresh-token', body: {} }) },
  'GET health/live': { reach: 'public', call: () => ({ path: '/health/live' }) },
  'GET health/ready': { reach: 'public', call: () => ({ path: '/health/ready' }) },
  'POST secure/logout': { reach: 'own', call: () => ({ path: '/secure/logout' }), changes: true },
  'GET secure/currentuser': { reach: 'own', call: () => ({ path: '/secure/currentuser' }) },
  'GET secure/currentcompany': { reach: 'own', call: () => ({ path: '/secure/currentcompany' }) },
  'GET secure/settings': { reach: 'own', call: () => ({ path: '/secure/settings' }) },
  'GET secure/user/list': { reach: 'manager', call: () => ({ path: '/secure/user/list' }) },
  'GET secure/user/:id': {
    reach: 'manager',
    call: (id) => ({ path: `/secure/user/${id}` }),
    id: (world) => world.owner.id,
  },
  'POST secure/datasource/upload': { reach: 'own', call: () => ({ path: '/secure/datasource/upload' }), changes: true },
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
  'POST secure/data/plot': {
    reach: 'company',
    call: (id) => ({
      path: '/secure/data/plot',
      body: { datasource_id: id, asset: '', from: '', to: '', value: 'temperature' },
    }),
    id: datasource,
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
  'GET secure/assistant/visualizations/:filename': {
    reach: 'company',
    call: (id) => ({ path: `/secure/assistant/visualizations/${id}` }),
    id: (world) => world.image,
    named: true,
  },
};
