import type { TenantDocument } from '../../ports/document-store.js';
import { LEASE_FIELDS, MIXED, nullable, required, tenantKind } from '../../ports/stored-kind.schema.js';
import type { Leased } from '../../queue/lease-keeper.js';
import type { Id } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';

export type DeliveryId = Id<'delivery'>;

export const CHANNELS = ['webhook', 'mail'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A message to a company's webhook, or a mail to one address. It is gone 30 days after it was put. */
export interface Delivery extends TenantDocument, Leased {
  readonly id: DeliveryId;
  readonly channel: Channel;
  /** `agent-task.finished` … */
  readonly event: string;
  /** What it tells of, such as the id of a run; null: nobody asks. */
  readonly about: string | null;
  /** The address that a mail goes to. */
  readonly to: string | null;
  /** Emptied at the end: the result itself is kept by whoever announced it. */
  readonly body: JsonObject;
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Sendings that were begun. */
  readonly attempts: number;
  /** Why the last one failed. */
  readonly lastError: string | null;
  /** The receiver wants to be left alone until then. */
  readonly notBefore: Date | null;
  readonly createdAt: Date;
  readonly deliveredAt: Date | null;
}

const THIRTY_DAYS = 30 * 24 * 60 * 60;

export const DELIVERIES = tenantKind<Delivery>(
  'deliveries',
  {
    ...required({ event: String, attempts: Number, createdAt: Date }),
    channel: { type: String, enum: CHANNELS, default: 'webhook' },
    status: { type: String, required: true, enum: ['pending', 'delivered', 'failed'] },
    ...nullable({ about: String, to: String, lastError: String, notBefore: Date, deliveredAt: Date }),
    body: { type: MIXED, default: {} },
    ...LEASE_FIELDS,
  },
  [
    [{ createdAt: 1 }, { expireAfterSeconds: THIRTY_DAYS }],
    { status: 1 },
    { companyId: 1, about: 1, to: 1 },
    { companyId: 1, channel: 1, createdAt: 1 },
  ],
);
