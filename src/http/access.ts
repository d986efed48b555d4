import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiForbiddenResponse } from '@nestjs/swagger';
import type { Role } from '../shared/principal.js';

/** Who may call a route: anybody, or whoever has a valid token and at least this role. */
export type AccessRule = 'public' | Role;

export const ACCESS_RULE = 'access-rule';

/** Every route, or its controller, declares its rule; the service does not start otherwise. The API document says it too. */
export function Access(rule: AccessRule): MethodDecorator & ClassDecorator {
  if (rule === 'public') return SetMetadata(ACCESS_RULE, rule);
  const forbidden = ApiForbiddenResponse({ description: `The caller's role is below \`${rule}\`.` });
  return applyDecorators(SetMetadata(ACCESS_RULE, rule), ApiBearerAuth(), ...(rule === 'user' ? [] : [forbidden]));
}

/** The name that the strategy which finds out who asks has at Passport. */
export const TOKEN_STRATEGY = Symbol('token strategy');
