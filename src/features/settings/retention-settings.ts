import { isRecord, type JsonObject, type JsonValue } from '../../shared/json.js';
import { refused } from './config-rules.js';

const PART = 'retention';
/** The document store removes older audit entries by itself. */
const MOST_DAYS = { conversations_days: 3650, audit_days: 365 } as const;

/** How long a company keeps things, in days; null: as long as the service does. */
export interface Retention {
  readonly conversationsDays: number | null;
  readonly auditDays: number | null;
}

/** What can't be used counts as not set. */
export function retentionIn(config: JsonObject): Retention {
  const part = config[PART];
  const days = (name: keyof typeof MOST_DAYS): number | null => {
    const value = isRecord(part) ? part[name] : null;
    return isDays(value, MOST_DAYS[name]) ? value : null;
  };
  return { conversationsDays: days('conversations_days'), auditDays: days('audit_days') };
}

/** @throws AppError `invalid_input` */
export function assertRetention(config: JsonObject): void {
  const part = config[PART];
  if (part === undefined) return;
  if (!isRecord(part)) throw refused(`config.${PART}`, 'must be an object');
  for (const [name, most] of Object.entries(MOST_DAYS)) {
    const value = part[name] ?? null;
    if (value !== null && !isDays(value, most))
      throw refused(`config.${PART}.${name}`, `must be a whole number of days from 1 to ${most}, or null`);
  }
}

function isDays(value: JsonValue | undefined, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
}
