import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppConfig } from '../config/app-config.js';
import { SharedLimits } from '../ports/shared-limits.js';
import { AppError } from '../shared/app-error.js';
import { hasRole } from '../shared/principal.js';
import { ACCESS_RULE, type AccessRule } from './access.js';
import { Authenticator } from './authenticator.js';
import './current-user.js';
import { RateLimiter, rateHeaders } from './rate-limiter.js';

/** The one door to every route: who asks, what the route demands, and how often they have asked. */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly requests: RateLimiter;

  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    config: AppConfig,
    limits: SharedLimits,
  ) {
    const { requestsPerMinute } = config.limits;
    this.requests = new RateLimiter(limits, { name: 'requests', limit: requestsPerMinute, windowSeconds: 60 });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const rule = this.ruleOf(context);
    if (rule === 'public') return true;

    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const principal = await this.authenticator.authenticate(request.headers.authorization);
    request.principal = principal;
    await this.count(principal.userId, context.switchToHttp().getResponse<FastifyReply>());
    if (!hasRole(principal.role, rule)) throw new AppError('forbidden', 'forbidden');
    return true;
  }

  /** A route without a rule does not start; should one appear all the same, nobody may pass. */
  private ruleOf(context: ExecutionContext): AccessRule {
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
      context.getHandler(),
      context.getClass(),
    ]);
    return rule ?? 'system';
  }

  private async count(key: string, reply: FastifyReply): Promise<void> {
    const state = await this.requests.consume(key);
    if (state !== null) void reply.headers(rateHeaders(state));
  }
}
