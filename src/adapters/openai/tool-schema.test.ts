import { expect, it } from 'vitest';
import { schemaWithout } from './chat-request.js';

it('leaves refused keywords out of a schema, at any depth, and properties of the same name in it', () => {
  const inside = { type: 'string', default: 'a' };
  const schema = { type: 'object', default: {}, properties: { default: inside, list: { items: [inside] } } };
  expect(schemaWithout(schema, new Set(['default']))).toEqual({
    type: 'object',
    properties: { default: { type: 'string' }, list: { items: [{ type: 'string' }] } },
  });
});
