import { describe, expect, it } from 'vitest';
import { cleanFileName } from './context-file.service.js';

describe('the name of a context file', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['a/b\\c/report.pdf', 'report.pdf'],
    ['  report.pdf ', 'report.pdf'],
    ['re\u0000po\nrt.pdf', 'report.pdf'],
    ['re\u202Eport\u200B.pdf', 'report.pdf'],
    ['re\uD800port.pdf', 'report.pdf'],
    ['Cafe\u0301.txt', 'Café.txt'],
    ['👩\u200D🔧.txt', '👩\u200D🔧.txt'],
    ['', 'unnamed'],
    ['..', 'unnamed'],
    ['\u202E', 'unnamed'],
    ['.env', '.env'],
  ])('%j is kept as %j', (given, kept) => {
    expect(cleanFileName(given)).toBe(kept);
  });

  it('has at most 255 characters, its ending kept and no character halved', () => {
    const name = cleanFileName(`${'👍'.repeat(200)}.docx`);
    expect(name.length).toBeLessThanOrEqual(255);
    expect(name.endsWith('👍.docx')).toBe(true);
    expect(cleanFileName('n'.repeat(400))).toHaveLength(255);
  });
});
