import { expect, it } from 'vitest';
import { AppError } from '../../shared/app-error.js';
import { sayingHowWide } from './importer.js';

it('nobody is told of many columns when the table is narrow, or something else than memory lacked', () => {
  const noMemory = new Error('Out of Memory Error: failed to allocate data of size 16.0 KiB');
  const cancelled = new AppError('unavailable', 'the import was cancelled');
  expect(sayingHowWide(noMemory, 20)).toBe(noMemory);
  expect(sayingHowWide(cancelled, 1500)).toBe(cancelled);
  expect(sayingHowWide(noMemory, 1500)).toMatchObject({ message: expect.stringContaining('1500 columns') as string });
});
