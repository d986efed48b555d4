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
  it('has 8 to 1000 characters', () => {
    for (const length of [8, 1000]) assertPassword('x'.repeat(length));
    for (const length of [0, 7, 1001])
      expect(() => {
        assertPassword('x'.repeat(length));
      }).toThrow('password must have 8 to 1000 characters');
  });
});
