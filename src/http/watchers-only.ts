import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { failed } from './envelope.wire.js';

/** What an orchestrator asks for to watch an instance. */
const WATCHED = /^\/(health\/|metrics(\?|$))/;

/** Lets nothing in but what watches the instance: it works, and others serve. Called before the routes are made. */
export function answerWatchersOnly(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request, reply, done) => {
    if (WATCHED.test(request.url)) done();
    else void reply.status(404).send(failed('not found: this instance works and does not serve'));
  });
}
