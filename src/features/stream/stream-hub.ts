import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { EventStream } from '../../ports/event-stream.js';
import { Metrics, NO_METRICS } from '../../ports/metrics.js';
import { concernsOneUser, type SessionEndedEvent, type StreamEvent } from '../../ports/stream-event.js';
import type { CompanyId, UserId } from '../../shared/ids.js';
import { encodeFrame, type ToldEvent } from './frame.wire.js';
import { CLOSE, type Listener } from './listener.js';

/**
 * Brings each event to the sockets of this instance that it concerns: a chat's to its user, a datasource's or a task's to the company.
 * Sockets are found by company and user, so that an event costs what its hearers cost, however many others are open.
 */
@Injectable()
export class StreamHub implements OnModuleInit, OnModuleDestroy {
  private readonly companies = new Map<CompanyId, Map<UserId, Set<Listener>>>();
  private unsubscribe: (() => void) | null = null;

  constructor(
    private readonly events: EventStream,
    private readonly metrics: Metrics = NO_METRICS,
  ) {}

  onModuleInit(): void {
    this.unsubscribe = this.events.subscribe((event) => {
      this.deliver(event);
    });
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
  }

  add(listener: Listener): void {
    const { companyId, userId } = listener.principal;
    const users = this.companies.get(companyId) ?? new Map<UserId, Set<Listener>>();
    const listeners = users.get(userId) ?? new Set<Listener>();
    this.companies.set(companyId, users.set(userId, listeners.add(listener)));
  }

  remove(listener: Listener): void {
    const { companyId, userId } = listener.principal;
    const users = this.companies.get(companyId);
    const listeners = users?.get(userId);
    listeners?.delete(listener);
    if (listeners?.size === 0) users?.delete(userId);
    if (users?.size === 0) this.companies.delete(companyId);
  }

  /** Every open socket of this instance. */
  *all(): Generator<Listener> {
    for (const company of this.companies.keys()) yield* this.ofCompany(company);
  }

  deliver(event: StreamEvent): void {
    if (event.type === 'session-ended') this.endSession(event);
    else this.tell(event);
  }

  private tell(event: ToldEvent): void {
    const { companyId } = event;
    const concerned = concernsOneUser(event) ? this.ofUser(companyId, event.userId) : this.ofCompany(companyId);
    let frame: Buffer | null = null;
    for (const listener of concerned) {
      if (!listener.hears(event)) continue;
      frame ??= encodeFrame(event);
      listener.tell(event, frame);
      this.metrics.count('stream_frames_total', { type: event.type });
    }
  }

  private endSession({ companyId, userId, sessionId }: SessionEndedEvent): void {
    for (const listener of this.ofUser(companyId, userId)) {
      if (sessionId === null || listener.principal.sessionId === sessionId) listener.end(CLOSE.sessionEnded, 'session');
    }
  }

  private *ofCompany(companyId: CompanyId): Generator<Listener> {
    for (const listeners of this.companies.get(companyId)?.values() ?? []) yield* listeners;
  }

  private ofUser(companyId: CompanyId, userId: UserId): Iterable<Listener> {
    return this.companies.get(companyId)?.get(userId) ?? [];
  }
}
