import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Question } from './question.js';

const OWN = new URL('./questions/', import.meta.url);
/** Packed, so that nobody reads it by accident. */
const HELD_OUT = ['./held-out.json.gz', './held-out-2.json.gz', './held-out-3.json.gz', './held-out-4.json.gz'].map(
  (name) => new URL(name, import.meta.url),
);

/** The questions for development, which modules in a folder export. */
export async function developmentQuestions(): Promise<readonly Question[]> {
  const files = (await readdir(OWN)).filter((name) => name.endsWith('.ts')).sort();
  const modules = await Promise.all(
    files.map((name) => import(new URL(name, OWN).href) as Promise<{ readonly questions: readonly Question[] }>),
  );
  return distinct(modules.flatMap((module) => module.questions));
}

/** Those that whoever works on the analyst does not read; with an author, from 1, theirs alone. */
export async function heldOutQuestions(author?: string): Promise<readonly Question[]> {
  const wanted = HELD_OUT.filter((_, index) => author === undefined || String(index + 1) === author);
  return distinct((await Promise.all(wanted.map(unpacked))).flat());
}

async function unpacked(file: URL): Promise<readonly Question[]> {
  const text = (await promisify(gunzip)(await readFile(file))).toString();
  return JSON.parse(text) as readonly Question[];
}

function distinct(questions: readonly Question[]): readonly Question[] {
  const seen = new Set<string>();
  for (const { id } of questions) {
    if (seen.has(id)) throw new Error(`two questions are called ${id}`);
    seen.add(id);
  }
  return questions;
}
