import type { TableColumn } from '../../plan/plan-columns.js';
import { NULL_MARKERS } from '../../shared/null-markers.js';
import { type DecimalSign, GROUP_SIGNS, NUMBER_PATTERNS, unitPattern } from '../../shared/number-notation.js';
import { parseLayout, toStrptime } from '../../shared/time-format/time-format.js';
import { quotedText } from '../sql-text.js';

/** How one column of a table is read from one column of texts, as SQL. */
export interface ColumnReading {
  /** The typed value, computed once, under this name. */
  readonly cast: { readonly expression: string; readonly name: string } | null;
  readonly stored: string;
  /** True when the text is a value of the type; null when every text is. */
  readonly fits: string | null;
  /** Numbers are checked together first: a sum is finite only when all its parts are. */
  readonly quick: { readonly sum: string | null; readonly whole: string | null } | null;
  /** True when the text is a value but needs a wider type: a fraction in a column of whole numbers. */
  readonly isWider: string | null;
}

interface NumberStyle {
  readonly decimal: DecimalSign;
  /** Somewhere in the file stands an underscore or `+-`, which the database takes for part of a number. */
  readonly hasOddSigns: boolean;
  /** What may stand beside the numbers of the column. */
  readonly unit?: string | undefined;
}

/** What JavaScript takes for blank, so that both sides trim alike. */
const BLANKS =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
const MARKERS = `(${NULL_MARKERS.map(quotedText).join(', ')})`;
/** From here on a number with a fraction does not hold every whole number. */
const EXACT = 2 ** 53;
const WHOLE = String.raw`^([+-]?\d+)(?:\.0*)?$`;

/** True when the cell is empty or says that there is no value. */
export function isNullMarker(text: string): string {
  return `${trimmed(text)} IN ${MARKERS}`;
}

export function columnReading(column: TableColumn, text: string, style: NumberStyle): ColumnReading {
  const name = `v${column.physical}`;
  switch (column.type) {
    case 'text':
      return { cast: null, stored: `nullif(${text}, '')`, fits: null, quick: null, isWider: null };
    case 'number':
      return {
        cast: { expression: numberOf(text, style), name },
        stored: `CASE WHEN isfinite(${name}) THEN ${name} END`,
        fits: `isfinite(${name})`,
        quick: { sum: name, whole: null },
        isWider: null,
      };
    case 'integer':
      return integerReading(name, numberOf(text, style), cleaned(text, style));
    case 'boolean':
      return otherReading(
        name,
        `coalesce(TRY_CAST(${text} AS BOOLEAN), TRY_CAST(${trimmed(text)} AS BOOLEAN))`,
        `${name} IS NOT NULL`,
      );
    case 'time':
      return otherReading(name, `timezone('UTC', TRY_CAST(${text} AS TIMESTAMPTZ))`, `isfinite(${name})`);
  }
}

/** Times in a layout of their own; like those in ISO 8601 the column becomes text when something else turns up. */
export function layoutReading({ physical }: TableColumn, text: string, layout: TimeReading): ColumnReading {
  const name = `v${physical}`;
  return otherReading(name, layout.value(text), layout.fits(text, name));
}

/** What is no value of the type is none at all. */
export function withOthersMissing(reading: ColumnReading): ColumnReading {
  if (reading.fits === null) return reading;
  const stored = `CASE WHEN ${reading.fits} THEN ${reading.stored} END`;
  return { cast: reading.cast, stored, fits: null, quick: null, isWider: null };
}

/** Read as a DOUBLE, because a cast to whole numbers would round a fraction away; large ones are read again exactly. */
function integerReading(name: string, expression: string, clean: string): ColumnReading {
  const quick = `(${name} = floor(${name}) AND abs(${name}) < ${EXACT})`;
  const large = `TRY_CAST(CASE WHEN abs(${name}) >= ${EXACT} THEN regexp_extract(${clean}, ${quotedText(WHOLE)}, 1) END AS BIGINT)`;
  return {
    cast: { expression, name },
    stored: `CASE WHEN abs(${name}) < ${EXACT} THEN CAST(${name} AS BIGINT) ELSE ${large} END`,
    fits: `(${quick} OR ${large} IS NOT NULL)`,
    quick: { sum: null, whole: quick },
    isWider: `isfinite(${name})`,
  };
}

/** Anything can become text, so nothing is lost when the type was a wrong guess. */
function otherReading(name: string, expression: string, fits: string): ColumnReading {
  return { cast: { expression, name }, stored: name, fits, quick: null, isWider: 'true' };
}

/** The quick cast first; what it does not take is looked at again when there is something to look at. */
function numberOf(text: string, style: NumberStyle): string {
  const isNumber = `regexp_full_match(${bare(text, style)}, ${quotedText(NUMBER_PATTERNS[style.decimal])})`;
  const slow = `CASE WHEN ${text} <> '' AND ${isNumber} THEN TRY_CAST(${cleaned(text, style)} AS DOUBLE) END`;
  return `coalesce(${quickNumber(text, style)}, ${slow})`;
}

function quickNumber(text: string, { decimal, hasOddSigns }: NumberStyle): string {
  const refused = [
    ...(decimal === ',' ? [`contains(${text}, '.')`] : []),
    ...(hasOddSigns ? [`contains(${text}, '_')`, `contains(${text}, '+-')`] : []),
  ];
  const cast = `TRY_CAST(${decimal === ',' ? `replace(${text}, ',', '.')` : text} AS DOUBLE)`;
  return refused.length === 0 ? cast : `CASE WHEN ${refused.join(' OR ')} THEN NULL ELSE ${cast} END`;
}

/** A number as SQL writes it: without the signs that part groups, and with a point. */
function cleaned(text: string, style: NumberStyle): string {
  const whole = `regexp_replace(${bare(text, style)}, ${quotedText(GROUP_SIGNS[style.decimal].source)}, '', 'g')`;
  return style.decimal === ',' ? `replace(${whole}, ',', '.')` : whole;
}

/** Without the blanks around it and the unit beside it. */
function bare(text: string, { unit = '' }: NumberStyle): string {
  if (unit === '') return trimmed(text);
  return String.raw`regexp_replace(${trimmed(text)}, ${quotedText(unitPattern(unit))}, '\1')`;
}

function trimmed(text: string): string {
  return `trim(${text}, ${quotedText(BLANKS)})`;
}

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
  const readings = plan.kind === 'epoch' ? [] : plan.readings;
  if (readings.length === 1 && readings[0]?.format === PLAIN_ISO) return PLAIN_ISO_READING;
  const when = (text: string, pattern: string, time: string): string =>
    `WHEN regexp_full_match(${text}, ${quotedText(pattern)}) THEN ${time}`;
  // An offset makes a TIMESTAMPTZ, which the cast turns to UTC; a plain cast of the text would drop the offset.
  const parsed = (text: string, format: string): string =>
    `CAST(try_strptime(${text}, ${quotedText(format)}) AS TIMESTAMP)`;
  const cases = (text: string): readonly string[] =>
    plan.kind === 'epoch'
      ? [when(text, plan.pattern, epochTime(text, plan.unit))]
      : readings.map(({ pattern, format }) => when(text, pattern, parsed(text, format)));
  return { value: (text) => `CASE ${cases(text).join(' ')} END`, fits: (_, value) => `${value} IS NOT NULL` };
}

/** The layout that most files have, read the quick way: a timestamp that is written back as it stood was strict. */
const PLAIN_ISO_READING: TimeReading = {
  value: (text) => `TRY_CAST(${text} AS TIMESTAMP)`,
  fits: (text, value) => `(strlen(${text}) = ${'YYYY-MM-DD HH:MM:SS'.length} AND CAST(${value} AS VARCHAR) = ${text})`,
};

function epochTime(text: string, unit: 's' | 'ms'): string {
  return unit === 's'
    ? `make_timestamp(CAST(floor(CAST(${text} AS DECIMAL(20, 9)) * 1000000) AS BIGINT))`
    : `epoch_ms(CAST(${text} AS BIGINT))`;
}
