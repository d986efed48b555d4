import { ModelProfile } from '../../../src/adapters/openai/model-profile.js';
import { OpenAiChatModel } from '../../../src/adapters/openai/openai-chat-model.js';
import {
  foldAnswer,
  RESULT,
  TestRows,
  aQuestion,
  answeringWith,
  PATIENT,
} from '../../../src/answering/answering.fixture.js';
import { Log } from '../../../src/ports/log.js';
import type { Family, FamilyRequest } from './family.js';
import { FamilyServer } from './family-server.js';

export const ANSWER = `The highest revenue is ${String(RESULT.rows.at(-1)?.[1])}.`;
const CALL = { name: 'run_query', arguments: { sql: 'SELECT 1', purpose: 'revenue by region' } };

/** What came of one question to a family. */
export interface Asked {
  /** The text of the answer, or the sentence that it failed with. */
  readonly response: string;
  readonly ran: readonly string[];
  /** As the log told it, line by line. */
  readonly learned: readonly (readonly string[])[];
  readonly requests: readonly FamilyRequest[];
  readonly refused: number;
  readonly api: 'chat/completions' | 'responses';
}

/** Asks a family two questions, one after the other, through the real adapter and the real loop. */
export async function askFamily(family: Family): Promise<{ readonly first: Asked; readonly last: Asked }> {
  await using server = await FamilyServer.start(family, { call: CALL, answer: ANSWER });
  const log = new HeardLog();
  const config = { apiKey: 'sk', baseUrl: server.baseUrl, model: family.model, temperature: 0, timeoutMs: 5000 };
  const profile = new ModelProfile(config, log);
  const asked = async (): Promise<Asked> => {
    const [sent, refused] = [server.requests.length, server.refusals.length];
    const rows = new TestRows();
    const answering = answeringWith(new OpenAiChatModel(config, 5, profile), rows);
    const response = await foldAnswer(answering.answer(aQuestion(), PATIENT)).then(
      ({ answer }) => answer.response,
      String,
    );
    const requests = server.requests.slice(sent);
    const api = requests.at(-1)?.input === undefined ? 'chat/completions' : 'responses';
    const learned = [...log.learned];
    return { response, ran: rows.ran, learned, requests, refused: server.refusals.length - refused, api };
  };
  return { first: await asked(), last: await asked() };
}

/** Hears what is told of refusals. */
export class HeardLog extends Log {
  readonly learned: (readonly string[])[] = [];
  override info = (): void => undefined;
  override error = (): void => undefined;
  override warn(_message: string, context?: { readonly refused?: readonly string[] }): void {
    this.learned.push(context?.refused ?? []);
  }
}
