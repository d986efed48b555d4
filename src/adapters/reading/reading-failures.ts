import { AppError } from '../../shared/app-error.js';
import type { ReadingDeath, ReadingEnd } from './reading-child.js';
import type { ReadingLimits } from './reading-limits.js';
import { COULD_NOT_BE_READ, NEEDS_TOO_MUCH_MEMORY } from './refusal.js';

/** Signals that a process brings upon itself. */
const OWN_SIGNALS: readonly string[] = [
  'SIGABRT',
  'SIGTRAP',
  'SIGSEGV',
  'SIGBUS',
  'SIGILL',
  'SIGFPE',
  'SIGSYS',
  'SIGXFSZ',
];
/** When it ran out of memory, the engine ends like this. */
const OUT_OF_MEMORY_SIGNALS: readonly string[] = ['SIGABRT', 'SIGTRAP'];
const SIGNAL_CODES = 128;
const ABORT_CODE = 134;
/** From here on, memory is the likeliest reason of a sudden end: the watch looks only now and then. */
const MUCH_MEMORY = 0.7;

/** What the end of a process means to whoever expected another. */
export function failureOf(end: ReadingEnd, limits: ReadingLimits): AppError {
  switch (end.kind) {
    case 'refused':
      return new AppError('invalid_input', end.reason);
    case 'too_much_memory':
      return new AppError('invalid_input', NEEDS_TOO_MUCH_MEMORY);
    case 'too_slow':
      return new AppError('invalid_input', `reading the document took longer than ${end.afterMs / 1000} seconds`);
    case 'stopped':
      return new AppError('invalid_input', COULD_NOT_BE_READ);
    case 'finished':
    case 'recognised':
      return unavailable(`the process said ${end.kind} without having done it`);
    case 'failed':
      return unavailable(end.reason);
    case 'died':
      return failureOfDeath(end, limits);
  }
}

function failureOfDeath(death: ReadingDeath, limits: ReadingLimits): AppError {
  const how = death.signal ?? death.code ?? 'never started';
  const cause = new Error(`the process ended (${how}): ${death.lastWords}`);
  if (!death.started) return unavailable(cause.message);
  if (isOutOfMemory(death, limits)) return new AppError('invalid_input', NEEDS_TOO_MUCH_MEMORY, { cause });
  // What a process brings upon itself, it would again.
  return isOwnDeath(death) ? new AppError('invalid_input', COULD_NOT_BE_READ, { cause }) : unavailable(cause.message);
}

function isOutOfMemory({ code, signal, peakBytes }: ReadingDeath, { memoryBytes }: ReadingLimits): boolean {
  if (peakBytes > memoryBytes * MUCH_MEMORY) return true;
  return code === ABORT_CODE || OUT_OF_MEMORY_SIGNALS.includes(signal ?? '');
}

function isOwnDeath({ code, signal }: ReadingDeath): boolean {
  return OWN_SIGNALS.includes(signal ?? '') || (code ?? 0) > SIGNAL_CODES;
}

function unavailable(reason: string): AppError {
  return new AppError('unavailable', 'the document could not be read just now', { cause: new Error(reason) });
}
