import type { JsonObject } from '../../shared/json.js';
import { cleanText, cutText, widestOf, wrapText } from './chart-text.js';

export const CHART_WIDTH = 680;
export const CHART_HEIGHT = 340;
export const MAX_SERIES = 10;

export const PALETTE = [
  '#2f6fde',
  '#f08a24',
  '#24996b',
  '#d6455d',
  '#8458c9',
  '#19a0b5',
  '#c4569f',
  '#8f6b45',
  '#7d8896',
  '#a9a82b',
] as const;
/** Colours and fonts of every chart. `aria` is off because it would put titles into expressions. */
export const THEME: JsonObject = {
  background: '#ffffff',
  padding: 20,
  font: 'Inter, system-ui, sans-serif',
  aria: false,
  view: { stroke: null },
  mark: { color: PALETTE[0] },
  title: {
    anchor: 'start',
    frame: 'bounds',
    color: '#111827',
    fontSize: 17,
    fontWeight: 600,
    lineHeight: 22,
    offset: 16,
    subtitleColor: '#6b7280',
    subtitleFontSize: 12,
    subtitleLineHeight: 17,
    subtitlePadding: 8,
  },
  axis: {
    labelColor: '#4b5563',
    labelFontSize: 11.5,
    labelPadding: 6,
    labelLimit: 400,
    labelFlush: false,
    titleColor: '#374151',
    titleFontSize: 12,
    titleFontWeight: 600,
    titlePadding: 12,
    titleLimit: 600,
    gridColor: '#e8ebf0',
    domainColor: '#9aa3af',
    tickColor: '#9aa3af',
    tickSize: 4,
  },
  legend: {
    orient: 'top',
    direction: 'horizontal',
    labelColor: '#374151',
    labelFontSize: 12,
    labelLimit: 400,
    titleColor: '#374151',
    titleFontSize: 12,
    titleFontWeight: 600,
    titleLimit: 400,
    symbolType: 'circle',
    symbolSize: 90,
    symbolOpacity: 1,
    columnPadding: 18,
    rowPadding: 5,
    offset: 16,
  },
};

/** The value axis: no line, and a light grid in which zero stands out. */
export const VALUE_AXIS: JsonObject = {
  grid: true,
  gridColor: { condition: { test: 'datum.value === 0', value: '#9aa3af' }, value: '#e8ebf0' },
  domain: false,
  ticks: false,
  tickCount: 6,
};

export function titleOf(title: string, notes: readonly string[]): JsonObject {
  const subtitle = notes.length === 0 ? [] : wrapText(notes.join(' · '), 105);
  return { text: [...wrapText(title, 72)], ...(subtitle.length > 0 ? { subtitle: [...subtitle] } : {}) };
}

/** The axis title that was asked for, else the column's name. */
export function axisTitle(wanted: string | null, column: string, context = ''): string {
  const title = cutText(cleanText(wanted ?? column), 80);
  return context === '' ? title : `${title} (${context})`;
}

/** Colours by series, with a legend of as many columns as have room beside each other. */
export function seriesColor(series: readonly string[], symbol: JsonObject = {}): JsonObject {
  const columns = Math.max(1, Math.floor(CHART_WIDTH / (widestOf(series) * 1.05 + 44)));
  return {
    field: 's',
    type: 'nominal',
    sort: null,
    scale: { domain: [...series], range: PALETTE.slice(0, Math.max(1, series.length)) },
    legend: { title: null, columns: Math.min(columns, series.length), ...symbol },
  };
}

/** What a kind of chart adds to the frame that all have in common. */
export interface ChartDrawing {
  readonly values: readonly JsonObject[];
  /** In pixels; as most charts, without them. */
  readonly width?: number;
  readonly height?: number;
  /** Marks and encodings: of one view, or of layers. */
  readonly body: JsonObject;
  /** What a reader has to know: what was left out. */
  readonly notes: readonly string[];
}
