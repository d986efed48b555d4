import { describe, expect, it } from 'vitest';
import { RouteTable } from '../../src/http/route-table.js';
import { startTestApi } from '../support/test-api.js';

/** Every endpoint of the interface specification, as it writes them, without the `/api/v1/` that all of them begin with. */
const INTERFACE = `
POST login
POST refresh-token
POST secure/logout

GET secure/currentuser
GET secure/user/:id
GET secure/user/list
GET secure/currentcompany
GET secure/settings

POST secure/datasource/upload
DELETE secure/datasource/upload
PUT secure/datasource
GET secure/datasource
GET secure/datasources
POST secure/datasources/plain
PATCH secure/datasource
DELETE secure/datasource
PATCH secure/datasource/insert
POST secure/datasource/detect-timeformat
GET secure/datasource/store-ds-schema-summary
POST secure/datasource/distinct-metadata
POST secure/data/plot

GET secure/contextfiles
PUT secure/contextfiles
DELETE secure/contextfiles/:fileId

GET secure/assistant/conversations
GET secure/assistant/conversation/:id
POST secure/assistant/conversation
PUT secure/assistant/conversation
DELETE secure/assistant/conversation
GET secure/assistant/history
POST secure/assistant/chat
POST secure/assistant/chatstream
GET secure/assistant/suggestionsquery
GET secure/assistant/suggestionsquery/reload
GET secure/assistant/visualizations/:filename

GET secure/agent/tasks
GET secure/agent/task/:task_id
POST secure/agent/task
GET secure/agent/task/run/:task_id
POST secure/agent/task/schedule
DELETE secure/agent/task/delete/:task_id
GET secure/agent/taskhistory/:task_id
`
  .split('\n')
  .filter((line) => line !== '');

/** What there is besides, and why. */
const BEYOND: Readonly<Record<string, string>> = {
  'GET health/live': 'operations',
  'GET secure/datasource/annotations': 'notes on ranges of time',
  'POST secure/datasource/annotation': 'notes on ranges of time',
  'DELETE secure/datasource/annotation/:id': 'notes on ranges of time',
  'GET secure/datasource/semantics': 'what a table means',
  'GET secure/datasource/semantics/draft': 'what a table means',
  'GET secure/datasource/semantics/yaml': 'what a table means',
  'PUT secure/datasource/semantics': 'what a table means',
  'GET secure/relations': 'several datasources in one question',
  'POST secure/relations/propose': 'several datasources in one question',
  'POST secure/relations/confirm': 'several datasources in one question',
  'POST secure/relations/dismiss': 'several datasources in one question',
  'DELETE secure/relations': 'several datasources in one question',
  'GET secure/verified': 'verified answers',
  'POST secure/verified': 'verified answers',
  'PATCH secure/verified/:id': 'verified answers',
  'DELETE secure/verified/:id': 'verified answers',
  'POST secure/assistant/feedback': 'verified answers',
  'GET secure/assistant/feedback': 'verified answers',
  'POST secure/evaluation/run': 'evaluations',
  'GET secure/evaluation/run/:id': 'evaluations',
  'POST secure/evaluation/stop': 'evaluations',
  'GET secure/evaluation/runs': 'evaluations',
  'POST secure/evaluation/schedule': 'evaluations',
  'GET health/ready': 'operations',
  'GET metrics': 'operations',
  'POST secure/data/query': 'whole results',
  'POST secure/data/query/csv': 'whole results',
  'POST secure/datasource/fetch': 'datasources from places',
  'POST secure/datasource/refetch': 'datasources from places',
  'DELETE secure/datasource/refetch': 'datasources from places',
  'PATCH secure/datasource/place': 'datasources from places',
  'POST secure/datasource/sample': 'a first run',
  'POST secure/datasource/append': 'further files',
  'GET secure/datasource/export': 'downloads',
  'GET secure/datasource/rejects': 'downloads',
  'PATCH secure/settings': 'self-service',
  'GET secure/usage': 'what answers cost',
  'POST secure/assistant/stop': 'control',
  'GET secure/assistant/visualizations/:filename/chart': 'charts of reports, drawn by the page',
  'GET secure/assistant/history/notebook': 'answers as notebooks',
  'GET secure/agent/task/:task_id/notebook': 'runs as notebooks',
  'GET secure/capabilities': 'what a client can rely on',
  'POST secure/agent/task/stop': 'control',
  'GET secure/alerts': 'alerts',
  'POST secure/alerts': 'alerts',
  'GET secure/alerts/:id': 'alerts',
  'PATCH secure/alerts/:id': 'alerts',
  'DELETE secure/alerts/:id': 'alerts',
  'POST secure/alerts/:id/check': 'alerts',
  'GET secure/alerts/:id/history': 'alerts',
  'POST mcp': 'programs',
  'GET mcp': 'programs: says that it is none',
  'DELETE mcp': 'programs: says that it is none',
  'POST secure/api-keys': 'programs',
  'GET secure/api-keys': 'programs',
  'DELETE secure/api-keys/:id': 'programs',
  'PATCH secure/currentuser': 'one’s own account',
  'POST secure/currentuser/password': 'one’s own account',
  'GET secure/currentuser/sessions': 'one’s own account',
  'DELETE secure/currentuser/sessions/:id': 'one’s own account',
  'GET secure/board/list': 'boards',
  'POST secure/board': 'boards',
  'GET secure/board/:id': 'boards',
  'PATCH secure/board/:id': 'boards',
  'DELETE secure/board/:id': 'boards',
  'POST secure/board/:id/tile': 'boards',
  'PATCH secure/board/:id/tile/:tile': 'boards',
  'DELETE secure/board/:id/tile/:tile': 'boards',
  'POST secure/board/:id/tile/:tile/figure': 'boards',
  'POST secure/share': 'boards',
  'GET secure/share/list': 'boards',
  'DELETE secure/share/:id': 'boards',
  'POST shared/look': 'boards',
  'POST shared/figure': 'boards',
  'GET secure/audit': 'who did what',
  'GET secure/sign-in': 'signing in with the company’s provider',
  'PUT secure/sign-in': 'signing in with the company’s provider',
  'DELETE secure/sign-in': 'signing in with the company’s provider',
  'POST sign-in/begin': 'signing in with the company’s provider',
  'POST sign-in/finish': 'signing in with the company’s provider',
  'POST forgotten-password': 'managing people',
  'GET secure/bin': 'undoing deletions',
  'POST secure/bin/:id/restore': 'undoing deletions',
  'DELETE secure/bin/:id': 'undoing deletions',
  'GET secure/audit/csv': 'who did what',
  'POST secure/invitation': 'managing people',
  'GET secure/invitation/list': 'managing people',
  'DELETE secure/invitation/:id': 'managing people',
  'PATCH secure/user/:id': 'managing people',
  'DELETE secure/user/:id': 'managing people',
  'POST secure/user/:id/reset': 'managing people',
  'POST invitation/look': 'managing people',
  'POST invitation/accept': 'managing people',
};

async function routes(): Promise<readonly string[]> {
  await using api = await startTestApi();
  return api
    .get(RouteTable)
    .routes()
    .map(({ method, path }) => `${method} ${path}`);
}

describe('the service and the interface', () => {
  it('has every endpoint of the interface, and each once', async () => {
    const found = await routes();
    expect(INTERFACE.filter((endpoint) => !found.includes(endpoint))).toEqual([]);
    expect(found.filter((route, index) => found.indexOf(route) !== index)).toEqual([]);
  });

  it('has nothing else but what is named here with its reason', async () => {
    const besides = (await routes()).filter((route) => !INTERFACE.includes(route));
    expect([...besides].sort()).toEqual(Object.keys(BEYOND).sort());
  });

  it('counts the 42 endpoints of the interface', () => {
    expect(new Set(INTERFACE).size).toBe(42);
  });
});
