import { SchemaRules } from '../adapters/documents/schema-rules.js';
import type { Clock } from '../ports/clock.js';
import type { StoredDocument } from '../ports/document-store.js';
import type { AnyKind } from './document-kinds.js';

/** Whether a document of the kind has outlived its time by now, so that no store shows it. */
export function isExpiredBy(kind: AnyKind, clock: Clock): (document: StoredDocument) => boolean {
  const { expiries } = new SchemaRules(kind);
  return (document) => {
    const now = clock.now().getTime();
    return expiries.some(({ field, seconds }) => {
      const since: unknown = Object.entries(document).find(([name]) => name === field)?.[1];
      return since instanceof Date && since.getTime() + seconds * 1000 <= now;
    });
  };
}
