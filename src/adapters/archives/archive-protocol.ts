import { AppError } from '../../shared/app-error.js';

/** The one thing that an archive process is asked to do. */
export type ArchiveOrder =
  | { readonly kind: 'list'; readonly path: string }
  | {
      readonly kind: 'unpack';
      readonly path: string;
      /** What its sender calls it. */
      readonly name: string;
      /** Only the files of these names; `null`: all. */
      readonly only: readonly string[] | null;
      /** Where to; the sender removes it. */
      readonly folder: string;
      readonly headBytes: number | null;
    };

/** What it tells before it is done. */
export type ArchiveProgress =
  /** So much work is to be done, in the time that writing `atMost` bytes may take. */
  | { readonly kind: 'planned'; readonly bytes: number; readonly atMost: number }
  /** So much is. */
  | { readonly kind: 'done'; readonly bytes: number };

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
