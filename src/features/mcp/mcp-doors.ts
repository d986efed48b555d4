import { Injectable } from '@nestjs/common';
import { ChartImages } from '../../answering/chart-images.js';
import { Log } from '../../ports/log.js';
import type { Principal } from '../../shared/principal.js';
import { AssistantFacade } from '../assistant/assistant.facade.js';
import { ContextFilesFacade } from '../context-files/context-files.facade.js';
import { DatasourceReading } from '../datasource/datasource-reading.facade.js';

export interface McpMessage {
  readonly headers: Headers;
  readonly body: unknown;
}

/** What tools and resources are made of: what the API's own controllers stand on. */
@Injectable()
export class McpDoors {
  constructor(
    readonly reading: DatasourceReading,
    readonly assistant: AssistantFacade,
    readonly images: ChartImages,
    readonly files: ContextFilesFacade,
    readonly log: Log,
  ) {}
}

/** Who asks, and with what their question is answered. */
export interface McpCall {
  readonly by: Principal;
  readonly doors: McpDoors;
  /** Aborted when the asker goes away. */
  readonly gone: AbortSignal;
}
