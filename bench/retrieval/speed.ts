import { monitorEventLoopDelay } from 'node:perf_hooks';
import { HashingEmbedder } from '../../src/adapters/embedding/hashing-embedder.js';
import { MiniSearchPassageIndex } from '../../src/adapters/passages/minisearch-passage-index.js';
import { cutPassages } from '../../src/features/context-files/passages/passage-cutter.js';
import type { IndexedPassage } from '../../src/ports/passage-index.js';
import { questions } from './corpus.js';
import { mean, quantile } from './measures.js';
import { withVectors } from './systems.js';

const SIZES = [5000, 20_000];

/** Milliseconds of cutting, embedding, adding and searching, and what a passage takes in memory. */
export async function measureSpeed(passages: readonly IndexedPassage[]): Promise<void> {
  measureCutting();
  for (const size of SIZES) await measureSize(manyOf(passages, size));
}

function measureCutting(): void {
  const text = 'This sentence is one of very many that say the same, over and over again. '.repeat(10);
  const blocks = Array.from({ length: 6700 }, (_, index) => ({
    text,
    page: index >> 3,
    heading: `Part ${index >> 5}`,
  }));
  const begin = performance.now();
  const { length } = cutPassages(blocks);
  console.log(`\ncutting ${blocks.length * text.length} characters into ${length} passages: ${since(begin)} ms`);
}

async function measureSize(passages: readonly IndexedPassage[]): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const [whole, embedded] = await timed(() => withVectors(passages));
  const before = memory();
  const shelf = new MiniSearchPassageIndex().newShelf();
  const [, added] = await timed(() => shelf.add(whole));
  delay.disable();
  const after = memory();
  const each = ({ wall, cpu }: Took): string => {
    return `${(wall / passages.length).toFixed(3)} ms (${(cpu / passages.length).toFixed(3)} of the processor)`;
  };
  console.log(
    `\n${passages.length} passages of ${mean(passages.map(({ text }) => text.length)).toFixed(0)} characters`,
  );
  console.log(`a passage: embed ${each(embedded)}, add ${each(added)}`);
  console.log(`longest time that others waited meanwhile: ${(delay.max / 1e6).toFixed(0)} ms`);
  const bytes = (kind: keyof typeof after): string =>
    ((after[kind] - before[kind]) / passages.length / 1024).toFixed(1);
  console.log(`memory of the shelf a passage: ${bytes('heap')} KiB of words, ${bytes('buffers')} KiB of vectors`);
  const asked = (await questions()).map(({ question }) => question);
  const embedder = new HashingEmbedder();
  for (const [name, vectorWeight] of [
    ['local embedder', embedder.weight],
    ['trusted vectors', 1],
  ] as const) {
    const times: number[] = [];
    for (const text of [...asked.slice(0, 20), ...asked]) {
      const [vector = null] = await embedder.embed([text], new AbortController().signal);
      const begin = performance.now();
      shelf.search({ text, vector, vectorWeight, limit: 6 });
      times.push(since(begin));
    }
    const warm = times.slice(20);
    const vector = whole[7]?.vector ?? null;
    const [, all] = await timed(() => {
      for (const text of asked) shelf.search({ text, vector, vectorWeight, limit: 6 });
      return Promise.resolve();
    });
    const cpu = (all.cpu / asked.length).toFixed(1);
    console.log(
      `query, ${name}: p50 ${quantile(warm, 0.5).toFixed(1)}, p95 ${quantile(warm, 0.95).toFixed(1)}, max ${Math.max(...warm).toFixed(1)} ms; mean of the processor ${cpu} ms`,
    );
  }
}

/** New passages from the sentences of these, so that words are as frequent as in real texts. */
function manyOf(passages: readonly IndexedPassage[], size: number): readonly IndexedPassage[] {
  const sentences = passages.flatMap(({ text }) => text.split(/(?<=[.;]) /));
  let seed = 1;
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
  return Array.from({ length: size }, (_, index) => {
    const text: string[] = [`Number ${index}.`];
    while (text.join(' ').length < 900) text.push(sentences[next() % sentences.length] ?? '');
    return {
      id: `p${index}`,
      group: `g${index % 50}`,
      heading: null,
      text: text.join(' ').slice(0, 1200),
      vector: null,
    };
  });
}

function memory(): { readonly heap: number; readonly buffers: number } {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { heap: heapUsed, buffers: arrayBuffers };
}

/** Milliseconds by the clock and of the processor: they differ when others use it too. */
interface Took {
  readonly wall: number;
  readonly cpu: number;
}

async function timed<T>(work: () => Promise<T>): Promise<readonly [T, Took]> {
  const [begin, used] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(used);
  return [result, { wall: since(begin), cpu: (user + system) / 1000 }];
}

function since(begin: number): number {
  return Math.round((performance.now() - begin) * 1000) / 1000;
}
