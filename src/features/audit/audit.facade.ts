import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { Log, warned } from '../../ports/log.js';
import { csvRecord } from '../../shared/csv-text.js';
import type { CompanyId, UserId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { AssistantFacade } from '../assistant/assistant.facade.js';
import { AUDIT_ENTRIES, type AuditEntry } from './audit-entry.schema.js';
import type { Where } from '../../ports/document-store.js';
import { NEWEST_FIRST, repositoryOf } from '../../ports/tenant-repository.js';
import { said } from '../../shared/said.js';
import { HOUR_MS } from '../../shared/durations.js';

/** Which entries are wanted; what is left out is not asked for. */
export interface AuditFilter {
  readonly email?: string | undefined;
  readonly action?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Instead of a user's id. */
const ERASED = 'erased';
const AT_ONCE = 100;

export class AuditRepository extends repositoryOf(AUDIT_ENTRIES) {
  /** Counts one more of the same; null: there is none yet. */
  count(companyId: CompanyId, fold: string, rows: number | null): Promise<AuditEntry | null> {
    const increment = { times: 1, ...(rows === null ? {} : { rows }) };
    return this.collection.of(companyId).update({ fold }, { increment });
  }

  /** Takes the person out of their entries. */
  async anonymise(companyId: CompanyId, { userId }: Pick<AuditEntry, 'userId'>): Promise<void> {
    const own = this.collection.of(companyId);
    for (;;) {
      const found = await own.find({ userId }, { limit: AT_ONCE });
      if (found.length === 0) return;
      const set = { userId: ERASED, email: '', address: '', details: {}, fold: null };
      await Promise.all(found.map(({ id }) => own.update({ id }, { set })));
    }
  }

  /** Who invited the person says their address. */
  async anonymiseInvitationsOf(companyId: CompanyId, email: string): Promise<void> {
    for await (const { id, details } of this.allOf(companyId, { action: 'POST secure/invitation' }))
      if (details['email']?.toLowerCase() === email)
        await this.collection.of(companyId).update({ id }, { set: { details: {} } });
  }
}

function whereOf({ email, action, from, to }: AuditFilter): Where<AuditEntry> {
  const createdAt = from === undefined && to === undefined ? null : said({ gte: from, lt: to });
  return said({ email: email?.toLowerCase(), action, createdAt });
}

type Event = Pick<AuditEntry, 'companyId' | 'userId' | 'email' | 'action' | 'succeeded' | 'details' | 'address'> & {
  /** Done so often that an hour of it is one entry. */
  readonly isCounted?: boolean;
  readonly rows?: number;
};

/** Keeps what people and programs did, for the managers of their company. */
@Injectable()
export class AuditFacade {
  constructor(
    private readonly entries: AuditRepository,
    private readonly assistant: AssistantFacade,
    private readonly ids: IdSource,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Nobody waits for it, and nobody is refused because it could not be kept: then the log says so. */
  record(by: Principal | null, event: Event): void {
    const { action } = event;
    void this.keep(by, event).catch(warned(this.log, 'what somebody did could not be kept', { action }));
  }

  page(by: Principal, filter: AuditFilter, page: Page): Promise<PageOf<AuditEntry>> {
    return this.entries.pageOf(by.companyId, whereOf(filter), page, NEWEST_FIRST);
  }

  /** All that fit, as CSV, in the order in which they happened. */
  csv(by: Principal, filter: AuditFilter): Readable {
    const entries = this.entries.allOf(by.companyId, whereOf(filter));
    return Readable.from(linesOf(entries), { objectMode: false });
  }

  removeBefore(companyId: CompanyId, time: Date): Promise<void> {
    return this.entries.removeWhere(companyId, { createdAt: { lt: time } });
  }

  /** That something was done stays, but not by whom, from where, and about what. Whatever breaks it off, it can be asked for again. */
  async anonymise(companyId: CompanyId, userId: UserId, email: string): Promise<void> {
    await this.entries.anonymise(companyId, { userId });
    await this.entries.anonymiseInvitationsOf(companyId, email);
  }

  private async keep(by: Principal | null, { isCounted = false, rows, ...event }: Event): Promise<void> {
    const createdAt = this.clock.now();
    const fold = isCounted ? foldOf(event, createdAt) : null;
    if (fold !== null && (await this.entries.count(event.companyId, fold, rows ?? null)) !== null) return;
    const { conversation_id: conversation } = event.details;
    const read = by === null || conversation === undefined ? null : await this.assistant.datasourceOf(by, conversation);
    await this.entries.insert({
      ...event,
      details: read === null ? event.details : { ...event.details, datasource_id: read },
      id: this.ids.next(),
      times: 1,
      rows: rows ?? null,
      fold,
      createdAt,
    });
  }
}

/** Two at the same moment may make two entries, whose counts are right together. */
function foldOf({ userId, action, succeeded, details }: Omit<Event, 'isCounted' | 'rows'>, at: Date): string {
  const hour = Math.floor(at.getTime() / HOUR_MS);
  return [userId, action, succeeded, details['datasource_id'] ?? '', hour].join(' ');
}

async function* linesOf(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  yield csvRecord(['time', 'email', 'user_id', 'action', 'succeeded', 'address', 'details']);
  for await (const entry of entries) {
    const { createdAt, email, userId, action, succeeded, address } = entry;
    yield csvRecord([
      createdAt.toISOString(),
      email,
      userId,
      action,
      String(succeeded),
      address,
      JSON.stringify(toldDetails(entry)),
    ]);
  }
}

/** With what was counted. */
export function toldDetails({ details, times, rows }: AuditEntry): AuditEntry['details'] {
  return {
    ...details,
    ...(times === 1 ? {} : { times: String(times) }),
    ...(rows === null ? {} : { inserted_rows: String(rows) }),
  };
}
