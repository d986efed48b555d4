import { i18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../../app/client.js';
import { keys } from '../../../shared/keys.js';
import type { Wire } from '../../../shared/wire.js';

export interface Known {
  readonly current: Wire['SemanticsResponse'];
  readonly draft: Wire['SemanticsView'];
}

/** Also of a datasource that has no rows. */
export function currentSemanticsQuery(id: string) {
  return queryOptions({
    queryKey: [...keys.semantics(id), 'current'],
    queryFn: ({ signal }) =>
      call(api.GET('/api/v1/secure/datasource/semantics', { params: { query: { id } }, signal })),
  });
}

export function semanticsQuery(id: string) {
  return queryOptions({
    queryKey: keys.semantics(id),
    queryFn: async ({ signal }): Promise<Known> => {
      const query = { params: { query: { id } }, signal };
      const [current, { semantics: draft }] = await Promise.all([
        call(api.GET('/api/v1/secure/datasource/semantics', query)),
        call(api.GET('/api/v1/secure/datasource/semantics/draft', query)),
      ]);
      return { current, draft };
    },
  });
}

/** What is done with the numbers of several rows where nobody says it. */
export const ROLES = [
  { value: '', label: msg`not set` },
  { value: 'sum', label: msg`sum` },
  { value: 'average', label: msg`average` },
  { value: 'none', label: msg`no figure` },
] as const;
export type Role = (typeof ROLES)[number]['value'];

export function roleLabel(role: Role): string {
  const known = ROLES.find(({ value }) => value === role);
  return known === undefined ? '' : i18n._(known.label);
}

/** As the company says, else as the service decided with the import. */
export function roleOf({ current, draft }: Known, name: string): Role {
  const said = current.semantics.columns.find((column) => column.name === name)?.role ?? '';
  return said === '' ? (draft.columns.find((column) => column.name === name)?.role ?? '') : said;
}

export function nothingOf(name: string): Wire['ColumnSemanticsView'] {
  return { name, description: '', synonyms: [], unit: '', format: '', role: '', allowed_values: [] };
}

export function withRole(semantics: Wire['SemanticsView'], name: string, role: Role): Wire['SemanticsView'] {
  const { columns } = semantics;
  const isKnown = columns.some((column) => column.name === name);
  const all = isKnown ? columns : [...columns, nothingOf(name)];
  return { ...semantics, columns: all.map((column) => (column.name === name ? { ...column, role } : column)) };
}
