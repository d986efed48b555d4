import { describe, expect, it } from 'vitest';
import { inert } from './markdown.js';

describe('words of unknown origin', () => {
  it.each([
    '![x](http://evil.example/a.png)',
    '[click](javascript:alert(1))',
    '<img src=x onerror=alert(1)>',
    'https://evil.example',
    'www.evil.example',
    '# heading',
    'a | b\n| --- |',
    '`code` **bold** _it_',
    '\u202Egpj.exe',
    '&lt;b&gt;',
  ])('are text alone: %j', (text) => {
    expect(inert(text)).not.toMatch(/(?<!\\)[[\]<>|*`!&]|:\/\/|www\.|\n|^#|\u202E/);
  });
});
