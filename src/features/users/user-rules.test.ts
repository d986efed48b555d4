import { describe, expect, it } from 'vitest';
import { assertPassword, roleFrom } from './users.facade.js';

describe('a role', () => {
  it('is one of three', () => {
    expect(['user', 'manager', 'system'].map(roleFrom)).toEqual(['user', 'manager', 'system']);
  });

  it.each(['', 'root', 'Manager', '__proto__'])('is not %j', (text) => {
    expect(() => roleFrom(text)).toThrow('role must be one of user, manager, system');
  });
});

describe('a password', () => {
  it.each([8, 1000])('may have %i characters', (length) => {
    expect(() => {
      assertPassword('x'.repeat(length));
    }).not.toThrow();
  });

  it.each([0, 7, 1001])('may not have %i characters', (length) => {
    expect(() => {
      assertPassword('x'.repeat(length));
    }).toThrow('password must have 8 to 1000 characters');
  });
});
