import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dirtyFiles } from './dirty-files.js';
import { readAsDescribed, type ReadTable } from './dirty-files.reader.js';

const FILES = dirtyFiles();
const USABLE = FILES.filter(({ expected }) => expected.columns.length > 0);
const UNUSABLE = FILES.filter(({ expected }) => expected.columns.length === 0);

describe('the description of a dirty file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dirty-files-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function read(content: Buffer): Promise<ReadTable> {
    const path = join(folder, 'file.csv');
    await writeFile(path, content);
    return readAsDescribed(path);
  }

  it('is tried on hundreds of files, each with a name of its own', () => {
    expect(FILES.length).toBeGreaterThan(450);
    expect(new Set(FILES.map(({ name }) => name)).size).toBe(FILES.length);
  });

  it.each(USABLE.map((file) => [file.name, file] as const))('%s', async (_, { content, expected }) => {
    const { description, rows, rejectedLines } = await read(content);
    expect(description).toMatchObject({ columns: expected.columns, dialect: expected.dialect });
    expect(rejectedLines).toEqual(expected.rejectedLines);
    expect(rows).toEqual(expected.rows);
    expect(description.sample).toEqual(expected.rows[0] ?? []);
  });

  it.each(UNUSABLE.map((file) => [file.name, file] as const))('%s: is refused', async (_, { content }) => {
    await expect(read(content)).rejects.toMatchObject({ kind: 'invalid_input' });
  });
});
