import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { type Observable, tap } from 'rxjs';
import { isLook, type KeyRule, keyRuleOf, Refusals } from '../../http/access.js';
import { AppError } from '../../shared/app-error.js';
import { asId } from '../../shared/ids.js';
import { isRecord } from '../../shared/json.js';
import type { Principal } from '../../shared/principal.js';
import { UsersFacade } from '../users/users.facade.js';
import { AuditFacade } from './audit.facade.js';

/** Fields of requests that say what something was about. */
const TOLD = [
  ...['id', 'fileId', 'task_id', 'datasource_id', 'conversation_id', 'filename', 'message'],
  ...['name', 'title', 'email', 'role', 'is_active'],
];
const LONGEST = 300;
const LOGIN = 'POST login';
const COMPANY_SIGN_IN = 'POST sign-in/finish';
const PASSED_OVER = new Set(['POST refresh-token', 'POST invitation/look']);
/** Programs insert many times a minute. */
const INSERT = 'PATCH secure/datasource/insert';

/** Keeps what requests did that change something or ask a question; what only looks is not kept. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly audit: AuditFacade,
    private readonly users: UsersFacade,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const action = actionOf(request);
    const keys = keyRuleOf(this.reflector, [context.getHandler(), context.getClass()], request.method);
    if (!isKept(request.method, action, keys)) return next.handle();
    return next.handle().pipe(
      tap({
        next: (answer: unknown) => void this.keep(request, action, true, answer),
        error: (error: unknown) => {
          if (isRefusal(error)) void this.keep(request, action, false);
        },
      }),
    );
  }

  private async keep(request: FastifyRequest, action: string, succeeded: boolean, answer?: unknown): Promise<void> {
    const who = request.principal ?? signedInBy(action, answer) ?? (await this.signingIn(request, action));
    if (who === null) return;
    const { companyId, userId, email } = who;
    const rows = action === INSERT ? insertedBy(answer) : null;
    if (rows === 0) return;
    const counted = rows === null ? {} : { isCounted: true, rows };
    const event = { companyId, userId, email, action, succeeded, details: detailsOf(request), address: request.ip };
    this.audit.record(request.principal ?? null, { ...event, ...counted });
  }

  /** Whose account somebody tries to open. An address that nobody has is no company's business. */
  private async signingIn({ body }: FastifyRequest, action: string): Promise<Who | null> {
    if (action !== LOGIN || !isRecord(body) || typeof body['email'] !== 'string') return null;
    const user = await this.users.findByEmail(body['email']).catch(() => null);
    return user === null ? null : { companyId: user.companyId, userId: user.id, email: user.email };
  }
}

/** Whom their role or the scopes of their key do not let in. */
@Injectable()
export class AuditedRefusals extends Refusals {
  constructor(private readonly audit: AuditFacade) {
    super();
  }

  override tell(request: FastifyRequest, { companyId, userId, email }: Principal): void {
    const who = { companyId, userId, email, address: request.ip };
    this.audit.record(null, { ...who, action: actionOf(request), succeeded: false, details: {}, isCounted: true });
  }
}

type Who = Pick<NonNullable<FastifyRequest['principal']>, 'companyId' | 'userId' | 'email'>;

/** Who holds the session that an answer opened. */
function signedInBy(action: string, answer: unknown): Who | null {
  const user = action === COMPANY_SIGN_IN && isRecord(answer) ? answer['user'] : null;
  if (!isRecord(user)) return null;
  return {
    companyId: asId(String(user['company_id'])),
    userId: asId(String(user['id'])),
    email: String(user['email']),
  };
}

function insertedBy(answer: unknown): number {
  const rows = isRecord(answer) ? answer['inserted_rows'] : 0;
  return typeof rows === 'number' ? rows : 0;
}

/** The route as it was declared, without the version: `PATCH secure/user/:id`. */
function actionOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${(routeOptions.url ?? '').replace(/^\/api\/v\d+\//, '')}`;
}

/** What keys that read may do is looking; a GET that they may not do starts something. */
function isKept(method: string, action: string, keys: KeyRule): boolean {
  if (PASSED_OVER.has(action) || keys.includes('read')) return false;
  return !isLook(method) || keys.includes('write');
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
