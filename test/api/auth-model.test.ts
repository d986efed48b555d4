import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { theService } from './a-service.js';
import { refresh, withToken } from './auth-world.js';

const EMAIL = 'model@acme.example';
const PASSWORD = 'a secret of a model';
const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;
const STORIES = process.env['TEST_LONG'] === '1' ? 1_000 : 12;

/** A token as the model sees it: the how manieth of its session it is, and when it ends. */
interface ModelToken {
  readonly text: string;
  readonly generation: number;
  readonly endsAt: number;
}

interface ModelSession {
  readonly endsAt: number;
  readonly tokens: ModelToken[];
  generation: number;
  /** Until when the generation before may be used. */
  graceEndsAt: number;
  ended: boolean;
}

/** What the service promises, in a few lines. */
class Model {
  readonly sessions: ModelSession[] = [];

  constructor(public now: number) {}

  isAlive(session: ModelSession): boolean {
    return !session.ended && this.now < session.endsAt;
  }

  isAccepted(session: ModelSession, { generation }: ModelToken): boolean {
    const isPrevious = generation === session.generation - 1 && this.now < session.graceEndsAt;
    return generation === session.generation || isPrevious;
  }

  isUsable(session: ModelSession, token: ModelToken): boolean {
    return this.now < token.endsAt && this.isAlive(session) && this.isAccepted(session, token);
  }

  token(text: unknown, generation: number): ModelToken {
    return { text: String(text), generation, endsAt: Math.floor(this.now / SECOND) * SECOND + 15 * 60 * SECOND };
  }
}

interface Service {
  readonly api: TestApi;
  readonly stranger: TestClient;
}

type Step = fc.AsyncCommand<Model, Service>;

function step(name: string, run: Step['run'], check: Step['check'] = () => true): Step {
  return { check, run, toString: () => name };
}

const login = step('login', async (model, { stranger }) => {
  const { status, body } = await stranger.post('/login', { email: EMAIL, password: PASSWORD });
  expect(status).toBe(200);
  const [endsAt, first] = [model.now + 7 * DAY, model.token(body['token'], 0)];
  model.sessions.push({ endsAt, tokens: [first], generation: 0, graceEndsAt: 0, ended: false });
});

const wait = (seconds: number): Step =>
  step(`wait ${seconds} s`, (model, { api }) => {
    api.clock.advance(seconds * SECOND);
    model.now = api.clock.now().getTime();
    return Promise.resolve();
  });

type Try = (model: Model, session: ModelSession, token: ModelToken, client: TestClient) => Promise<void>;

/** A step with one of the tokens that were ever issued: few sessions and mostly their latest tokens, of interest to each other. */
function withAnyToken(name: string, attempt: Try): fc.Arbitrary<Step> {
  return fc.tuple(fc.nat({ max: 1 }), fc.constantFrom(0, 0, 1, 1, 2, 3)).map(([of, age]) =>
    step(
      `${name}(session ${of}, token ${age} before the last)`,
      async (model, { stranger }) => {
        const session = model.sessions[of % model.sessions.length]!;
        const token = session.tokens.at(-1 - (age % session.tokens.length))!;
        await attempt(model, session, token, withToken(stranger, token.text));
      },
      ({ sessions }) => sessions.length > 0,
    ),
  );
}

const use = withAnyToken('use', async (model, session, token, client) => {
  const { status } = await client.get('/secure/currentuser');
  expect(status).toBe(model.isUsable(session, token) ? 200 : 401);
});

const logout = withAnyToken('logout', async (model, session, token, client) => {
  const { status } = await client.post('/secure/logout');
  expect(status).toBe(model.isUsable(session, token) ? 200 : 401);
  if (model.isUsable(session, token)) session.ended = true;
});

const renew = withAnyToken('refresh', async (model, session, token, client) => {
  const { status, body } = await refresh(client);
  if (!model.isAlive(session) || !model.isAccepted(session, token)) {
    expect({ status, message: body['message'] }).toEqual({ status: 401, message: 'session expired' });
    session.ended = true;
    return;
  }
  expect(status).toBe(200);
  if (token.generation === session.generation) {
    session.generation += 1;
    session.graceEndsAt = model.now + 60 * SECOND;
  }
  session.tokens.push(model.token(body['token'], session.generation));
});

const waiting = fc.constantFrom(1, 59, 59.999, 60, 14 * 60, 15 * 60).map(wait);
const days = fc.constantFrom(1, 3).map((count) => wait((count * DAY) / SECOND));
const steps = [fc.constant(login), renew, renew, renew, use, use, use, waiting, waiting, logout, days];

it(
  'login, refresh, use and logout keep their promises in any order and over any time',
  async () => {
    const api = await theService();
    await api.signIn('acme', { email: EMAIL, password: PASSWORD });
    const stories = fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: 'max' }), async (commands) => {
      const start = { model: new Model(api.clock.now().getTime()), real: { api, stranger: api.stranger() } };
      await fc.asyncModelRun(() => start, [login, ...commands]);
    });
    await fc.assert(stories, { numRuns: STORIES });
  },
  60_000 + STORIES * 1_000,
);
