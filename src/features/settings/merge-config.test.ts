import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../shared/json.js';
import { merged, replaced } from './settings.facade.js';

const names = fc.constantFrom('a', 'b', 'c', 'list', 'constructor', '$d', 'e.f');
const anObject = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.integer(),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
})).object;

describe('settings that are merged', () => {
  it('are a merge of objects, where null removes and all else replaces', () => {
    const stored = { a: { b: 1, c: 2 }, list: [1, 2], keep: 'x', text: 'y' };
    expect(merged(stored, { a: { b: null, d: { e: 3 } }, list: [3], text: { deep: null } })).toEqual({
      a: { c: 2, d: { e: 3 } },
      list: [3],
      keep: 'x',
      text: {},
    });
  });

  it('change nothing when nothing is sent, nothing twice, and never what was stored', () => {
    fc.assert(
      fc.property(anObject, anObject, (stored, patch) => {
        const before = structuredClone(stored);
        const once = merged(stored, patch);
        expect(merged(once, patch)).toEqual(once);
        expect(stored).toEqual(before);
        expect(merged(stored, {})).toEqual(stored);
        expect(merged({}, patch)).toEqual(patch);
        expect(replaced(stored, patch)).toEqual(patch);
      }),
    );
  });
});

describe('*** in settings', () => {
  const models = ['a', 'b'].map((name) => ({ name, token: `S-${name}` }));
  const stored = { api_key: 'S1', models, plain: 'x' };

  it('keeps the stored secret, merged or replaced, and is a text like any other where the name is no secret', () => {
    const sent = { api_key: '***', models: [{ name: 'a', token: '***' }] };
    expect(merged(stored, sent)).toEqual({ ...stored, models: [stored.models[0]] });
    expect(replaced(stored, sent)).toEqual({ api_key: 'S1', models: [stored.models[0]] });
    expect(merged(stored, { plain: '***' })).toMatchObject({ plain: '***' });
  });

  it('never takes the secret of another entry of a list', () => {
    for (const one of [{ name: 'c', token: '***' }, { token: '***' }, { name: 'a', token: '***', x: 1 }])
      expect(() => merged(stored, { models: [one] })).toThrow('config.models[0].token is ***');
    const other = { name: 'c', token: 'S4' };
    const sent = { models: [{ name: 'b', token: '***' }, other] };
    expect(merged(stored, sent)).toMatchObject({ models: [models[1], other] });
  });

  it('is refused where nothing is stored, also under a name that JavaScript knows', () => {
    expect(() => merged({}, { deep: { secret: '***' } })).toThrow('config.deep.secret is ***');
    expect(() => merged({}, { constructor: { secret: '***' } })).toThrow('config.constructor.secret is ***');
  });
});
