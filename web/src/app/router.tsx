import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { NotFound } from '../ui/not-found.js';
import { PageFailed } from '../ui/page-failed.js';
import { datasourceSearch } from '../pages/datasources/detail/search.js';
import { viewFrom, type BoardView } from '../pages/boards/boards.queries.js';
import { Shell } from './shell.js';

// Each page is a file of its own in the build, loaded when it is opened.
const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

function pageSearch(search: Record<string, unknown>): { page?: number } {
  return typeof search.page === 'number' && search.page > 0 ? { page: search.page } : {};
}

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's own way
    throw redirect({ to: '/datasources' });
  },
});

const datasources = createRoute({
  getParentRoute: () => root,
  path: '/datasources',
  validateSearch: (search): { q?: string; page?: number } => ({
    ...(typeof search.q === 'string' && search.q !== '' ? { q: search.q } : {}),
    ...(typeof search.page === 'number' && search.page > 0 ? { page: search.page } : {}),
  }),
  component: lazyRouteComponent(() => import('../pages/datasources/list/list.page.js'), 'DatasourcesPage'),
});

const newDatasource = createRoute({
  getParentRoute: () => root,
  path: '/datasources/new',
  component: lazyRouteComponent(() => import('../pages/datasources/wizard/wizard.page.js'), 'NewDatasourcePage'),
});

const datasource = createRoute({
  getParentRoute: () => root,
  path: '/datasources/$id',
  validateSearch: datasourceSearch,
  component: lazyRouteComponent(() => import('../pages/datasources/detail/detail.page.js'), 'DatasourcePage'),
});

const assistant = createRoute({
  getParentRoute: () => root,
  path: '/assistant',
  component: lazyRouteComponent(() => import('../pages/assistant/assistant.page.js'), 'AssistantPage'),
});

const conversation = createRoute({
  getParentRoute: () => root,
  path: '/assistant/$id',
  // The answer that is being written, so that a reload goes on with it.
  validateSearch: (search): { answer?: string; hint?: number } => ({
    ...(typeof search.answer === 'string' ? { answer: search.answer } : {}),
    ...(typeof search.hint === 'number' ? { hint: search.hint } : {}),
  }),
  component: lazyRouteComponent(() => import('../pages/assistant/conversation.page.js'), 'ConversationPage'),
});

const boards = createRoute({
  getParentRoute: () => root,
  path: '/boards',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('../pages/boards/boards.page.js'), 'BoardsPage'),
});

const board = createRoute({
  getParentRoute: () => root,
  path: '/boards/$id',
  // What the reader looks at it through, where it is not what everybody does.
  validateSearch: (search): { view?: BoardView } => {
    const view = viewFrom(search.view);
    return view === null ? {} : { view };
  },
  component: lazyRouteComponent(() => import('../pages/boards/board.page.js'), 'BoardPage'),
});

const files = createRoute({
  getParentRoute: () => root,
  path: '/files',
  component: lazyRouteComponent(() => import('../pages/files/files.page.js'), 'FilesPage'),
});

const tasks = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('../pages/tasks/tasks.page.js'), 'TasksPage'),
});

const newTask = createRoute({
  getParentRoute: () => root,
  path: '/tasks/new',
  component: lazyRouteComponent(() => import('../pages/tasks/new-task.page.js'), 'NewTaskPage'),
});

const task = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$id',
  validateSearch: (search): { run?: string } => (typeof search.run === 'string' ? { run: search.run } : {}),
  component: lazyRouteComponent(() => import('../pages/tasks/task.page.js'), 'TaskPage'),
});

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('../pages/alerts/alerts.page.js'), 'AlertsPage'),
});

const alert = createRoute({
  getParentRoute: () => root,
  path: '/alerts/$id',
  component: lazyRouteComponent(() => import('../pages/alerts/alert.page.js'), 'AlertPage'),
});

const bin = createRoute({
  getParentRoute: () => root,
  path: '/bin',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('../pages/bin/bin.page.js'), 'BinPage'),
});

/** The link of a company leads to the sign-in, which stands wherever nobody is signed in. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  beforeLoad: () => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router's own way
    throw redirect({ to: '/' });
  },
});

const users = createRoute({
  getParentRoute: () => root,
  path: '/users',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('../pages/company/users.page.js'), 'UsersPage'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: (search): { page?: number; email?: string; from?: string; to?: string } => ({
    ...pageSearch(search),
    ...Object.fromEntries(
      (['email', 'from', 'to'] as const).flatMap((name) =>
        typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [],
      ),
    ),
  }),
  component: lazyRouteComponent(() => import('../pages/company/audit.page.js'), 'AuditPage'),
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('../pages/account/account.page.js'), 'AccountPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => root,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('../pages/keys/keys.page.js'), 'KeysPage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/company/settings.page.js'), 'SettingsPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    datasources,
    newDatasource,
    datasource,
    assistant,
    conversation,
    boards,
    board,
    files,
    tasks,
    newTask,
    task,
    alerts,
    alert,
    bin,
    signIn,
    users,
    audit,
    account,
    apiKeys,
    settings,
  ]),
  defaultErrorComponent: PageFailed,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
