import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tellGone } from './parameters.js';
import { failed } from './envelope.wire.js';

const TURNED_AWAY = JSON.stringify(failed('the service is stopping'));
const RETRY_SECONDS = '5';
/** So long the service listens at least after it was told to stop: clients that keep a connection hear of it on that. */
const NOTICE_MS = 500;
/** Who keeps connecting is not welcomed longer. */
const WELCOME_MS = 3_000;
/** So many turns of the loop without a new connection: none waits, and what the last ones sent has been read. */
const CALM_TURNS = 4;
/** For the last answers to reach their askers. */
const GOODBYE_MS = 2_000;
/** Who still sends after being turned away is heard so long: a connection closed on unread bytes is reset, and its answer lost. */
const LINGER_MS = 1_000;
const LOOK_MS = 20;

/** The requests at work, and how they come to an end when the service stops. */
@Injectable()
export class Traffic {
  private readonly accepted = new Set<ServerResponse>();
  private connections = 0;
  private stopping = false;

  watch(server: FastifyInstance): void {
    server.server.on('connection', () => (this.connections += 1));
    server.addHook('onRequest', (request, reply, done) => {
      if (this.stopping) {
        turnAway(request, reply);
        return;
      }
      this.accepted.add(reply.raw);
      reply.raw.once('close', () => {
        this.accepted.delete(reply.raw);
        tellGone(reply.raw);
      });
      done();
    });
    // What is open after it is cut off: see `serverAdapter`.
    server.addHook('preClose', () => this.leave(server));
  }

  /** Lets nobody in who comes from now on. Resolves when every request before has its answer, or the time is over. */
  async drain(ms: number): Promise<void> {
    await this.turnAwayWhoComes();
    const end = Date.now() + ms;
    await setTimeout(NOTICE_MS);
    while (this.accepted.size > 0 && Date.now() < end) await setTimeout(LOOK_MS);
  }

  private async turnAwayWhoComes(): Promise<void> {
    if (this.stopping) return;
    await this.welcome();
    this.stopping = true;
    for (const response of this.accepted) if (!response.headersSent) response.setHeader('connection', 'close');
  }

  private async leave({ server }: FastifyInstance): Promise<void> {
    await this.turnAwayWhoComes();
    const left = once(server, 'close');
    server.close();
    await Promise.race([left, setTimeout(GOODBYE_MS, null, { ref: false })]);
  }

  /** Takes who has connected already: Node takes one in each turn of its loop, and resets the others when it stops to listen. */
  private async welcome(): Promise<void> {
    const end = Date.now() + WELCOME_MS;
    for (let calm = 0; calm < CALM_TURNS && Date.now() < end; calm += 1) {
      const seen = this.connections;
      await setImmediate();
      if (this.connections !== seen) calm = 0;
    }
  }
}

/** The answer goes out at once; the connection is closed when the request has been read. */
function turnAway({ raw: request }: FastifyRequest, reply: FastifyReply): void {
  const { raw: response } = reply.hijack();
  void reply.headers({
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(TURNED_AWAY),
    'retry-after': RETRY_SECONDS,
  });
  for (const [name, value = ''] of Object.entries(reply.getHeaders())) response.setHeader(name, value);
  response.statusCode = 503;
  response.write(TURNED_AWAY);
  request.resume();
  const read = once(request, 'end', { signal: AbortSignal.timeout(LINGER_MS) });
  // Rejects when the time is over, or the asker is gone.
  void read.catch(() => undefined).then(() => response.end());
}
