import type { Principal } from '../shared/principal.js';

/** Knows the bearer of a request. The auth feature provides it. */
export abstract class Authenticator {
  /** @throws AppError `unauthorized` when the header is missing, or its token is not valid or its session has ended. */
  abstract authenticate(authorization: string | undefined): Promise<Principal>;
}
