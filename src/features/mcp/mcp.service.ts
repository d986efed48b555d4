import { Injectable } from '@nestjs/common';
import { AppError } from '../../shared/app-error.js';
import type { Principal } from '../../shared/principal.js';
import { McpDoors, type McpMessage } from './mcp-doors.js';

/** Answers messages of the protocol. */
@Injectable()
export class McpService {
  constructor(private readonly doors: McpDoors) {}

  /**
   * With a server of its own for each message, which knows who asks. Work ends when the asker is gone.
   *
   * @throws AppError `invalid_input` for several messages in one: each is to be counted as a request.
   */
  async answer(by: Principal, { headers, body }: McpMessage, gone: AbortSignal): Promise<Response> {
    if (Array.isArray(body)) throw new AppError('invalid_input', 'send one message at a time, not a batch');
    // Loaded when it is first needed: it would cost every start time and memory.
    const { answered } = await import('./mcp-server.js');
    return answered({ by, doors: this.doors, gone }, { headers, body });
  }
}
