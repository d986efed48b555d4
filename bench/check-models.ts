/**
 * Whether models answer through the service.
 *
 *   npm run check:models                                   doubles of every family that docs/models.md names; ends with 1 when one fails
 *   npm run check:models -- --url URL --model NAME [--key KEY]   a real endpoint: ten questions over samples/weather.csv
 *
 * The answers of a real model are compared with what reference SQL gives on a DuckDB of its own. `OPENAI_*` variables count as in the service.
 */
import 'reflect-metadata';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ModelProfile } from '../src/adapters/openai/model-profile.js';
import { OpenAiChatModel } from '../src/adapters/openai/openai-chat-model.js';
import { AppConfig, type ModelConfig } from '../src/config/app-config.js';
import { readEnvironment } from '../src/config/environment.js';
import { processVariables } from '../src/config/process-variables.js';
import { type AnswerStep } from '../src/answering/answer-step.js';
import { answeringWith, foldAnswer } from '../src/answering/answering.fixture.js';
import type { Answering } from '../src/answering/answering.js';
import { DEFAULT_STEPS, DEFAULT_TOOL_CALLS, type Question } from '../src/answering/question.js';
import { completeConfig, loadColumns } from '../src/features/datasource/datasource-config.js';
import { unite } from '../src/features/datasource/united-table.js';
import { describedFile } from '../src/features/datasource/upload/described-file.js';
import { CountedModel } from '../src/features/models/company-models.facade.js';
import type { LoadSource } from '../src/ports/row-engine.js';
import { describeCsv } from '../src/rows/inspect/inspect-csv.js';
import { openDuckDb } from '../test/contracts/duckdb-store.fixture.js';
import { aTable, QUIET } from '../test/contracts/row-engine.fixture.js';
import { ANSWER, askFamily } from '../test/support/model-families/asking.js';
import { FAMILIES } from '../test/support/model-families/families.js';
import { AS_SERVED } from './device-rows.js';
import { corpusQuestions, corpusTables, TrueTable, type CorpusQuestion } from './reader/corpus.js';
import { gradeRows, type Rows } from './reader/grade-rows.js';
import { timed } from './timing.js';

const CHARACTERS_A_TOKEN = 4;
const QUESTIONS = 10;
const PATIENCE_MS = 60_000;

const text = { type: 'string' } as const;
const { values: given } = parseArgs({ options: { url: text, model: text, key: text } });
if (given.url === undefined && given.model === undefined) await checkDoubles();
else await checkEndpoint(configOf(given));

async function checkDoubles(): Promise<void> {
  for (const family of FAMILIES) {
    const { response, learned, api, requests, refused } = (await askFamily(family)).first;
    const works = response === ANSWER;
    if (!works) process.exitCode = 1;
    const tokens = Math.ceil(JSON.stringify(requests[0] ?? '').length / CHARACTERS_A_TOKEN);
    const told = [
      works ? 'works' : `FAILS: ${response}`,
      api,
      `${requests.length - refused} rounds`,
      `first request ${tokens} tokens`,
      learned.length === 0 ? 'nothing refused' : `refused: ${learned.flat().join(', ')}`,
    ];
    console.log(`${family.name.padEnd(42)} ${told.join('; ')}`);
  }
}

function configOf({ url, model, key }: typeof given): ModelConfig {
  const said = { OPENAI_BASE_URL: url, OPENAI_MODEL: model, OPENAI_API_KEY: key };
  const known = Object.entries(said).filter(([, value]) => value !== undefined);
  const config = new AppConfig(readEnvironment({ ...processVariables(), ...Object.fromEntries(known) })).model;
  if (config === null) throw new Error('say --url, or set OPENAI_API_KEY');
  return config;
}

async function checkEndpoint(config: ModelConfig): Promise<void> {
  const profile = new ModelProfile(config);
  const before = new Set(profile.refusals);
  const spent = { tokens: 0, rounds: 0, right: 0 };
  const model = new CountedModel(new OpenAiChatModel(config, undefined, profile), {
    end: ({ input, output }) => {
      spent.tokens += input + output;
      spent.rounds += 1;
      return Promise.resolve();
    },
  });
  const truth = await trueSample();
  await using store = await openDuckDb(AS_SERVED);
  const table = aTable();
  await store.engine.load(table, await sampleSource(), QUIET);
  const briefing = { name: 'Weather', context: '', profile: await store.reader.profile(table) };
  for (const question of await sampleQuestions()) {
    const { tokens, rounds } = spent;
    const asking = {
      companyId: table.companyId,
      table,
      briefing: {
        question: question.q,
        history: [],
        table: briefing,
        passages: [],
        now: new Date('2025-03-01T09:00:00Z'),
      },
      limits: { steps: DEFAULT_STEPS, toolCalls: DEFAULT_TOOL_CALLS, queryTimeoutMs: 30_000 },
    };
    const [told, ms] = await timed(() => answerTo(answeringWith(model, store.reader), asking));
    const gold = await truth.gold(String(question.sql), question);
    const isRight = gradeRows(told.results, gold) !== 'wrong';
    if (isRight) spent.right += 1;
    const cost = `${(ms / 1000).toFixed(1)} s, ${spent.rounds - rounds} rounds, ${spent.tokens - tokens} tokens`;
    console.log(`${(isRight ? 'right' : 'wrong').padEnd(8)} ${question.q} (${cost})\n         ${told.response}`);
  }
  const learned = [...profile.refusals].filter((name) => !before.has(name));
  console.log(
    `\n${config.model}: ${spent.right} of ${QUESTIONS} right; ${spent.rounds} rounds, ${spent.tokens} tokens; ${profile.api}`,
  );
  console.log(learned.length === 0 ? 'nothing was refused' : `refused: ${learned.join(', ')}`);
  if (spent.right === 0) process.exitCode = 1;
}

/** The sample with what the service finds out by itself; only the time and the metadata column are chosen. */
async function sampleSource(): Promise<LoadSource> {
  const [name, path] = ['weather.csv', resolve('samples/weather.csv')];
  const found = await describeCsv(path);
  const united = unite([describedFile(name, found.size, found)]);
  const wanted = {
    ...{ isTimeseries: true, timeField: 'date', metaField: 'location' },
    ...{ timeFormat: '', values: [], granularity: '' as const, lifespan: 0, context: '' },
  };
  const config = completeConfig(wanted, united);
  const { timeField, timeFormat, metaField, values } = config;
  return {
    files: [{ path, name, dialect: found.dialect, columns: found.columns }],
    columns: loadColumns(config, united.columns),
    ...{ timeField, timeFormat, metaField, values, importedAt: new Date('2025-03-01T00:00:00Z') },
  };
}

/** The table of the corpus that holds the same rows as the sample. */
const SAMPLE = 'old-weather';

async function trueSample(): Promise<TrueTable> {
  const table = (await corpusTables()).get(SAMPLE);
  if (table === undefined) throw new Error('there is no sample');
  return TrueTable.open(table);
}

/** Questions of the corpus with one gold query, and without a word on how to round. */
async function sampleQuestions(): Promise<readonly CorpusQuestion[]> {
  const all = [...(await corpusQuestions('train')).values()].flat();
  return all
    .filter(({ table, sql, after }) => table === SAMPLE && typeof sql === 'string' && after === undefined)
    .filter(({ q }) => !/decimal|round|\bdp\b/i.test(q))
    .slice(0, QUESTIONS);
}

interface Told {
  readonly response: string;
  readonly results: readonly Rows[];
}

async function answerTo(answering: Answering, asking: Question): Promise<Told> {
  const results: Rows[] = [];
  async function* watched(): AsyncGenerator<AnswerStep> {
    for await (const step of answering.answer(asking, AbortSignal.timeout(PATIENCE_MS))) {
      if (step.kind === 'query') results.push({ columns: step.result.columns.length, rows: step.result.rows });
      yield step;
    }
  }
  try {
    const { answer } = await foldAnswer(watched());
    return { response: answer.response, results };
  } catch (error) {
    return { response: error instanceof Error ? error.message : String(error), results: [] };
  }
}
