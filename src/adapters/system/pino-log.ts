import type { Logger } from 'pino';
import { Log } from '../../ports/log.js';

export class PinoLog extends Log {
  constructor(private readonly logger: Logger) {
    super();
  }

  override info(message: string, context: object = {}): void {
    this.logger.info(context, message);
  }

  override warn(message: string, context: object = {}): void {
    this.logger.warn(context, message);
  }

  override error(message: string, context: object = {}): void {
    this.logger.error(context, message);
  }
}
