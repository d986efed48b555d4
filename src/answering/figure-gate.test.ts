import { describe, expect, it } from 'vitest';
import { KnownFigures } from './figure-check.js';
import { FigureGate } from './checked-text.js';

function gateFor(...figures: readonly number[]): FigureGate {
  const known = new KnownFigures();
  known.add(...figures);
  return new FigureGate(known);
}

describe('a gate for figures', () => {
  it('lets sentences pass when they are whole and their figures known', () => {
    const gate = gateFor(5_000_000, 12.5);
    expect(gate.push('The total is 5')).toBe('');
    expect(gate.push(' million. Of')).toBe('The total is 5 million. ');
    expect(gate.push(' which 12.5 per day.')).toBe('');
    expect(gate.push('\n')).toBe('Of which 12.5 per day.\n');
    expect(gate.kept).toBe('');
  });

  it('lets a sentence without an end and without figures pass word by word', () => {
    const gate = gateFor();
    expect(gate.push('and so on '.repeat(40))).toBe('and so on '.repeat(40));
    expect(gate.push('and on 5 ')).toBe('');
  });

  it('keeps everything from the first paragraph on whose figures nobody knows', () => {
    const gate = gateFor(12);
    expect(gate.push('It is 12. It was 99 before.\n\nAll is well.\n\n')).toBe('');
    expect(gate.push('More words.')).toBe('');
    expect(gate.unknown).toEqual(['99']);
    expect(gate.end()).toBe('');
    expect(gate.open()).toBe('It is 12. It was 99 before.\n\nAll is well.\n\nMore words.');
  });

  it('lets a figure pass that later words explain', () => {
    const gate = gateFor(200, 150);
    expect(gate.push('A drop of 25 %: it fell from 200 ')).toBe('');
    expect(gate.push('to 150. ')).toBe('A drop of 25 %: it fell from 200 to 150. ');
  });

  it('opens when more is known', () => {
    const known = new KnownFigures();
    const gate = new FigureGate(known);
    expect(gate.push('There are 4711 of them.\n\nAnd ')).toBe('');
    known.add(4711);
    expect(gate.reopen()).toBe('There are 4711 of them.\n\n');
    expect(gate.end()).toBe('And ');
  });

  it('loses and changes nothing, wherever the text is cut', () => {
    const text =
      'Of 1,234.5 in all, 45.7 % came late.\n\n| a | 12 |\n| b | 99 |\n\n- 3 of them: 7.5 million — **200**.\n\nEnd';
    for (let size = 1; size < 30; size += 1) {
      const gate = gateFor(1234.5, 45.7, 12, 99, 3, 7_500_000, 200);
      let out = '';
      for (let at = 0; at < text.length; at += size) out += gate.push(text.slice(at, at + size));
      expect(out + gate.end()).toBe(text);
    }
  });

  it('never lets an unknown figure out, wherever the text is cut', () => {
    const text = 'Known are 12 and 13 things and also 45678 or 9.87 million of those, I think.\n\nEnd';
    for (let size = 1; size < 40; size += 1) {
      const gate = gateFor(12, 13);
      let out = '';
      for (let at = 0; at < text.length; at += size) out += gate.push(text.slice(at, at + size));
      expect(out + gate.end()).not.toMatch(/[4-9]/);
    }
  });

  it('takes time in proportion to what it is given', () => {
    const begun = performance.now();
    for (const part of ['1', '1 ', '9,', 'a1 b2 ', '| 5 ', '12 345\n', ' ']) {
      const gate = gateFor(1);
      for (let piece = 0; piece < 40; piece += 1) gate.push(part.repeat(500 / part.length));
      gate.end();
    }
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
