import type { DatasourceEvent } from '../../ports/stream-event.js';
import type { Datasource } from './datasource.types.js';
import { sizeText } from './upload/size-text.js';

/** What sockets are told of a datasource. */
export function datasourceEvent(
  { companyId, id, docCount, import: state }: Datasource,
  action: DatasourceEvent['action'],
  at: Date,
): DatasourceEvent {
  return {
    type: 'datasource-updated',
    companyId,
    datasourceId: id,
    action,
    percent: state.percent,
    rows: state.rows,
    docCount,
    rejected: state.rejected,
    message: MESSAGES[action](state),
    at,
  };
}

const MESSAGES: Readonly<Record<DatasourceEvent['action'], (state: Datasource['import']) => string>> = {
  progress: ({ percent, rows, bytes }) =>
    bytes !== undefined
      ? `fetching, ${sizeText(bytes)} so far`
      : percent === null
        ? `importing, ${rows} rows so far`
        : `importing, ${Math.floor(percent)} %`,
  updated: ({ rows, rejected, added = null, replaced }) => {
    const done = added === null ? `${rows} rows imported` : `${added} rows added, ${replaced ?? 0} replaced`;
    return rejected === 0 ? done : `${done}, ${rejected} rejected`;
  },
  failed: ({ error }) => error ?? 'the import failed',
  deleted: () => 'the datasource was deleted',
};
