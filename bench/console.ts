/**
 * How the console feels in Chromium, on the built service with its embedded defaults: first load, answers, boards, a plot and a list of very many rows, and
 * memory after long use. Each figure stands beside a baseline of the same run, and beside its aim where it has one.
 *
 *   npm run build && npx tsx bench/console.ts [--rows 1440000] [--rounds 100] [--only load,answers,boards,plot,rows,memory]
 *
 * `--rows` is how many the plotted datasource has; `--rounds` how many rounds of page changes, questions and plots stand for an hour of use. The
 * browser draws without a graphics card, so that frames cost more here than on most people's machines.
 */
import { parseArgs } from 'node:util';
import { chromiumPath } from '../test/browser/chromium.js';
import { Console } from '../test/browser/console.js';
import { answers } from './console/answers.js';
import { boards } from './console/boards.js';
import type { Figure } from './console/figures.js';
import { firstLoad } from './console/first-load.js';
import { memory } from './console/memory.js';
import { plot } from './console/plot.js';
import { rows } from './console/rows.js';
import { preparedWorld, type World } from './console/world.js';

const { values: wanted } = parseArgs({
  options: {
    rows: { type: 'string', default: '1440000' },
    rounds: { type: 'string', default: '100' },
    only: { type: 'string', default: 'load,answers,boards,plot,rows,memory' },
  },
});

const PARTS: Readonly<Record<string, (world: World) => Promise<readonly Figure[]>>> = {
  load: firstLoad,
  answers,
  boards,
  plot,
  rows,
  memory: (world) => memory(world, Number(wanted.rounds)),
};

function print({ name, value, baseline, aim }: Figure): void {
  console.log(`${name.padEnd(56)} ${value.padStart(22)}   ${(baseline ?? '').padEnd(58)} ${aim ?? ''}`);
}

if (chromiumPath !== undefined) {
  await using house = await Console.start();
  const world = await preparedWorld(house, Number(wanted.rows));
  console.log(`${'median of several'.padEnd(56)} ${''.padStart(22)}   ${'baseline in the same run'.padEnd(58)} aim`);
  for (const [name, part] of Object.entries(PARTS)) {
    if (!wanted.only.split(',').includes(name)) continue;
    for (const figure of await part(world)) print(figure);
  }
}
