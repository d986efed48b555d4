import { AppError } from '../app-error.js';
import { detectTimeFormats, type DetectedTimeFormats } from './detect-time-formats.js';
import { isGoLayout, readGoLayout, writeGoLayout } from './go-layout.js';
import { assertUsable } from './layout-rules.js';
import { parseTime } from './read-time.js';
import { readStrftimeLayout, writeStrftimeLayout } from './strftime-layout.js';
import { NUMBER_DIRECTIVES, toStrptime, type StrptimePlan, type StrptimeReading } from './strptime-formats.js';
import type { TimeLayout, TimeToken } from './time-layout.js';
import { readUnicodeLayout, writeUnicodeLayout } from './unicode-layout.js';

export { detectTimeFormats, NUMBER_DIRECTIVES, parseTime, toStrptime };
export type { DetectedTimeFormats, StrptimePlan, StrptimeReading, TimeLayout };

const MAX_LENGTH = 100;

const EPOCHS: Readonly<Record<string, 's' | 'ms' | undefined>> = {
  unix: 's',
  epoch: 's',
  X: 's',
  '%s': 's',
  unix_ms: 'ms',
  epoch_ms: 'ms',
  x: 'ms',
};

/**
 * Understands a layout in Go's reference time, strftime or Unicode tokens (in Java's or Moment's spelling), told apart by their form,
 * and the names `unix` and `unix_ms`.
 *
 * @throws AppError `invalid_input` with a sentence that names what is not understood and where.
 */
export function parseLayout(text: string): TimeLayout {
  const trimmed = text.trim();
  const unit = Object.hasOwn(EPOCHS, trimmed) ? EPOCHS[trimmed] : undefined;
  if (unit !== undefined) return { kind: 'epoch', unit };
  assertIsLayout(trimmed);

  const tokens = readerFor(trimmed)(trimmed, (what, at) => {
    throw new AppError(
      'invalid_input',
      `'${what}' at position ${at + 1} of the time layout '${trimmed}' is not understood`,
    );
  });
  assertUsable(tokens, trimmed);
  return { kind: 'tokens', tokens };
}

function assertIsLayout(text: string): void {
  if (text === '') throw new AppError('invalid_input', 'the time layout is empty');
  if (text.length > MAX_LENGTH)
    throw new AppError('invalid_input', `the time layout has over ${MAX_LENGTH} characters`);
  if (/\p{Cc}/u.test(text)) throw new AppError('invalid_input', 'the time layout has control characters');
}

type LayoutReader = (text: string, refuse: (what: string, at: number) => never) => readonly TimeToken[];

function readerFor(text: string): LayoutReader {
  if (text.includes('%')) return readStrftimeLayout;
  return isGoLayout(text) ? readGoLayout : readUnicodeLayout;
}

/** The layout in the three languages. */
export function layoutsOf(layout: TimeLayout): {
  readonly go: string;
  readonly strftime: string;
  readonly unicode: string;
} {
  if (layout.kind === 'epoch') {
    const name = layout.unit === 's' ? 'unix' : 'unix_ms';
    return { go: name, strftime: name, unicode: name };
  }
  return {
    go: writeGoLayout(layout.tokens),
    strftime: writeStrftimeLayout(layout.tokens),
    unicode: writeUnicodeLayout(layout.tokens),
  };
}
