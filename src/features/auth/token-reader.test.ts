import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { JwtService } from '@nestjs/jwt';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bearerToken } from '../../http/access.js';
import { ALGORITHM, AUDIENCE, ISSUER, Tokens } from './token-claims.js';

const SECRET = randomBytes(48);
const KEY = createSecretKey(SECRET);
const jwt = new JwtService({ secret: KEY });
const CLOCK = { now: () => new Date() };
const reader = new Tokens(jwt, CLOCK);

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
const WHOLE = { ...PAYLOAD, iss: ISSUER, aud: AUDIENCE };
const TOKEN = jwt.sign(PAYLOAD, OURS);
const REFUSED = { kind: 'unauthorized', message: 'unauthorized - invalid token' };

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function without(name: keyof typeof PAYLOAD): object {
  return Object.fromEntries(Object.entries(PAYLOAD).filter(([key]) => key !== name));
}

/** A token signed with our secret whose header says what it likes. */
function handmade(header: object, payload: object): string {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

describe('reading a token', () => {
  it('gives what it says of its bearer, and when it ends', () => {
    const { sub: userId, sid: sessionId, company_id: companyId, role, email, jti, exp } = PAYLOAD;
    const principal = { userId, sessionId, companyId, role, email, firstName: 'Ada', lastName: '' };
    expect(reader.read(TOKEN)).toEqual({ principal, jti, expiresAt: new Date(exp * 1000) });
  });

  it.each([
    ['of another issuer', jwt.sign(PAYLOAD, { ...OURS, issuer: 'somebody-else' })],
    ['for another audience', jwt.sign(PAYLOAD, { ...OURS, audience: 'somebody-else' })],
    ['without issuer and audience', jwt.sign(PAYLOAD, { algorithm: ALGORITHM })],
    ['signed with another secret', new JwtService({ secret: createSecretKey(randomBytes(48)) }).sign(PAYLOAD, OURS)],
    ['of another algorithm', jwt.sign(PAYLOAD, { ...OURS, algorithm: 'HS512' })],
    ['without a signature', `${part({ alg: 'none', typ: 'JWT' })}.${part(WHOLE)}.`],
    ['that calls its algorithm none', handmade({ alg: 'none' }, WHOLE)],
    ['that calls its algorithm RS256', handmade({ alg: 'RS256' }, WHOLE)],
    ['that is not valid yet', jwt.sign({ ...PAYLOAD, nbf: 9_999_999_999 }, OURS)],
    ['without a session', jwt.sign(without('sid'), OURS)],
    ['with a role that there is not', jwt.sign({ ...PAYLOAD, role: 'root' }, OURS)],
    ['with a company that is no id', jwt.sign({ ...PAYLOAD, company_id: { $ne: null } }, OURS)],
    ['without an end', jwt.sign(without('exp'), OURS)],
    ['that is empty', ''],
    ['that is no token', 'abc.def.ghi'],
  ])('refuses one %s', (_, token) => {
    expect(() => reader.read(token)).toThrow(expect.objectContaining(REFUSED));
  });

  it('refuses one in which any character was altered', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: TOKEN.length - 1 }),
        fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_', '.'),
        (at, letter) => {
          const altered = TOKEN.slice(0, at) + letter + TOKEN.slice(at + 1);
          // The last character carries bits that mean nothing: the same signature may be written in several ways.
          fc.pre(altered !== TOKEN && at < TOKEN.length - 1);
          expect(() => reader.read(altered)).toThrow(expect.objectContaining(REFUSED));
        },
      ),
      { numRuns: 300 },
    );
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
