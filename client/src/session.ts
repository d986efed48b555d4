import type { components } from './schema.js';

export type User = Pick<
  components['schemas']['FullUser'],
  'id' | 'email' | 'first_name' | 'last_name' | 'company_id' | 'role'
>;

/** Who is signed in, and the token that proves it. */
export interface Session {
  readonly user: User;
  readonly token: string;
  /** When the token came, by this machine's clock, in milliseconds. */
  readonly receivedAt: number;
}

/** Where a session is kept. All clients of one store share it. */
export interface SessionStore {
  read(): Session | null;
  write(session: Session | null): void;
  /** Hears of changes that others make (another tab). Returns how to stop. */
  subscribe(changed: () => void): () => void;
}

/** Gone with the process. */
export function memoryStore(session: Session | null = null): SessionStore {
  let current = session;
  return {
    read: () => current,
    write: (next) => {
      current = next;
    },
    subscribe: () => () => undefined,
  };
}

/** What is used of `localStorage` and of `window`. */
export interface BrowserStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}
interface StorageWindow {
  addEventListener(type: 'storage', listener: (event: { readonly key: string | null }) => void): void;
  removeEventListener(type: 'storage', listener: (event: { readonly key: string | null }) => void): void;
}

const KEY = 'data-analytics.session';

/**
 * One session for all tabs of a browser, also after a reload. They must share it: a token that another tab has replaced is refused after
 * 60 seconds and ends the session, so that tabs with a copy of their own would sign each other out.
 */
export function browserStore(storage: BrowserStorage, window: StorageWindow): SessionStore {
  return {
    read: () => parsed(storage.getItem(KEY)),
    write: (session) => {
      if (session === null) storage.removeItem(KEY);
      else storage.setItem(KEY, JSON.stringify(session));
    },
    subscribe: (changed) => {
      const listener = ({ key }: { readonly key: string | null }): void => {
        // null: everything was cleared
        if (key === KEY || key === null) changed();
      };
      window.addEventListener('storage', listener);
      return () => {
        window.removeEventListener('storage', listener);
      };
    },
  };
}

function parsed(text: string | null): Session | null {
  if (text === null) return null;
  try {
    return JSON.parse(text) as Session;
  } catch {
    // Somebody else's, or cut: signing in again writes it anew.
    return null;
  }
}

const LIFETIME_MS = 15 * 60_000;
const MARGIN_MS = 60_000;

/** Whether a token lives too short to begin something with it. By the time since it came: the clocks of client and service may differ. */
export function isAlmostOver({ receivedAt }: Session, now: number): boolean {
  const age = now - receivedAt;
  return age < 0 || age > LIFETIME_MS - MARGIN_MS;
}

const SESSION_MS = 7 * 24 * 3_600_000;

/** Nothing of a session that must be over by now: the next user of the machine need not know whose it was. */
export function stillPossible(session: Session | null, now: number): Session | null {
  return session !== null && now - session.receivedAt < SESSION_MS ? session : null;
}
