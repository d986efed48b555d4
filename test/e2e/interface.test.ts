import { expect, it } from 'vitest';
import { MATRIX } from '../api/matrix.rows.js';

/** Every endpoint of the interface specification, as it writes them, without the `/api/v1/` that all of them begin with. */
// prettier-ignore
const INTERFACE = [
  'POST login', 'POST refresh-token', 'POST secure/logout', 'GET secure/currentuser', 'GET secure/user/:id',
  'GET secure/user/list', 'GET secure/currentcompany', 'GET secure/settings', 'POST secure/datasource/upload',
  'DELETE secure/datasource/upload', 'PUT secure/datasource', 'GET secure/datasource', 'GET secure/datasources',
  'POST secure/datasources/plain', 'PATCH secure/datasource', 'DELETE secure/datasource',
  'PATCH secure/datasource/insert', 'POST secure/datasource/detect-timeformat',
  'GET secure/datasource/store-ds-schema-summary', 'POST secure/datasource/distinct-metadata',
  'POST secure/data/plot', 'GET secure/contextfiles', 'PUT secure/contextfiles', 'DELETE secure/contextfiles/:fileId',
  'GET secure/assistant/conversations', 'GET secure/assistant/conversation/:id', 'POST secure/assistant/conversation',
  'PUT secure/assistant/conversation', 'DELETE secure/assistant/conversation', 'GET secure/assistant/history',
  'POST secure/assistant/chat', 'POST secure/assistant/chatstream', 'GET secure/assistant/suggestionsquery',
  'GET secure/assistant/suggestionsquery/reload', 'GET secure/assistant/visualizations/:filename',
  'GET secure/agent/tasks', 'GET secure/agent/task/:task_id', 'POST secure/agent/task',
  'GET secure/agent/task/run/:task_id', 'POST secure/agent/task/schedule', 'DELETE secure/agent/task/delete/:task_id',
  'GET secure/agent/taskhistory/:task_id',
];

/** The matrix has every route that there is, and no other: see matrix.test.ts. */
it('the service has every endpoint of the interface', () => {
  expect(INTERFACE.filter((endpoint) => MATRIX[endpoint] === undefined)).toEqual([]);
  expect(new Set(INTERFACE).size).toBe(42);
});
