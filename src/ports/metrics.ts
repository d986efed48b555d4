/** What is counted, with its labels. A label's values are few and known in advance: never an id, a name or a text that somebody chose. */
interface MetricDefinition {
  readonly kind: 'counter' | 'histogram' | 'gauge';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, in the metric's unit. */
  readonly buckets?: readonly number[];
}

const QUICK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const SLOW = [0.1, 0.5, 1, 2.5, 5, 15, 30, 60, 120, 300, 900, 3_600, 14_400];

/** Every metric of the service. Durations are in seconds. `docs/operations.md` says which ones to watch. */
export const METRICS = {
  http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Requests by method, route pattern and class of status',
    labels: ['method', 'route', 'status'],
    buckets: QUICK,
  },
  jobs_enqueued_total: { kind: 'counter', help: 'Jobs that were asked for', labels: ['job'] },
  job_duration_seconds: { kind: 'histogram', help: 'Runs of jobs', labels: ['job', 'outcome'], buckets: SLOW },
  jobs_given_up_total: { kind: 'counter', help: 'Jobs that nothing will retry', labels: ['job'] },
  jobs_waiting: {
    kind: 'gauge',
    help: 'Jobs that wait for a run; with Redis those of all instances together',
    labels: ['job'],
  },
  import_duration_seconds: { kind: 'histogram', help: 'Imports of files', labels: ['outcome'], buckets: SLOW },
  import_rows_total: { kind: 'counter', help: 'Records of imported files, kept or rejected', labels: ['result'] },
  import_bytes_total: { kind: 'counter', help: 'Bytes of the files that were imported', labels: [] },
  inserted_rows_total: { kind: 'counter', help: 'Rows that were inserted after an import', labels: [] },
  row_query_duration_seconds: {
    kind: 'histogram',
    help: 'Questions to the row store',
    labels: ['operation', 'outcome'],
    buckets: QUICK,
  },
  row_cache_hits_total: { kind: 'counter', help: 'Files of rows that were here when they were asked for', labels: [] },
  row_cache_downloads_total: { kind: 'counter', help: 'Files of rows that were downloaded', labels: [] },
  row_cache_downloaded_bytes_total: { kind: 'counter', help: 'Their bytes', labels: [] },
  row_cache_bytes: { kind: 'gauge', help: 'Copies of files of rows on this machine', labels: [] },
  row_batches_waiting: {
    kind: 'gauge',
    help: 'Batches of later rows that are in no file, of tables used here',
    labels: [],
  },
  row_batches_oldest_seconds: { kind: 'gauge', help: 'Age of the oldest of them', labels: [] },
  row_engine_restarts: { kind: 'gauge', help: 'How often the row engine had to be started again', labels: [] },
  sandbox_processes: { kind: 'gauge', help: 'Processes for queries of models and people', labels: [] },
  answer_duration_seconds: {
    kind: 'histogram',
    help: 'Answers by kind (answer, clarify, cannot, failed, stopped) and engine (built-in, model)',
    labels: ['kind', 'engine'],
    buckets: SLOW,
  },
  answer_repairs_total: { kind: 'counter', help: 'Answers whose figures had to be written again', labels: ['engine'] },
  answer_fallbacks_total: {
    kind: 'counter',
    help: 'Answers that the built-in analyst finished because the model was away',
    labels: [],
  },
  model_call_duration_seconds: {
    kind: 'histogram',
    help: 'Rounds of models',
    labels: ['engine', 'outcome'],
    buckets: SLOW,
  },
  model_tokens_total: { kind: 'counter', help: 'Tokens that the endpoint counted', labels: [] },
  stream_sockets_open: { kind: 'gauge', help: 'Open sockets of this instance', labels: [] },
  stream_sockets_total: { kind: 'counter', help: 'Sockets that were opened', labels: [] },
  stream_closed_total: {
    kind: 'counter',
    help: 'Sockets that closed, by reason (client, restart, slow, lost, session)',
    labels: ['reason'],
  },
  stream_frames_total: { kind: 'counter', help: 'Frames that sockets were told, by type of event', labels: ['type'] },
  backend_up: { kind: 'gauge', help: '1 when the back-end answers, else 0', labels: ['backend'] },
  companies: { kind: 'gauge', help: 'Companies in the document store, looked at once a minute', labels: [] },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;
type NamesOf<K extends MetricDefinition['kind']> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends K ? N : never;
}[MetricName];
export type CounterName = NamesOf<'counter'>;
export type HistogramName = NamesOf<'histogram'>;
export type GaugeName = NamesOf<'gauge'>;

/** A value for each label of the metric. */
export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof METRICS)[N]['labels'][number], string>>;

export interface Sample<N extends GaugeName> {
  readonly labels: LabelsOf<N>;
  readonly value: number;
}

export interface MetricsPage {
  readonly contentType: string;
  readonly text: string;
}

/** Counts what happens, for operators. Never throws, and costs nothing when nobody wants it. */
export abstract class Metrics {
  /** Somebody wants them: work that is done for them alone can be left out otherwise. */
  abstract readonly on: boolean;
  abstract count<N extends CounterName>(name: N, labels: LabelsOf<N>, by?: number): void;
  abstract observe<N extends HistogramName>(name: N, labels: LabelsOf<N>, value: number): void;
  /** Reads the gauge whenever somebody looks. A reader that fails leaves the gauge without samples. */
  abstract watch<N extends GaugeName>(name: N, read: () => readonly Sample<N>[] | Promise<readonly Sample<N>[]>): void;
  /** Everything as Prometheus reads it. */
  abstract page(): Promise<MetricsPage>;
}

/** Nobody wants to know. */
export const NO_METRICS: Metrics = {
  on: false,
  count: () => undefined,
  observe: () => undefined,
  watch: () => undefined,
  page: () => Promise.resolve({ contentType: 'text/plain', text: '' }),
};
