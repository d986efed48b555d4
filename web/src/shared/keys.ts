// Names of what the page has in its cache. A shorter one stands for all that begin with it: `invalidateQueries({ queryKey: keys.datasources })`.
export const keys = {
  company: ['company'],
  capabilities: ['capabilities'],
  datasources: ['datasources'],
  datasourceList: (search: string, page: number) => ['datasources', 'list', { search, page }],
  datasource: (id: string) => ['datasources', 'one', id],
  progress: (id: string) => ['datasources', 'progress', id],
  rows: (id: string) => ['datasources', 'rows', id],
  summary: (id: string) => ['datasources', 'rows', id, 'summary'],
  plot: (id: string, request: object) => ['datasources', 'rows', id, 'plot', request],
  assets: (id: string, search: string) => ['datasources', 'rows', id, 'assets', search],
} as const;
