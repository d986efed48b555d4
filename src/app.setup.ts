import { RequestMethod } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { builtConsole } from './adapters/system/console-files.js';
import { AppModule } from './app.module.js';
import type { AppOptions } from './core.module.js';
import { useConsole } from './features/console/console.routes.js';
import { useStream } from './features/stream/stream.adapter.js';
import { UpgradeAuthenticator } from './features/stream/upgrade-authenticator.js';
import { setUpAsyncApi } from './http/asyncapi.js';
import { FrameworkLogger } from './http/logging.js';
import { RouteTable } from './http/route-table.js';
import { serverAdapter, setUpServer } from './http/server.js';
import { setUpSwagger } from './http/swagger.js';
import { Traffic } from './http/traffic.js';
import { answerWatchersOnly } from './http/watchers-only.js';

/** What was accepted gets so long to be answered; then answers are ended, and jobs have ten seconds. */
const DRAIN_MS = 14_000;

/** The application, complete but not listening yet. Tests and `main` make it the same way. */
export async function createApp(surroundings: AppOptions): Promise<NestFastifyApplication> {
  const { config, logger } = surroundings;
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(surroundings),
    serverAdapter(config, logger),
    { logger: new FrameworkLogger(logger), abortOnError: false, bodyParser: false },
  );
  app.setGlobalPrefix('api/v1', {
    exclude: [
      { path: 'health/{*rest}', method: RequestMethod.ALL },
      { path: 'metrics', method: RequestMethod.ALL },
      { path: 'mcp', method: RequestMethod.ALL },
    ],
  });
  await setUpServer(app, config, logger);
  if (!config.instance.http) answerWatchersOnly(app);
  setUpSwagger(app);
  setUpAsyncApi(app);
  if (config.server.console) await useConsole(app, builtConsole());
  useStream(app);
  if (!config.instance.http) app.get(UpgradeAuthenticator).close();
  // A route without an access rule must stop the start, not the first caller.
  app.get(RouteTable).routes();
  return app;
}

/** Answers what was accepted, turns away who comes later, and closes. */
export async function stopApp(app: NestFastifyApplication): Promise<void> {
  app.get(UpgradeAuthenticator).close();
  await app.get(Traffic).drain(DRAIN_MS);
  await app.close();
}
