import type { SessionState, User } from '@data-analytics/client';
import { createContext, use, useSyncExternalStore } from 'react';
import { client } from './client.js';

function subscribe(changed: () => void): () => void {
  return client.onSession(changed);
}

/** Whether somebody is signed in; `ended` while the user of the page has to sign in again. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, () => client.sessionState);
}

/** Changes with the user, and only then. */
export function useUserId(): string | null {
  return useSyncExternalStore(subscribe, () => client.user?.id ?? null);
}

export const UserContext = createContext<User | null>(null);

/** Who the page belongs to. Everything below the shell has one. */
export function useUser(): User {
  const user = use(UserContext);
  if (user === null) throw new Error('useUser outside of the shell');
  return user;
}

/** For what the service keeps to managers; the service decides all the same. */
export function useIsManager(): boolean {
  return useUser().role !== 'user';
}
