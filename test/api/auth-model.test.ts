import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import type { TestClient } from '../support/test-client.js';
import { refresh, withToken } from './auth-world.js';

const EMAIL = 'ada@acme.example';
const PASSWORD = 'secret-1-acme';
const SECOND = 1000;
const DAY = 24 * 60 * 60 * SECOND;

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

class Login implements Step {
  check(): boolean {
    return true;
  }

  async run(model: Model, { stranger }: Service): Promise<void> {
    const { status, body } = await stranger.post('/login', { email: EMAIL, password: PASSWORD });
    expect(status).toBe(200);
    const first = model.token(body['token'], 0);
    const endsAt = model.now + 7 * DAY;
    model.sessions.push({ endsAt, tokens: [first], generation: 0, graceEndsAt: 0, ended: false });
  }

  toString(): string {
    return 'login';
  }
}

/** A step with one of the tokens that were ever issued, recent ones rather than old ones. */
abstract class WithToken implements Step {
  constructor(
    private readonly session: number,
    private readonly age: number,
  ) {}

  check({ sessions }: Readonly<Model>): boolean {
    return sessions.length > 0;
  }

  async run(model: Model, { stranger }: Service): Promise<void> {
    const session = model.sessions[this.session % model.sessions.length]!;
    const token = session.tokens.at(-1 - (this.age % session.tokens.length))!;
    await this.try(model, session, token, withToken(stranger, token.text));
  }

  protected abstract try(model: Model, session: ModelSession, token: ModelToken, client: TestClient): Promise<void>;

  toString(): string {
    return `${this.constructor.name}(session ${this.session}, token ${this.age} before the last)`;
  }
}

class Use extends WithToken {
  protected async try(model: Model, session: ModelSession, token: ModelToken, client: TestClient): Promise<void> {
    const { status } = await client.get('/secure/currentuser');
    expect(status).toBe(model.isUsable(session, token) ? 200 : 401);
  }
}

class Logout extends WithToken {
  protected async try(model: Model, session: ModelSession, token: ModelToken, client: TestClient): Promise<void> {
    const { status } = await client.post('/secure/logout');
    expect(status).toBe(model.isUsable(session, token) ? 200 : 401);
    if (model.isUsable(session, token)) session.ended = true;
  }
}

class Refresh extends WithToken {
  protected async try(model: Model, session: ModelSession, token: ModelToken, client: TestClient): Promise<void> {
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
  }
}

class Wait implements Step {
  constructor(private readonly ms: number) {}

  check(): boolean {
    return true;
  }

  run(model: Model, { api }: Service): Promise<void> {
    api.clock.advance(this.ms);
    model.now = api.clock.now().getTime();
    return Promise.resolve();
  }

  toString(): string {
    return `wait ${this.ms / SECOND} s`;
  }
}

/** Few sessions and mostly their latest tokens: what is interesting happens between tokens that follow each other. */
const session = fc.nat({ max: 1 });
const age = fc.constantFrom(0, 0, 1, 1, 2, 3);
const refreshing = fc.tuple(session, age).map(([of, before]) => new Refresh(of, before));
const using = fc.tuple(session, age).map(([of, before]) => new Use(of, before));
const waiting = fc.constantFrom(1, 59, 59.999, 60, 14 * 60, 15 * 60).map((seconds) => new Wait(seconds * SECOND));
const steps = [
  fc.constant(new Login()),
  ...[refreshing, refreshing, refreshing, using, using, using, waiting, waiting],
  fc.tuple(session, age).map(([of, before]) => new Logout(of, before)),
  fc.constantFrom(DAY, 3 * DAY).map((ms) => new Wait(ms)),
];

const STORIES = process.env['TEST_LONG'] === '1' ? 1_000 : 12;

it(
  'login, refresh, use and logout keep their promises in any order and over any time',
  async () => {
    await using api = await startTestApi({ environment: { LOGIN_RATE_LIMIT: '0', RATE_LIMIT: '0' } });
    await api.signIn('acme', { email: EMAIL });
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 40, size: 'max' }), async (commands) => {
        const start = { model: new Model(api.clock.now().getTime()), real: { api, stranger: api.stranger() } };
        await fc.asyncModelRun(() => start, [new Login(), ...commands]);
      }),
      { numRuns: STORIES },
    );
  },
  60_000 + STORIES * 1_000,
);
