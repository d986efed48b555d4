import { Envelope } from '../../http/envelope.wire.js';

export class ReadyResponse extends Envelope {
  /** State of each back-end, up or down, by name. */
  readonly backends!: Record<string, string>;
}
