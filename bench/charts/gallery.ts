/**
 * Draws one chart of each kind, as the service does, and writes docs/charts.md with them: `npm run docs:charts`. What they are drawn from
 * stands in `exhibits.jsonl`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VegaChartRenderer } from '../../src/adapters/charts/vega-chart-renderer.js';
import type { ChartRequest } from '../../src/ports/chart-renderer.js';
import type { QueryResult } from '../../src/ports/table.js';

/** A chart of the gallery: the file it is written to, what it shows, and what it is drawn from. */
interface Exhibit extends Pick<QueryResult, 'columns' | 'rows'> {
  readonly file: string;
  readonly heading: string;
  readonly text: string;
  readonly request: Pick<ChartRequest, 'kind' | 'x' | 'title'> & Partial<ChartRequest>;
}

const DOCS = join(import.meta.dirname, '../../docs');
const IMAGES = 'images/charts';

const HEAD = `# Charts

The service draws these kinds. The kind is chosen from the question and the result: lines for figures over time, areas for
running totals, bars for groups (stacked where they are parts of a sum), histograms for the spread of a column, scatter charts
for two figures of each row, heatmaps for pairs, a pie where somebody asks for one or shares are few. Who names a kind
gets it, if the figures can be drawn so: the parts of a pie and of a stack add up to a whole, which averages and rates do not.

Each chart comes as a PNG of double resolution and as a Vega-Lite specification with its data inside. No text of the data is
a field name, an expression or an address in it, and it is drawn in a process of its own.

This page is written by \`npm run docs:charts\`; the figures are made up.
`;

const lines = (await readFile(new URL('exhibits.jsonl', import.meta.url), 'utf8')).trim().split('\n');
const renderer = new VegaChartRenderer();
try {
  await mkdir(join(DOCS, IMAGES), { recursive: true });
  const parts: string[] = [HEAD];
  for (const { file, heading, text, request, columns, rows } of lines.map((line) => JSON.parse(line) as Exhibit)) {
    const whole = { y: null, series: null, xTitle: null, yTitle: null, ...request };
    const result = { columns, rows, truncated: false, dbquery: '', rowsScanned: rows.length };
    await writeFile(join(DOCS, IMAGES, `${file}.png`), await renderer.draw(renderer.specify(whole, result)));
    parts.push(`## ${heading}\n\n${text}\n\n![${request.title}](${IMAGES}/${file}.png)\n`);
  }
  await writeFile(join(DOCS, 'charts.md'), parts.join('\n'));
} finally {
  renderer.stop();
}
