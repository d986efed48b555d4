import { RequestMethod } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import type { Surroundings } from './core.module.js';
import { useStream } from './features/stream/stream.adapter.js';
import { FrameworkLogger } from './http/logging.js';
import { RouteTable } from './http/route-table.js';
import { serverAdapter, setUpServer } from './http/server.js';
import { setUpSwagger } from './http/swagger.js';

/** The application, complete but not listening yet. Tests and `main` make it the same way. */
export async function createApp(surroundings: Surroundings): Promise<NestFastifyApplication> {
  const { config, logger } = surroundings;
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(surroundings),
    serverAdapter(config, logger),
    { logger: new FrameworkLogger(logger), abortOnError: false, bodyParser: false, forceCloseConnections: true },
  );
  app.setGlobalPrefix('api/v1', { exclude: [{ path: 'health/{*rest}', method: RequestMethod.ALL }] });
  await setUpServer(app, config);
  setUpSwagger(app);
  useStream(app);
  // A route without an access rule must stop the start, not the first caller.
  app.get(RouteTable).routes();
  return app;
}
