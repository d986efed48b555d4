/**
 * Whether models answer through the service.
 *
 *   npm run check:models                                   doubles of every family that docs/models.md names; ends with 1 when one fails
 *   npm run check:models -- --url URL --model NAME [--key KEY]   a real endpoint: ten questions over samples/weather.csv
 *
 * The answers of a real model are compared with what reference SQL gives on a DuckDB of its own. `OPENAI_*` variables count as in the service.
 */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { ModelProfile } from '../src/adapters/openai/model-profile.js';
import { OpenAiChatModel } from '../src/adapters/openai/openai-chat-model.js';
import { AppConfig, type ModelConfig } from '../src/config/app-config.js';
import { readEnvironment } from '../src/config/environment.js';
import { processVariables } from '../src/config/process-variables.js';
import { CountedModel } from '../src/features/models/counted-model.js';
import { ANSWER, askFamily } from '../test/support/model-families/asking.js';
import { FAMILIES } from '../test/support/model-families/families.js';
import { ask } from './analyst/asked.js';
import { GoldAnswers } from './analyst/gold.js';
import { developmentQuestions } from './analyst/question-files.js';
import { WEATHER } from './analyst/tables.js';
import { BenchWorld } from './analyst/world.js';

const CHARACTERS_A_TOKEN = 4;
const QUESTIONS = 10;

const text = { type: 'string' } as const;
const { values: given } = parseArgs({ options: { url: text, model: text, key: text } });
if (given.url === undefined && given.model === undefined) await checkDoubles();
else await checkEndpoint(configOf(given));

async function checkDoubles(): Promise<void> {
  for (const family of FAMILIES) {
    const { response, learned, api, requests, refused } = await askFamily(family);
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
  const model = new CountedModel(new OpenAiChatModel(config, undefined, profile), (tokens) => {
    spent.tokens += tokens;
    spent.rounds += 1;
    return Promise.resolve();
  });
  const golds = await GoldAnswers.open();
  const world = await BenchWorld.open();
  try {
    const table = (await world.importAll(new Set([WEATHER.name]))).get(WEATHER.name);
    if (table === undefined) throw new Error('there is no sample');
    await golds.use(table.table, table.path);
    const known = await developmentQuestions();
    const all = known.filter((one) => one.table === WEATHER.name && one.expect.kind !== 'refuse').slice(0, QUESTIONS);
    for (const question of all) {
      const { tokens, rounds } = spent;
      const asked = await ask(world.answeringWith(model), question, { table, gold: await golds.of(question) });
      const isRight = asked.outcome === 'exact' || asked.outcome === 'right';
      if (isRight) spent.right += 1;
      const cost = `${(asked.answerMs / 1000).toFixed(1)} s, ${spent.rounds - rounds} rounds, ${spent.tokens - tokens} tokens`;
      console.log(
        `${(isRight ? 'right' : asked.outcome).padEnd(8)} ${question.question} (${cost})\n         ${asked.response}`,
      );
    }
  } finally {
    await world.close();
  }
  const learned = [...profile.refusals].filter((name) => !before.has(name));
  console.log(
    `\n${config.model}: ${spent.right} of ${QUESTIONS} right; ${spent.rounds} rounds, ${spent.tokens} tokens; ${profile.api}`,
  );
  console.log(learned.length === 0 ? 'nothing was refused' : `refused: ${learned.join(', ')}`);
  if (spent.right === 0) process.exitCode = 1;
}
