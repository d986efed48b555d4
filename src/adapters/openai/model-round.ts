import type { ModelDelta } from '../../ports/chat-model.js';
import type { KeptRound } from './conversation.js';

export type End = Extract<ModelDelta, { kind: 'end' }>;

/** Reads one streamed answer of an endpoint, whatever its protocol. */
export interface ModelRound {
  /** The deltas of one chunk. @throws AppError `unavailable` when it isn't one, or tells of a failure. */
  read(chunk: unknown): Generator<ModelDelta>;
  /** `null` as long as the model has not said that it is done: a stream that ends then was cut. */
  readonly end: End | null;
  readonly kept: KeptRound;
}
