// The loop's own cost: a question with one query and a 1,000-word answer, from a model, rows and charts that answer in 0 ms.
// Baseline: reading the same model's deltas without the loop.
import { foldAnswer, CHART, QUERY, aQuestion, bench, ends, says } from '../src/answering/answering.fixture.js';

const ROUNDS = 200;
const words = Array.from({ length: 1000 }, (_, index) => `${index % 12 === 0 ? '**word**' : 'word'} `);
const signal = new AbortController().signal;

function fresh() {
  return bench((_request, round) => (round === 1 ? [QUERY, CHART, ends('tool_calls')] : [...says(...words), ends()]));
}

async function loop(): Promise<void> {
  await foldAnswer(fresh().answering.answer(aQuestion(), signal));
}

async function bare(): Promise<void> {
  const { model } = fresh();
  for (let round = 0; round < 2; round += 1) {
    let text = '';
    for await (const delta of model.stream({ briefing: aQuestion().briefing, exchanges: [], tools: [] })) {
      if (delta.kind === 'text') text += delta.text;
    }
    if (text.length > 1e6) throw new Error('never');
  }
}

async function medianOf(work: () => Promise<void>): Promise<{ median: number; p95: number }> {
  for (let warm = 0; warm < 30; warm += 1) await work();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  times.sort((a, b) => a - b);
  return { median: times[ROUNDS / 2] ?? 0, p95: times[Math.floor(ROUNDS * 0.95)] ?? 0 };
}

const withLoop = await medianOf(loop);
const without = await medianOf(bare);
console.log(
  `answer (2 rounds, 1 query, 1 chart, 1,000 deltas): ${withLoop.median.toFixed(2)} ms median, ${withLoop.p95.toFixed(2)} ms p95; ` +
    `the same deltas without the loop: ${without.median.toFixed(2)} ms; ratio ${(withLoop.median / without.median).toFixed(1)}`,
);
