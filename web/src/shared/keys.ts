// Names of what the page has in its cache. A shorter one stands for all that begin with it: `invalidateQueries({ queryKey: keys.datasources })`.
export const keys = {
  company: ['company'],
  capabilities: ['capabilities'],
  datasources: ['datasources'],
  datasourceList: (search: string, page: number) => ['datasources', 'list', { search, page }],
  datasource: (id: string) => ['datasources', 'one', id],
  progress: (id: string) => ['datasources', 'progress', id],
  rows: (id: string) => ['datasources', 'rows', id],
  allGoldens: (id: string) => ['goldens', id],
  goldens: (id: string, state: string, page: number) => ['goldens', id, state, page],
  evaluations: (id: string) => ['evaluations', id],
  evaluation: (id: string, run: string) => ['evaluations', id, run],
  notes: (id: string) => ['datasources', 'notes', id],
  relations: ['relations'],
  relationsOf: (id: string) => ['relations', id],
  semantics: (id: string) => ['datasources', 'semantics', id],
  /** `bins` where histograms are wanted. */
  summary: (id: string, ...bins: readonly number[]) => ['datasources', 'rows', id, 'summary', ...bins],
  /** `of` leaves out the stretch of time: all that was loaded of one line. */
  series: (id: string, line: object, ...of: readonly object[]) => ['datasources', 'rows', id, 'series', line, ...of],
  /** `at`: the rows from there on. */
  list: (id: string, list: object, ...at: readonly number[]) => ['datasources', 'rows', id, 'list', list, ...at],
  /** Figures that a plan asks for. */
  figures: (id: string, plan: object) => ['datasources', 'rows', id, 'figures', plan],
  filtered: (id: string, where: object) => ['datasources', 'rows', id, 'filtered', where],
  assets: (id: string, search: string) => ['datasources', 'rows', id, 'assets', search],
} as const;
