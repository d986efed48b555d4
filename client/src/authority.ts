import { errorFrom, SignedOutError, unreachable } from './api-error.js';
import type { components } from './schema.js';
import { isAlmostOver, stillPossible, type Session, type SessionStore, type User } from './session.js';

export type SessionState = 'signed-in' | 'ended' | 'signed-out';

/** Runs one piece of work at a time among all who share the session (`navigator.locks` in browsers). */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

export interface AuthorityOptions {
  readonly baseUrl: string;
  readonly store: SessionStore;
  readonly fetch: typeof globalThis.fetch;
  readonly lock: Lock;
  /** Requests of an ended session wait for the same user to sign in again, instead of failing. */
  readonly waitsForSignIn: boolean;
}

/** What the service answers to whoever has signed in, by whichever way. */
export interface SignedIn {
  readonly user: components['schemas']['ReducedUser'];
  readonly token: string;
}

/** Holds the session: signs in and out, and renews the token before anybody notices that it ends. */
export class Authority {
  private session: Session | null;
  private state: SessionState;
  private refreshing: Promise<Session> | null = null;
  private readonly listeners = new Set<(state: SessionState) => void>();
  private readonly stopListening: () => void;

  constructor(private readonly options: AuthorityOptions) {
    this.session = stillPossible(options.store.read(), Date.now());
    this.state = this.session === null ? 'signed-out' : 'signed-in';
    this.stopListening = options.store.subscribe(() => {
      this.takeOver(options.store.read());
    });
  }

  /** Of the last session too, while it waits for the user to sign in again. */
  get user(): User | null {
    return this.session?.user ?? null;
  }

  get current(): SessionState {
    return this.state;
  }

  /** Called at every change: signed in (also anew, or as somebody else), ended, signed out. Returns how to stop. */
  onChange(listener: (state: SessionState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @throws ApiError `invalid email or password`, `user is inactive`, too many attempts. */
  async signIn(email: string, password: string): Promise<User> {
    return this.signInWith(await this.post<SignedIn>('/api/v1/login', { email, password }));
  }

  /** Takes over a session that the service has opened. */
  signInWith(answer: SignedIn): User {
    const session = sessionOf(answer);
    this.options.store.write(session);
    this.become(session, 'signed-in');
    return session.user;
  }

  /** Ends the session; here at once, also when the service can't be reached. */
  async signOut(): Promise<void> {
    const session = this.session;
    this.options.store.write(null);
    this.become(null, 'signed-out');
    if (session === null) return;
    // The token may have run out, and a session that is not ended lives on for days.
    await this.post('/api/v1/secure/logout', undefined, session.token).catch(async () => {
      const { token } = await this.post<SignedIn>('/api/v1/refresh-token', { token: session.token }, session.token);
      await this.post('/api/v1/secure/logout', undefined, token);
    });
  }

  /** A token that is good for a minute at least. @throws SignedOutError when nobody is signed in. */
  async token(): Promise<string> {
    if (this.state === 'ended' && this.options.waitsForSignIn) await this.restored();
    if (this.session === null || this.state !== 'signed-in') throw new SignedOutError();
    if (!isAlmostOver(this.session, Date.now())) return this.session.token;
    const { token } = await this.renew(this.session.token);
    return token;
  }

  /** Another token than `used`, which the service refused. @throws SignedOutError when the session is over. */
  async replace(used: string): Promise<string> {
    if (this.session !== null && this.state === 'signed-in' && this.session.token !== used) return this.session.token;
    const session = await this.renew(used).catch(async (error: unknown) => {
      if (!(error instanceof SignedOutError) || !this.options.waitsForSignIn) throw error;
      await this.restored();
      return this.session;
    });
    if (session === null) throw new SignedOutError();
    return session.token;
  }

  /** Asks whether a token still holds, and replaces it when it does not. @throws as `replace`, and ApiError when nobody answers. */
  async verify(token: string): Promise<void> {
    const { fetch, baseUrl } = this.options;
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(`${baseUrl}/api/v1/secure/currentuser`, { headers });
    if (status === 401) await this.replace(token);
  }

  dispose(): void {
    this.stopListening();
    this.listeners.clear();
  }

  /** One refresh at a time, whoever asks. */
  private renew(used: string): Promise<Session> {
    this.refreshing ??= this.options
      .lock(() => this.refresh(used))
      .finally(() => {
        this.refreshing = null;
      });
    return this.refreshing;
  }

  private async refresh(used: string): Promise<Session> {
    const stored = this.options.store.read();
    // Another tab was first.
    if (stored !== null && stored.token !== used) {
      this.takeOver(stored);
      return stored;
    }
    try {
      return await this.exchanged(used);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // The store keeps the dead token: to empty it would sign other tabs out, with all that is typed there.
      if (this.session !== null) this.become(this.session, 'ended');
      throw new SignedOutError();
    }
  }

  private async exchanged(used: string): Promise<Session> {
    const userId = this.session?.user.id;
    const session = sessionOf(await this.post<SignedIn>('/api/v1/refresh-token', { token: used }, used));
    // Signed out meanwhile: the new token must not bring the session back.
    if (this.session?.user.id !== userId) throw new SignedOutError();
    this.options.store.write(session);
    this.session = session;
    return session;
  }

  /** What another tab did. */
  private takeOver(next: Session | null): void {
    if (next === null) {
      if (this.state === 'signed-in') this.become(null, 'signed-out');
      return;
    }
    const isNews = this.state !== 'signed-in' || this.session?.user.id !== next.user.id;
    this.session = next;
    if (isNews) this.become(next, 'signed-in');
  }

  private become(session: Session | null, state: SessionState): void {
    this.session = session;
    this.state = state;
    for (const listener of [...this.listeners]) listener(state);
  }

  /** Resolves when the same user is back; throws when it is somebody else, or nobody. */
  private restored(): Promise<void> {
    const user = this.session?.user.id;
    if (this.state === 'signed-in') return Promise.resolve();
    return new Promise((resolve, reject) => {
      const stop = this.onChange((state) => {
        if (state === 'ended') return;
        stop();
        if (state === 'signed-in' && this.session?.user.id === user) resolve();
        else reject(new SignedOutError());
      });
    });
  }

  private async post<T>(path: string, body?: object, token?: string): Promise<T> {
    const { fetch, baseUrl } = this.options;
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw unreachable(error);
    });
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) throw errorFrom(response.status, response.headers, answer);
    return answer as T;
  }
}

/** The service said no; everything else may be better later. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'status' in error && (error.status === 401 || error.status === 403);
}

function sessionOf({ user, token }: SignedIn): Session {
  const { id, email, first_name, last_name, company_id, role } = user;
  return { user: { id, email, first_name, last_name, company_id, role }, token, receivedAt: Date.now() };
}
