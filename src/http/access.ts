import { SetMetadata } from '@nestjs/common';
import type { Role } from '../shared/principal.js';

/** Who may call a route: anybody, or whoever has a valid token and at least this role. */
export type AccessRule = 'public' | Role;

export const ACCESS_RULE = 'access-rule';

/** Every route, or its controller, declares its rule; the service does not start otherwise. */
export const Access = (rule: AccessRule): MethodDecorator & ClassDecorator => SetMetadata(ACCESS_RULE, rule);

/** The name that the strategy which finds out who asks has at Passport. */
export const TOKEN_STRATEGY = Symbol('token strategy');
