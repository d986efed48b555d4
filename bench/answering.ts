// The loop's own cost: a question with one query and a 1,000-word answer, from a model, rows and charts that answer in 0 ms.
// Baseline: reading the same model's deltas without the loop.
import { answerOf, CHART, QUERY, aQuestion, bench, ends, says } from '../src/answering/answering.fixture.js';
import { line, ratio, timesOf } from './timing.js';

const ROUNDS = 200;
const words = Array.from({ length: 1000 }, (_, index) => `${index % 12 === 0 ? '**word**' : 'word'} `);

function fresh() {
  return bench((_request, round) => (round === 1 ? [QUERY, CHART, ends('tool_calls')] : [...says(...words), ends()]));
}

async function bare(): Promise<void> {
  const { model } = fresh();
  for (let round = 0; round < 2; round += 1)
    for await (const _delta of model.stream({ briefing: aQuestion().briefing, exchanges: [], tools: [] }));
}

const withLoop = await timesOf(ROUNDS, () => answerOf(fresh()));
const without = await timesOf(ROUNDS, bare);
console.log(line('answer (2 rounds, 1 query, 1 chart, 1,000 deltas)', withLoop));
console.log(line('baseline: the same deltas without the loop', without));
console.log(ratio(withLoop, without));
