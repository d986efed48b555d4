import { Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppConfig } from '../config/app-config.js';
import { SharedLimits } from '../ports/shared-limits.js';
import { AppError } from '../shared/app-error.js';
import { hasRole, hasScope, type Principal } from '../shared/principal.js';
import {
  accessRuleOf,
  invalidToken,
  KeyBearers,
  keyIn,
  type KeyRule,
  keyRuleOf,
  Refusals,
  scopeMissing,
  TOKEN_STRATEGY,
} from './access.js';
import { principalOf } from './parameters.js';
import { RateLimiter, rateHeaders } from './rate-limiter.js';

/** The one door to every route: who asks, what the route demands, and how often they have asked. */
@Injectable()
export class AccessGuard extends AuthGuard() {
  private readonly requests: RateLimiter;
  @Inject(Refusals) private readonly refusals!: Refusals;

  constructor(
    @Inject(TOKEN_STRATEGY) strategy: string,
    private readonly reflector: Reflector,
    config: AppConfig,
    limits: SharedLimits,
    private readonly keys: KeyBearers,
  ) {
    // Its name, never the strategy itself: Passport makes a copy for each request of those that it knows by name alone. One that is
    // handed over is shared by all requests, and the principal of one becomes that of another.
    super({ property: 'principal', defaultStrategy: strategy });
    const { requestsPerMinute } = config.limits;
    this.requests = new RateLimiter(limits, { name: 'requests', limit: requestsPerMinute, windowSeconds: 60 });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    // A route without a rule does not start; should one appear all the same, nobody may pass.
    const rule = accessRuleOf(this.reflector, [context.getHandler(), context.getClass()]) ?? 'system';
    if (rule === 'public') return true;

    await this.identify(context);
    const principal = principalOf(context);
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const keys = keyRuleOf(this.reflector, [context.getHandler(), context.getClass()], request.method);
    // A GET that keys which read may not call starts something; a HEAD never does.
    const isStart = keys.length > 0 && !keys.includes('read');
    if (request.method === 'HEAD' && isStart) throw new AppError('not_found', 'not found');
    await this.count(principal.userId, context.switchToHttp().getResponse<FastifyReply>());
    try {
      if (!hasRole(principal.role, rule)) throw new AppError('forbidden', 'forbidden');
      if (principal.key !== undefined) assertScope(principal, keys);
    } catch (error) {
      this.refusals.tell(request, principal);
      throw error;
    }
    return true;
  }

  /** What the strategy found: an error, or nobody when the token is none of ours. */
  override handleRequest<T>(error: Error | null, principal: T | false): T {
    if (error !== null) throw error;
    if (principal === false) throw invalidToken();
    return principal;
  }

  private async identify(context: ExecutionContext): Promise<void> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const key = keyIn(request.headers.authorization);
    if (key === null) await super.canActivate(context);
    else request.principal = await this.keys.bearerOf(key);
  }

  private async count(key: string, reply: FastifyReply): Promise<void> {
    const state = await this.requests.consume(key);
    if (state !== null) void reply.headers(rateHeaders(state));
  }
}

function assertScope(principal: Principal, scopes: KeyRule): void {
  if (scopes.length === 0) throw new AppError('forbidden', 'forbidden: an API key can not do this, sign in');
  if (!hasScope(principal, ...scopes)) throw scopeMissing(scopes);
}
