/** Writes structured lines for operators. Never given secrets, rows or documents. */
export abstract class Log {
  abstract info(message: string, context?: object): void;
  abstract warn(message: string, context?: object): void;
  abstract error(message: string, context?: object): void;
}
