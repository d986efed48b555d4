import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/app-error.js';
import { sayingHowWide, settingsForWidth } from './importer.js';

describe('how wide tables are read', () => {
  it('is as usual up to 100 columns, however little memory there is', () => {
    expect(settingsForWidth(100, 64)).toEqual({ before: [], after: [] });
  });

  it.each([
    [101, 1024, 2],
    [800, 1024, 2],
    [2000, 1024, 1],
    [800, 512, 1],
    [2000, 4096, 2],
  ])('of %d columns in %d MB is with %d threads, and put back afterwards', (columns, memoryMb, threads) => {
    expect(settingsForWidth(columns, memoryMb)).toEqual({
      before: ['PRAGMA disable_optimizer', `SET threads = ${threads}`],
      after: ['PRAGMA enable_optimizer', 'SET threads = 2'],
    });
  });
});

describe('what is said when an import of many columns fails', () => {
  const noMemory = new Error('Out of Memory Error: failed to allocate data of size 16.0 KiB');

  it('names the columns when memory was what lacked', () => {
    const said = sayingHowWide(noMemory, 1500);
    expect(said).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('1500 columns') as string });
  });

  it('is the failure itself when the table is narrow, or something else went wrong', () => {
    const cancelled = new AppError('unavailable', 'the import was cancelled');
    expect(sayingHowWide(noMemory, 20)).toBe(noMemory);
    expect(sayingHowWide(cancelled, 1500)).toBe(cancelled);
  });
});
