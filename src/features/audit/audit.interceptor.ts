import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type Observable, tap } from 'rxjs';
import { KEY_SCOPE, keyRule, type KeyRule } from '../../http/api-keys.js';
import { AppError } from '../../shared/app-error.js';
import { isRecord } from '../../shared/json.js';
import { UsersFacade } from '../users/users.facade.js';
import { AuditService } from './audit.service.js';

/** Fields of requests that say what something was about. */
const TOLD = [
  ...['id', 'fileId', 'task_id', 'datasource_id', 'conversation_id', 'filename', 'message'],
  ...['name', 'title', 'email', 'role', 'is_active'],
];
const LONGEST = 300;
const LOGIN = 'POST login';
/** Programs insert many times a minute, and the rows themselves tell. */
const PASSED_OVER = new Set(['PATCH secure/datasource/insert', 'POST refresh-token', 'POST invitation/look']);

/** Keeps what requests did that change something or ask a question; what only looks is not kept. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly audit: AuditService,
    private readonly users: UsersFacade,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const action = actionOf(request);
    const declared = this.reflector.getAllAndOverride<KeyRule | undefined>(KEY_SCOPE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!isKept(request.method, action, keyRule(declared, request.method))) return next.handle();
    return next.handle().pipe(
      tap({
        next: () => void this.keep(request, action, true),
        error: (error: unknown) => {
          if (isRefusal(error)) void this.keep(request, action, false);
        },
      }),
    );
  }

  private async keep(request: FastifyRequest, action: string, succeeded: boolean): Promise<void> {
    const who = request.principal ?? (await this.signingIn(request, action));
    if (who === null) return;
    const { companyId, userId, email } = who;
    const event = { companyId, userId, email, action, succeeded, details: detailsOf(request), address: request.ip };
    this.audit.record(request.principal ?? null, event);
  }

  /** Whose account somebody tries to open. An address that nobody has is no company's business. */
  private async signingIn({ body }: FastifyRequest, action: string): Promise<Who | null> {
    if (action !== LOGIN || !isRecord(body) || typeof body['email'] !== 'string') return null;
    const user = await this.users.findByEmail(body['email']).catch(() => null);
    return user === null ? null : { companyId: user.companyId, userId: user.id, email: user.email };
  }
}

type Who = Pick<NonNullable<FastifyRequest['principal']>, 'companyId' | 'userId' | 'email'>;

/** The route as it was declared, without the version: `PATCH secure/user/:id`. */
function actionOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${(routeOptions.url ?? '').replace(/^\/api\/v\d+\//, '')}`;
}

/** What keys that read may do is looking; a GET that they may not do starts something. */
function isKept(method: string, action: string, keys: KeyRule): boolean {
  if (PASSED_OVER.has(action) || keys.includes('read')) return false;
  return method !== 'GET' || keys.includes('write');
}

/** What failed for a reason of the service's own says nothing of the person. */
function isRefusal(error: unknown): boolean {
  return error instanceof AppError && (error.kind === 'forbidden' || error.kind === 'unauthorized');
}

function detailsOf({ params, query, body }: FastifyRequest): Readonly<Record<string, string>> {
  const given = [query, params, body].filter(isRecord);
  const told = TOLD.flatMap((name) => {
    const value = given.map((one) => one[name]).find((one) => one !== undefined && one !== null);
    const isScalar = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
    return isScalar && value !== '' ? [[name, String(value).slice(0, LONGEST)] as const] : [];
  });
  return Object.fromEntries(told);
}
