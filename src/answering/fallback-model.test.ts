import { describe, expect, it } from 'vitest';
import type { ModelDelta, ModelRequest } from '../ports/chat-model.js';
import { AppError, type ErrorKind } from '../shared/app-error.js';
import {
  foldAnswer,
  aQuestion,
  answeringWith,
  calls,
  ends,
  PATIENT,
  QUERY,
  says,
  ScriptedModel,
  type Script,
} from './answering.fixture.js';
import { FallbackModel } from './fallback-model.js';

const NOTE = '_The model scripted is not available at the moment, so the scripted answered._';
const away = (kind: ErrorKind = 'unavailable'): never => {
  throw new AppError(kind, 'away');
};

function* thenAway(...deltas: readonly ModelDelta[]): Generator<ModelDelta> {
  yield* deltas;
  away();
}

async function answered(first: Script, patienceMs = 60_000) {
  const standIn = new ScriptedModel((request) =>
    request.exchanges.length === 0 ? [QUERY, ends('tool_calls')] : [...says('By the other.'), ends()],
  );
  const model = new ScriptedModel(first);
  const answering = answeringWith(new FallbackModel(model, { standIn, patienceMs }));
  const { answer } = await foldAnswer(answering.answer(aQuestion(), PATIENT));
  return { answer, standIn, model };
}

describe('a model with another behind it', () => {
  it('is not heard of while it is there', async () => {
    const { answer, standIn } = await answered(() => [...says('Fine.'), ends()]);
    expect(answer.response).toBe('Fine.');
    expect(standIn.requests).toHaveLength(0);
  });

  it('gives way to the other for good, which begins with the question', async () => {
    const { answer, standIn, model } = await answered((_, round) =>
      round === 1 ? [QUERY, ends('tool_calls')] : away(),
    );
    expect(answer.response).toBe(`By the other.\n\n${NOTE}`);
    expect(model.requests).toHaveLength(2);
    expect(standIn.requests.map(({ exchanges }: ModelRequest) => exchanges.length)).toEqual([0, 1]);
  });

  it('runs no call of a round that broke off', async () => {
    const { answer } = await answered(() => thenAway(calls('run_query', { sql: 'DROP', purpose: 'x' })));
    expect(answer.evidence.queries).toBe(1);
    expect(answer.dbquery).not.toContain('DROP');
  });

  it('gives way when it says nothing for too long, and not when it is only slow', async () => {
    async function* slow(): AsyncGenerator<ModelDelta> {
      yield { kind: 'text', text: 'Slow, ' };
      await new Promise((wake) => setTimeout(wake, 60));
      yield* [...says('but there.'), ends()];
    }
    expect((await answered(slow, 20)).answer.response).toBe('Slow, but there.');
    async function* silent(): AsyncGenerator<ModelDelta> {
      await new Promise((wake) => setTimeout(wake, 200));
      yield* thenAway();
    }
    expect((await answered(silent, 20)).answer.response).toContain('By the other.');
  });

  it('does not hide that a conversation is too long', async () => {
    await expect(answered(() => away('invalid_input'))).rejects.toThrow('away');
  });
});
