import { parseLayout, toStrptime } from '../shared/time-format/time-format.js';
import { quotedText } from './sandbox-names.js';

/** How the texts of the time field become timestamps: SQL over a column of texts. */
export interface TimeReading {
  /** A TIMESTAMP in UTC, null when the text is no time. */
  value(text: string): string;
  /** Whether the text fits the layout from its first to its last character; `value` names the timestamp read. */
  fits(text: string, value: string): string;
}

const PLAIN_ISO = '%Y-%m-%d %H:%M:%S';

/** @throws AppError `invalid_input` when the layout is not understood. */
export function timeReading(layout: string): TimeReading {
  const plan = toStrptime(parseLayout(layout));
  if (plan.kind === 'epoch') return epochReading(plan.unit, plan.pattern);
  const { readings } = plan;
  if (readings.length === 1 && readings[0]?.format === PLAIN_ISO) return PLAIN_ISO_READING;
  return {
    // An offset makes a TIMESTAMPTZ, which the cast turns to UTC; a plain cast of the text would drop the offset.
    value: (text) => {
      const cases = readings.map(
        ({ pattern, format }) =>
          `WHEN ${matches(text, pattern)} THEN CAST(try_strptime(${text}, ${quotedText(format)}) AS TIMESTAMP)`,
      );
      return `CASE ${cases.join(' ')} END`;
    },
    fits: (_, value) => `${value} IS NOT NULL`,
  };
}

/** The layout that most files have, read the quick way: a timestamp that is written back as it stood was strict. */
const PLAIN_ISO_READING: TimeReading = {
  value: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
  fits: (text, value) => `(strlen(${text}) = ${'YYYY-MM-DD HH:MM:SS'.length} AND CAST(${value} AS VARCHAR) = ${text})`,
};

function epochReading(unit: 's' | 'ms', pattern: string): TimeReading {
  const time = (text: string): string =>
    unit === 's'
      ? `make_timestamp(CAST(floor(CAST(${text} AS DECIMAL(20, 9)) * 1000000) AS BIGINT))`
      : `epoch_ms(CAST(${text} AS BIGINT))`;
  return {
    value: (text) => `CASE WHEN ${matches(text, pattern)} THEN ${time(text)} END`,
    fits: (_, value) => `${value} IS NOT NULL`,
  };
}

function matches(text: string, pattern: string): string {
  return `regexp_full_match(${text}, ${quotedText(pattern)})`;
}
