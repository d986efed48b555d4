import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';

/** Whatever is called like this is never written, wherever it stands in a logged object. */
const SECRET_NAMES = [
  'password',
  'token',
  'authorization',
  'apiKey',
  'jwtSecret',
  'secret',
  'mongodbUri',
  'uri',
  'cookie',
];

export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[secret]' },
    },
    destination ?? standardOutput(),
  );
}

/** Lines of the same turn of the event loop are one write; what is left when the process ends is written then. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: false, minLength: 8 * 1024 });
  let isDue = false;
  const flush = (): void => {
    isDue = false;
    output.flush();
  };
  return {
    write: (line) => {
      output.write(line);
      if (isDue) return;
      isDue = true;
      setImmediate(flush);
    },
  };
}

/** Writes the framework's own lines to the same log: what it says while it starts is of interest to its makers alone. */
export class FrameworkLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: rest.at(-1) }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    // A failed start is told once, by the entry point, in a sentence.
    const level = rest.at(-1) === 'ExceptionHandler' ? 'debug' : 'error';
    this.logger[level]({ context: rest.at(-1), err: message instanceof Error ? message : undefined }, String(message));
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: rest.at(-1) }, String(message));
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ context: rest.at(-1) }, String(message));
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ context: rest.at(-1) }, String(message));
  }
}
