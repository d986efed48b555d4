import { describe, expect, it } from 'vitest';
import { DOERS, formsOfVerb, VERB_HINTS } from './verbs.js';

describe('verbs', () => {
  it.each([
    ['teach', ['teach', 'teaches', 'taught', 'teaching']],
    ['supply', ['supply', 'supplies', 'supplied', 'supplying']],
    ['drive', ['drive', 'drives', 'drove', 'driven', 'driving']],
    ['direct', ['direct', 'directs', 'directed', 'directing']],
  ])('has the forms of %s', (verb, forms) => {
    expect(formsOfVerb(verb)).toEqual(forms);
  });

  it('knows who does what, in any form', () => {
    expect(DOERS.get('taught')).toContain('lecturer');
    expect(DOERS.get('written')).toContain('author');
  });

  it('knows no word that is none', () => {
    expect(VERB_HINTS.has('')).toBe(false);
    expect(DOERS.has('')).toBe(false);
  });

  it('takes what was paid for no fee', () => {
    expect(VERB_HINTS.has('pays')).toBe(true);
    expect(VERB_HINTS.has('paid')).toBe(false);
  });
});
