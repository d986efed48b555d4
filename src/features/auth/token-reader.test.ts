import { createSecretKey, randomBytes } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import { describe, expect, it } from 'vitest';
import { ALGORITHM, AUDIENCE, ISSUER } from './signing-key.module.js';
import { bearerToken } from '../../http/access.js';
import { Tokens } from './token-claims.js';

const jwt = new JwtService({ secret: createSecretKey(randomBytes(48)) });
const reader = new Tokens(jwt, { now: () => new Date() });

const PAYLOAD = {
  sub: 'a'.repeat(24),
  sid: 'b'.repeat(24),
  jti: 'c'.repeat(24),
  company_id: 'd'.repeat(24),
  email: 'ada@acme.example',
  first_name: 'Ada',
  last_name: '',
  role: 'manager',
  iat: 1_770_000_000,
  exp: 1_770_000_900,
};
const OURS = { algorithm: ALGORITHM, issuer: ISSUER, audience: AUDIENCE } as const;
const REFUSED = { kind: 'unauthorized', message: 'unauthorized - invalid token' };

function without(name: keyof typeof PAYLOAD): object {
  return Object.fromEntries(Object.entries(PAYLOAD).filter(([key]) => key !== name));
}

describe('reading a token', () => {
  it('gives what it says of its bearer, and when it ends', () => {
    const { sub: userId, sid: sessionId, company_id: companyId, role, email, jti, exp } = PAYLOAD;
    const principal = { userId, sessionId, companyId, role, email, firstName: 'Ada', lastName: '' };
    expect(reader.read(jwt.sign(PAYLOAD, OURS))).toEqual({ principal, jti, expiresAt: new Date(exp * 1000) });
  });

  it.each([
    ['of another issuer', jwt.sign(PAYLOAD, { ...OURS, issuer: 'somebody-else' })],
    ['for another audience', jwt.sign(PAYLOAD, { ...OURS, audience: 'somebody-else' })],
    ['without issuer and audience', jwt.sign(PAYLOAD, { algorithm: ALGORITHM })],
    ['signed with another secret', new JwtService({ secret: createSecretKey(randomBytes(48)) }).sign(PAYLOAD, OURS)],
    ['of another algorithm', jwt.sign(PAYLOAD, { ...OURS, algorithm: 'HS512' })],
    ['without a session', jwt.sign(without('sid'), OURS)],
    ['with a role that there is not', jwt.sign({ ...PAYLOAD, role: 'root' }, OURS)],
    ['with a company that is no id', jwt.sign({ ...PAYLOAD, company_id: { $ne: null } }, OURS)],
    ['without an end', jwt.sign(without('exp'), OURS)],
    ['that is no token', 'abc.def.ghi'],
  ])('refuses one %s', (_, token) => {
    expect(() => reader.read(token)).toThrow(expect.objectContaining(REFUSED));
  });
});

describe('an authorization header', () => {
  it.each(['Bearer abc.def', 'bearer abc.def', 'BEARER   abc.def '])('holds the token in %j', (header) => {
    expect(bearerToken(header)).toBe('abc.def');
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'abc.def', 'Bearer a b', 'xBearer abc'])(
    'holds none in %j',
    (header) => {
      expect(bearerToken(header)).toBeNull();
    },
  );
});
