import { messageOf } from '../shared/app-error.js';

/** Writes structured lines for operators. Never given secrets, rows or documents. */
export abstract class Log {
  abstract info(message: string, context?: object): void;
  abstract warn(message: string, context?: object): void;
  abstract error(message: string, context?: object): void;
}

/** For `catch`: what failed is written down with its reason, and nothing else comes of it. */
export function warned(log: Pick<Log, 'warn'>, message: string, context: object = {}): (error: unknown) => void {
  return (error) => {
    log.warn(message, { ...context, reason: messageOf(error) });
  };
}
