import {
  DOCUMENT_TYPES,
  type DocumentBlock,
  type DocumentType,
  type RecognisedDocument,
} from '../../ports/document-reader.js';
import { isRecord } from '../../shared/json.js';
import type { ReadingLimits } from './reading-limits.js';

/** What a process is started for; it gets one of these and no other message. */
export type ReadingRequest =
  | { readonly kind: 'look'; readonly path: string; readonly limits: ReadingLimits }
  | { readonly kind: 'read'; readonly path: string; readonly type: DocumentType; readonly limits: ReadingLimits };

/** How a process says that it has ended its work. */
export type ReadingResult =
  | { readonly kind: 'recognised'; readonly document: RecognisedDocument }
  | { readonly kind: 'finished' }
  /** The document is at fault; the reason is a sentence for its owner. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nobody foresaw this. */
  | { readonly kind: 'failed'; readonly reason: string };

/** First `started`, then any number of `blocks`, then a result. */
export type ReadingReply =
  { readonly kind: 'started' } | { readonly kind: 'blocks'; readonly blocks: readonly DocumentBlock[] } | ReadingResult;

const LONGEST_REASON = 500;

/**
 * A process that has read a stranger's bytes is not trusted either: its messages are built anew from what they must be made of.
 *
 * @returns null when it is no reply
 */
export function replyFrom(message: unknown): ReadingReply | null {
  if (!isRecord(message)) return null;
  switch (message['kind']) {
    case 'started':
    case 'finished':
      return { kind: message['kind'] };
    case 'blocks':
      return blocksFrom(message['blocks']);
    case 'recognised':
      return recognisedFrom(message['document']);
    case 'refused':
    case 'failed':
      return typeof message['reason'] === 'string'
        ? { kind: message['kind'], reason: message['reason'].slice(0, LONGEST_REASON) }
        : null;
    default:
      return null;
  }
}

function blocksFrom(blocks: unknown): ReadingReply | null {
  if (!Array.isArray(blocks)) return null;
  const read: DocumentBlock[] = [];
  // Most blocks stand under the same heading as the one before: they share its text instead of having a copy each.
  let heading: string | null = null;
  for (const block of blocks as readonly unknown[]) {
    if (!isBlock(block)) return null;
    if (block.heading !== heading) heading = block.heading;
    read.push({ text: block.text, page: block.page, heading });
  }
  return { kind: 'blocks', blocks: read };
}

function isBlock(block: unknown): block is DocumentBlock {
  if (!isRecord(block)) return false;
  const { text, page, heading } = block;
  if (typeof text !== 'string' || text === '') return false;
  return (page === null || isPageNumber(page)) && (heading === null || typeof heading === 'string');
}

function isPageNumber(page: unknown): boolean {
  return typeof page === 'number' && Number.isSafeInteger(page) && page > 0;
}

function recognisedFrom(document: unknown): ReadingReply | null {
  if (!isRecord(document)) return null;
  const { supported, type, mediaType } = document;
  if (supported === false && typeof mediaType === 'string') {
    return { kind: 'recognised', document: { supported, mediaType: mediaType.slice(0, LONGEST_REASON) } };
  }
  const known = DOCUMENT_TYPES.find((one) => one === type);
  if (supported !== true || known === undefined) return null;
  return { kind: 'recognised', document: { supported, type: known } };
}
