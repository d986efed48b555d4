import { Schema } from 'mongoose';
import { describe, expect, it } from 'vitest';
import { SchemaRules } from './schema-rules.js';

function rulesOf(fields: Record<string, unknown>): SchemaRules {
  return new SchemaRules({ name: 'things', schema: new Schema(fields as never) });
}

describe('SchemaRules', () => {
  it('completes what was stored before its schema had all fields, and leaves the rest as it is', () => {
    const rules = rulesOf({
      name: String,
      size: Number,
      deletedAt: { type: Date, default: null },
      tags: { type: [String], default: ['new'] },
      limits: { type: Schema.Types.Mixed, default: { a: 1 } },
    });
    const old = { id: 'x', name: 'old' };
    expect(rules.whole(old)).toEqual({ id: 'x', name: 'old', deletedAt: null, tags: ['new'], limits: { a: 1 } });
    expect(rules.whole(old)['tags']).not.toBe(rules.whole(old)['tags']);
    const given = { id: 'x', deletedAt: new Date(5), tags: [], limits: {} };
    expect(rules.whole(given)).toBe(given);
  });

  it('names the field and the rule that a document breaks, and never the value', async () => {
    const rules = rulesOf({ name: { type: String, required: true }, state: { type: String, enum: ['a'] } });
    const refusal = rules.document({ id: 'x', state: 'secret' });
    await expect(refusal).rejects.toMatchObject({
      kind: 'invalid_input',
      details: expect.arrayContaining([
        { field: 'name', problem: 'name is required' },
        { field: 'state', problem: 'state is not one of the allowed values' },
      ]) as unknown,
    });
    await expect(refusal).rejects.not.toThrow(/secret/);
  });

  it.each([
    ['a field by its path', { 'nested.a': 1 }],
    ['an unknown nested field', { nested: { b: 1 } }],
    ['an operator as a field', { $set: { name: 'x' } }],
    ['an instance of a class', { free: new URL('http://x.example') }],
    ['a function', { free: () => 1 }],
    ['a date that is none', { free: { at: new Date(Number.NaN) } }],
    ['a key with a NUL', { free: { 'a\0b': 1 } }],
    ['a key that sets the prototype', { free: JSON.parse('{"__proto__":{"admin":true}}') as unknown }],
    ['what is nested without end', { free: Array.from({ length: 20_000 }).reduce((deep) => [deep], 1) }],
    ['an id that is empty', { id: '' }],
    ['an id that is too long', { id: 'x'.repeat(201) }],
    ['an id that is missing', { id: undefined }],
    ['an id that is no text', { id: 5 }],
  ])('refuses %s', async (_what, fields) => {
    const rules = rulesOf({ name: String, nested: { a: Number }, free: Schema.Types.Mixed });
    await expect(rules.document({ id: 'x', ...fields })).rejects.toMatchObject({ kind: 'invalid_input' });
  });

  it('checks only what a change sets, and that whole', async () => {
    const rules = rulesOf({
      name: { type: String, required: true },
      nested: { a: Number, b: { type: String, required: true } },
    });
    expect(await rules.change({ set: { nested: { a: '1', b: 'x' } } as never })).toEqual({
      set: { nested: { a: 1, b: 'x' } },
      increment: {},
    });
    await expect(rules.change({ set: { nested: { a: 1 } } as never })).rejects.toMatchObject({ kind: 'invalid_input' });
  });

  it('refuses a schema that not every store can keep', () => {
    expect(() => rulesOf({ owner: Schema.Types.ObjectId })).toThrow(/owner/);
    expect(() => rulesOf({ limits: { type: Map, of: Number } })).toThrow(/limits/);
    expect(() => rulesOf({ tags: { type: [String], index: true } })).toThrow(/tags/);
    expect(() => rulesOf({ name: { type: String, unique: true, sparse: true } })).toThrow(/sparse/);
    const partial = new Schema({ name: String });
    partial.index({ name: 1 }, { unique: true, partialFilterExpression: { name: { $exists: true } } });
    expect(() => new SchemaRules({ name: 'things', schema: partial })).toThrow(/partialFilterExpression/);
  });
});
