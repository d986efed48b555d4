/** Why the service closes a socket, and whether to come back. */
export const CLOSE = {
  /** The service stops; another instance, or the next start, takes over. */
  restart: { code: 1012, reason: 'service restart' },
  /** The socket reads too slowly, or its past can't be had just now. */
  tryLater: { code: 1013, reason: 'try again later' },
  sessionEnded: { code: 4401, reason: 'session ended' },
} as const;

export type CloseReason = (typeof CLOSE)[keyof typeof CLOSE];
