import { Envelope } from '../../../http/envelope.wire.js';
import { Text } from '../../../http/fields.js';
import { AppError } from '../../../shared/app-error.js';
import { detectTimeFormats, layoutsOf, parseLayout } from '../../../shared/time-format/time-format.js';

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

/** @throws AppError `invalid_input` when no layout fits. */
export function detectedTimeFormat({
  timestamp,
}: DetectTimeFormatBody): Omit<DetectTimeFormatResponse, keyof Envelope> {
  // An import trims its cells too.
  const { best, ambiguous } = detectTimeFormats([timestamp.trim()]);
  if (best === null) throw new AppError('invalid_input', 'time format not recognised');
  const { go, strftime, unicode } = layoutsOf(parseLayout(best));
  return { timeformat: best, layouts: { go, strftime, unicode }, ambiguous: [...ambiguous] };
}
