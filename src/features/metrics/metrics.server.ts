import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { isLook } from '../../http/access.js';
import { Log } from '../../ports/log.js';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { MetricsService } from './metrics.service.js';

const PATH = '/metrics';
const PATIENCE_MS = 10_000;

/** The port of their own that metrics can have, so that the one which users reach does not show them. */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private server: Server | null = null;

  constructor(
    private readonly metrics: MetricsService,
    private readonly config: AppConfig,
    private readonly log: Log,
  ) {}

  /** Where it listens; null when it does not. */
  get port(): number | null {
    const address = this.server?.address() as AddressInfo | null | undefined;
    return address?.port ?? null;
  }

  /** @throws AppError `unavailable` when the port is taken or not allowed. */
  async onApplicationBootstrap(): Promise<void> {
    const port = this.config.metrics?.port ?? null;
    if (port === null) return;
    const server = createServer({ requestTimeout: PATIENCE_MS }, (request, response) => {
      void this.answer(request, response); // never rejects
    });
    try {
      server.listen({ host: this.config.server.host, port });
      await once(server, 'listening');
    } catch (error) {
      throw new AppError('unavailable', `metrics can't be shown on port ${port}: choose another METRICS_PORT`, {
        cause: error,
      });
    }
    this.server = server;
  }

  beforeApplicationShutdown(): void {
    const { server } = this;
    if (server === null) return;
    this.server = null;
    server.close();
    server.closeAllConnections();
  }

  private async answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (!isLook(method ?? '') || url.split('?')[0] !== PATH) {
        response.writeHead(404).end('not found\n');
        return;
      }
      const { contentType, text } = await this.metrics.page(headers.authorization);
      response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
    } catch (error) {
      if (!isAppError(error, 'unauthorized')) this.log.error('metrics could not be read', { reason: messageOf(error) });
      response.writeHead(isAppError(error, 'unauthorized') ? 401 : 500).end('not shown\n');
    }
  }
}
