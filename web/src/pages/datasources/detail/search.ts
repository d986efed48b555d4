export const TABS = ['summary', 'explore', 'insert', 'rejected', 'meaning', 'verified', 'details'] as const;
export type Tab = (typeof TABS)[number];

/** What of a datasource's page is in its address. Times are ISO 8601. */
export interface DatasourceSearch {
  readonly tab?: Tab;
  readonly asset?: string;
  readonly value?: string;
  readonly from?: string;
  readonly to?: string;
}

/** What makes sense of an address; the rest is left out. */
export function datasourceSearch(search: Readonly<Record<string, unknown>>): DatasourceSearch {
  const tab = TABS.find((one) => one === search.tab);
  return {
    ...(tab === undefined ? {} : { tab }),
    ...textOf(search, 'asset'),
    ...textOf(search, 'value'),
    ...timeOf(search, 'from'),
    ...timeOf(search, 'to'),
  };
}

/** A value that looks like a number or a truth has become one on its way through the address. */
function textOf<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  name: Name,
): Partial<Record<Name, string>> {
  const given = search[name];
  const isSimple = typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean';
  return isSimple && given !== '' ? ({ [name]: String(given) } as Partial<Record<Name, string>>) : {};
}

function timeOf<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  name: Name,
): Partial<Record<Name, string>> {
  const given = search[name];
  return typeof given === 'string' && !Number.isNaN(Date.parse(given))
    ? ({ [name]: given } as Partial<Record<Name, string>>)
    : {};
}
