import { InProcessEventStream } from '../../src/adapters/embedded/in-process-event-stream.js';
import { InProcessLimits } from '../../src/adapters/embedded/in-process-limits.js';
import { PinoLog } from '../../src/adapters/system/pino-log.js';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { Body, Controller, Module, Post, type DynamicModule, type InjectionToken, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ClientOptions } from 'ws';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment } from '../../src/config/environment.js';
import { AuthFacade } from '../../src/features/auth/auth.facade.js';
import { AuthModule } from '../../src/features/auth/auth.module.js';
import { useStream } from '../../src/features/stream/stream.adapter.js';
import { StreamModule } from '../../src/features/stream/stream.module.js';
import { createLogger } from '../../src/http/logging.js';
import { serverAdapter } from '../../src/http/server.js';
import { EventStream } from '../../src/ports/event-stream.js';
import { Log } from '../../src/ports/log.js';
import { Metrics, NO_METRICS } from '../../src/ports/metrics.js';
import { SharedLimits } from '../../src/ports/shared-limits.js';
import { ResourceLookup } from '../../src/ports/resource-lookup.js';
import { AppError } from '../../src/shared/app-error.js';
import type { SessionId } from '../../src/shared/ids.js';
import type { Principal } from '../../src/shared/principal.js';
import { StreamClient, type StreamRefused, streamUrl, type Resume } from '../support/stream-client.js';

/** Who holds which token. Every session lives. */
class KnownTokens {
  readonly bearers = new Map<string, Principal>();
  away = false;
  /** What a token's check waits for. */
  gate: Promise<void> = Promise.resolve();

  async authenticateToken(token: string): Promise<Principal> {
    await this.gate;
    if (this.away) throw new AppError('unavailable', 'service unavailable');
    const bearer = this.bearers.get(token);
    if (bearer === undefined) throw new AppError('unauthorized', 'unauthorized - invalid token');
    return bearer;
  }

  aliveSessions(ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>> {
    return Promise.resolve(new Set(ids));
  }
}

/** What ids name to whom. */
class KnownThings extends ResourceLookup {
  private readonly kinds = new Map<string, 'conversation' | 'datasource'>();

  let(by: Principal, kind: 'conversation' | 'datasource', id: string): void {
    this.kinds.set(`${by.companyId} ${by.userId} ${id}`, kind);
  }

  override kindOf(by: Principal, id: string): Promise<'conversation' | 'datasource' | null> {
    return Promise.resolve(this.kinds.get(`${by.companyId} ${by.userId} ${id}`) ?? null);
  }
}

/** Something that is no stream, on the same server. */
@Controller()
class Echo {
  @Post('echo')
  echo(@Body() body: object): object {
    return body;
  }
}

/** The stream alone, on a real server, over ports in memory: it needs nothing else of the service. */
export class StreamWorld implements AsyncDisposable {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly events: EventStream,
    readonly tokens: KnownTokens,
    readonly things: KnownThings,
  ) {}

  static async start(environment: Readonly<Record<string, string>> = {}): Promise<StreamWorld> {
    const config = new AppConfig(readEnvironment(environment));
    const [events, tokens, things] = [
      new InProcessEventStream(new SystemClock()),
      new KnownTokens(),
      new KnownThings(),
    ];
    const ports = [
      { provide: AppConfig, useValue: config },
      { provide: EventStream, useValue: events },
      { provide: ResourceLookup, useValue: things },
      { provide: Log, useValue: new PinoLog(createLogger('silent')) },
      { provide: Metrics, useValue: NO_METRICS },
      { provide: SharedLimits, useValue: new InProcessLimits() },
    ];
    const module = await Test.createTestingModule({ imports: [globalModule(ports), StreamModule], controllers: [Echo] })
      .overrideModule(AuthModule)
      .useModule(globalModule([{ provide: AuthFacade, useValue: tokens }]))
      .compile();
    const app = module.createNestApplication<NestFastifyApplication>(serverAdapter(config, createLogger('silent')), {
      logger: false,
    });
    useStream(app);
    await app.listen(0, '127.0.0.1');
    return new StreamWorld(app, events, tokens, things);
  }

  get port(): number {
    return (this.app.getHttpServer().address() as AddressInfo).port;
  }

  get<T>(type: Type<T>): T {
    return this.app.get(type);
  }

  /** A room's address for somebody who is signed in. */
  urlFor(bearer: Principal, room: string, resume: Resume = {}): string {
    const token = `token of ${bearer.userId} in session ${bearer.sessionId}`;
    this.tokens.bearers.set(token, bearer);
    return streamUrl(`http://127.0.0.1:${this.port}`, room, token, resume);
  }

  open(bearer: Principal, room: string, resume: Resume = {}, options: ClientOptions = {}): Promise<StreamClient> {
    return StreamClient.open(this.urlFor(bearer, room, resume), options);
  }

  refused(bearer: Principal, room: string, resume: Resume = {}): Promise<StreamRefused> {
    return StreamClient.refused(this.urlFor(bearer, room, resume));
  }

  /** The server's end of the next connection. */
  async nextConnection(): Promise<Socket> {
    const [socket] = (await once(this.app.getHttpServer(), 'connection')) as [Socket];
    return socket;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.app.close();
  }
}

interface Provided {
  readonly provide: InjectionToken;
  readonly useValue: unknown;
}

function globalModule(providers: Provided[]): DynamicModule {
  @Module({})
  class Provisions {}
  return { module: Provisions, global: true, providers, exports: providers.map(({ provide }) => provide) };
}
