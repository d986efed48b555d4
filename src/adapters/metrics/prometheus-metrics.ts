import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import {
  METRICS,
  Metrics,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  type MetricName,
  type MetricsPage,
  type Sample,
} from '../../ports/metrics.js';

const PREFIX = 'analytics_';
/** More series than these a metric does not get, whatever its labels say: what comes later is counted together. */
const MAX_SERIES = 1_000;
const OVER = 'other';

type Labels = Readonly<Record<string, string>>;

/** Counts in memory, and tells in Prometheus' text format, with the figures of the process (`process_*`, `nodejs_*`) beside its own. */
export class PrometheusMetrics extends Metrics {
  override readonly on = true;
  private readonly registry = new Registry();
  private readonly counters = new Map<MetricName, Counter>();
  private readonly histograms = new Map<MetricName, Histogram>();
  private readonly seen = new Map<MetricName, Set<string>>();

  constructor() {
    super();
    collectDefaultMetrics({ register: this.registry });
    for (const name of Object.keys(METRICS) as MetricName[]) this.declare(name);
  }

  override count<N extends CounterName>(name: N, labels: LabelsOf<N>, by = 1): void {
    if (by > 0) this.counters.get(name)?.inc(this.bounded(name, labels), by);
  }

  override observe<N extends HistogramName>(name: N, labels: LabelsOf<N>, value: number): void {
    this.histograms.get(name)?.observe(this.bounded(name, labels), value);
  }

  override watch<N extends GaugeName>(name: N, read: () => readonly Sample<N>[] | Promise<readonly Sample<N>[]>): void {
    const { help, labels } = METRICS[name];
    const gauge = new Gauge({
      name: PREFIX + name,
      help,
      labelNames: labels,
      registers: [],
      collect: async () => {
        gauge.reset();
        try {
          for (const sample of await read()) gauge.set(this.bounded(name, sample.labels), sample.value);
        } catch {
          // One figure that can't be had must not hide all the others; whoever owns it logs why.
          gauge.remove();
        }
      },
    });
    this.registry.registerMetric(gauge);
  }

  override async page(): Promise<MetricsPage> {
    return { contentType: this.registry.contentType, text: await this.registry.metrics() };
  }

  private declare(name: MetricName): void {
    const definition = METRICS[name];
    const options = { name: PREFIX + name, help: definition.help, labelNames: definition.labels };
    const registers = [this.registry];
    if (definition.kind === 'counter') this.counters.set(name, new Counter({ ...options, registers }));
    if (definition.kind === 'histogram') {
      this.histograms.set(name, new Histogram({ ...options, registers, buckets: [...definition.buckets] }));
    }
  }

  private bounded(name: MetricName, labels: Labels): Labels {
    const series = this.seen.get(name) ?? new Set<string>();
    this.seen.set(name, series);
    const key = Object.values(labels).join('\0');
    if (series.has(key)) return labels;
    if (series.size >= MAX_SERIES) return Object.fromEntries(Object.keys(labels).map((label) => [label, OVER]));
    series.add(key);
    return labels;
  }
}
