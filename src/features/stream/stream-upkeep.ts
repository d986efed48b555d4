import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Log } from '../../ports/log.js';
import { messageOf } from '../../shared/app-error.js';
import { AuthFacade } from '../auth/auth.facade.js';
import { CLOSE } from './listener.js';
import { StreamHub } from './stream-hub.js';

/** Looks in a row, which are 30 seconds. */
const PROGRESS_PATIENCE = 6;

/** Looks after the open sockets: who is alive, who keeps up, whose session has ended. */
@Injectable()
export class StreamUpkeep {
  private checkingSessions = false;
  private sessionsAway = false;

  constructor(
    private readonly hub: StreamHub,
    private readonly auth: AuthFacade,
    private readonly log: Log,
  ) {}

  @Interval(25_000)
  pingAll(): void {
    for (const listener of this.hub.all()) listener.ping();
  }

  @Interval(5_000)
  checkProgress(): void {
    for (const listener of this.hub.all()) listener.checkProgress(PROGRESS_PATIENCE);
  }

  /** Closes the sockets whose session is over: one question for all of them. Never rejects; a store that is away closes nobody. */
  @Interval(1_000)
  async checkSessions(): Promise<void> {
    const listeners = [...this.hub.all()];
    if (this.checkingSessions || listeners.length === 0) return;
    this.checkingSessions = true;
    try {
      const alive = await this.auth.aliveSessions([...new Set(listeners.map(({ principal }) => principal.sessionId))]);
      for (const listener of listeners) {
        if (!alive.has(listener.principal.sessionId)) listener.end(CLOSE.sessionEnded, 'session');
      }
      this.sessionsAway = false;
    } catch (error) {
      // Said once, not every second.
      if (!this.sessionsAway)
        this.log.warn('sessions of open streams can not be checked', { reason: messageOf(error) });
      this.sessionsAway = true;
    } finally {
      this.checkingSessions = false;
    }
  }
}
