import { AppError } from '../../shared/app-error.js';

const LONGEST_SHOWN = 120;

/** An archive that is not taken, with a sentence that says why. */
export function refused(sentence: string, cause?: unknown): AppError {
  return new AppError('invalid_input', sentence, { cause });
}

/** The directory can't be read or contradicts itself. */
export function damaged(cause?: unknown): AppError {
  return refused('the ZIP archive is damaged or incomplete', cause);
}

/** An entry's name in a sentence: in quotes, on one line, without what can't be seen or turns the reading direction. */
export function shown(name: string): string {
  const visible = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
  return `"${visible.length > LONGEST_SHOWN ? `${visible.slice(0, LONGEST_SHOWN)}…` : visible}"`;
}
