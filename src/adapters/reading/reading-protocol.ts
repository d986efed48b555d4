import { z } from 'zod';
import { DOCUMENT_TYPES, type DocumentBlock, type DocumentType } from '../../ports/document-reader.js';
import type { ReadingLimits } from './reading-limits.js';

/** What a process is started for; it gets one of these and no other message. */
export type ReadingRequest =
  | { readonly kind: 'look'; readonly path: string; readonly limits: ReadingLimits }
  | { readonly kind: 'read'; readonly path: string; readonly type: DocumentType; readonly limits: ReadingLimits };

const LONGEST_REASON = 500;
const shortText = z.string().transform((text) => text.slice(0, LONGEST_REASON));
const blockSchema = z.object({
  text: z.string().min(1),
  page: z.int().positive().nullable(),
  heading: z.string().nullable(),
});

/** First `started`, then any number of `blocks`, then a result. */
const replySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('started') }),
  z.object({ kind: z.literal('blocks'), blocks: z.array(blockSchema).transform(withSharedHeadings) }),
  z.object({ kind: z.literal('finished') }),
  z.object({
    kind: z.literal('recognised'),
    document: z.discriminatedUnion('supported', [
      z.object({ supported: z.literal(true), type: z.enum(DOCUMENT_TYPES) }),
      z.object({ supported: z.literal(false), mediaType: shortText }),
    ]),
  }),
  // Refused: the document is at fault, and the reason is a sentence for its owner. Failed: nobody foresaw this.
  z.object({ kind: z.enum(['refused', 'failed']), reason: shortText }),
]);

export type ReadingReply = z.infer<typeof replySchema>;
/** How a process says that it has ended its work. */
export type ReadingResult = Exclude<ReadingReply, { kind: 'started' | 'blocks' }>;

/**
 * A process that has read a stranger's bytes is not trusted either: its messages are built anew from what they must be made of.
 *
 * @returns null when it is no reply
 */
export function replyFrom(message: unknown): ReadingReply | null {
  return replySchema.safeParse(message).data ?? null;
}

/** Most blocks stand under the same heading as the one before: they share its text instead of having a copy each. */
function withSharedHeadings(blocks: readonly DocumentBlock[]): readonly DocumentBlock[] {
  let last: string | null = null;
  return blocks.map((block) => {
    if (block.heading !== last) last = block.heading;
    return { ...block, heading: last };
  });
}
