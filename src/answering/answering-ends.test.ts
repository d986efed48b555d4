import { describe, expect, it } from 'vitest';
import { ChatModel, type ModelDelta, type ModelRequest } from '../ports/chat-model.js';
import { AppError } from '../shared/app-error.js';
import {
  foldAnswer,
  PATIENT,
  QUERY,
  TestRows,
  aQuestion,
  answerOf,
  answeringWith,
  bench,
  ends,
  says,
  type Script,
} from './answering.fixture.js';

describe('Answering that comes to no end of its own', () => {
  it('fails when a round has no end', async () => {
    const it = bench(() => says('North leads'));
    await expect(answerOf(it)).rejects.toMatchObject({ kind: 'unavailable', message: 'the model broke off' });
  });

  it('fails with what the model fails with', async () => {
    const away = new AppError('unavailable', 'the model is not available');
    const it = bench(async function* () {
      yield await Promise.resolve(ends());
      throw away;
    });
    const failing = bench(() => {
      throw away;
    });

    await expect(answerOf(failing)).rejects.toBe(away);
    // After the end nothing counts any more.
    await expect(answerOf(it)).rejects.toThrow('gave no answer');
  });

  it.each<[string, Script, TestRows]>([
    ['the model hangs', () => hanging(), new TestRows()],
    ['a query hangs', () => [QUERY, ends('tool_calls')], hangingRows()],
  ])('throws the reason of the signal at once when %s', async (_what, script, rows) => {
    const stop = new AbortController();
    const steps = bench(script, rows).answering.answer(aQuestion(), stop.signal);
    const reason = new AppError('timed_out', 'chat timed out');
    const folding = foldAnswer(steps);
    setImmediate(() => {
      stop.abort(reason);
    });
    await expect(folding).rejects.toBe(reason);
  });

  it('tells the model to stop when its listener leaves', async () => {
    let hear = (): void => undefined;
    const heard = new Promise<void>((resolve) => (hear = resolve));
    class Attentive extends ChatModel {
      readonly name = 'attentive';
      readonly writesFreely = true;
      override async *stream(_request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
        signal.addEventListener('abort', hear);
        yield* await Promise.resolve(says('North leads. '));
        await new Promise(() => undefined);
      }
    }
    const answering = answeringWith(new Attentive());

    for await (const step of answering.answer(aQuestion({ table: null }), PATIENT)) if (step.kind === 'text') break;

    await heard;
  });
});

async function* hanging(): AsyncGenerator<ModelDelta> {
  yield await Promise.resolve<ModelDelta>({ kind: 'text', text: 'a' });
  await new Promise(() => undefined);
}

function hangingRows(): TestRows {
  const rows = new TestRows();
  rows.query = () => new Promise(() => undefined);
  return rows;
}
