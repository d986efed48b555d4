/**
 * How the console feels in Chromium, on the built service with its embedded defaults: first load, answers, a plot and a list of very many rows, and
 * memory after long use. Each figure stands beside a baseline of the same run.
 *
 *   npm run build && npx tsx bench/console.ts [--rows 1440000] [--rounds 100] [--only load,answers,plot,rows,memory]
 *
 * `--rows` is how many the plotted datasource has; `--rounds` how many rounds of page changes, questions and plots stand for an hour of use. The
 * browser draws without a graphics card, so that frames cost more here than on most people's machines.
 */
import { parseArgs } from 'node:util';
import { chromiumPath } from '../test/browser/chromium.js';
import { Console } from '../test/browser/console.js';
import { answers, firstLoad } from './console/load-and-answers.js';
import { memory } from './console/memory.js';
import { plot, rows } from './console/plot.js';
import { preparedWorld, type World } from './console/world.js';

const { values: wanted } = parseArgs({
  options: {
    rows: { type: 'string', default: '1440000' },
    rounds: { type: 'string', default: '100' },
    only: { type: 'string', default: 'load,answers,plot,rows,memory' },
  },
});

const PARTS: Readonly<Record<string, (world: World) => Promise<void>>> = {
  load: firstLoad,
  answers,
  plot,
  rows,
  memory: (world) => memory(world, Number(wanted.rounds)),
};

if (chromiumPath !== undefined) {
  await using house = await Console.start();
  const world = await preparedWorld(house, Number(wanted.rows));
  for (const [name, part] of Object.entries(PARTS)) if (wanted.only.split(',').includes(name)) await part(world);
}
