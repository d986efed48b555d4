import { Envelope } from '../../../http/envelope.wire.js';
import { Text } from '../../../http/fields.js';
import type { DetectedTimeFormat } from './time-format.service.js';

export class DetectTimeFormatBody {
  /** One value of the timestamp column. */
  @Text(1, 100)
  readonly timestamp!: string;
}

/** The same layout in three languages; `unix` and `unix_ms` have the one name in all. */
export class TimeLayoutsView {
  readonly go!: string;
  readonly strftime!: string;
  readonly unicode!: string;
}

export class DetectTimeFormatResponse extends Envelope {
  /** In Unicode tokens, or `unix` or `unix_ms`. */
  readonly timeformat!: string;
  readonly layouts!: TimeLayoutsView;
  /** The other readings in Unicode tokens, when day and month can't be told apart. */
  readonly ambiguous!: string[];
}

export function timeFormatView({
  format,
  layouts,
  ambiguous,
}: DetectedTimeFormat): Omit<DetectTimeFormatResponse, keyof Envelope> {
  return {
    timeformat: format,
    layouts: { go: layouts.go, strftime: layouts.strftime, unicode: layouts.unicode },
    ambiguous: [...ambiguous],
  };
}
