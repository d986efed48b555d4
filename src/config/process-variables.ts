import { readFileSync, statSync } from 'node:fs';
import { EnvironmentError, variableNames } from './environment.js';

type Variables = Readonly<Record<string, string | undefined>>;

const SUFFIX = '_FILE';
const MAX_BYTES = 64 * 1024;

/**
 * The variables, with each `NAME_FILE` replaced by `NAME` as the file has it, without the line end that editors leave. So secrets reach
 * the service as files, which no list of processes and no inspection of a container shows.
 *
 * @throws EnvironmentError that names every variable which is set twice or whose file can't be read.
 */
export function withVariableFiles(variables: Variables): Variables {
  const problems: string[] = [];
  const fromFiles = variableNames().flatMap((name) => {
    const path = variables[name + SUFFIX] ?? '';
    if (path === '') return [];
    if ((variables[name] ?? '') !== '') {
      problems.push(`${name} and ${name}${SUFFIX} are both set: leave one of them out`);
      return [];
    }
    const text = textOf(path);
    if (text === null) problems.push(`${name}${SUFFIX} names no file of text that can be read, or one over 64 KiB`);
    return [[name, text ?? undefined] as const];
  });
  if (problems.length > 0) throw new EnvironmentError(problems);
  return { ...variables, ...Object.fromEntries(fromFiles) };
}

function textOf(path: string): string | null {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > MAX_BYTES) return null;
    return readFileSync(path, 'utf8').replace(/(\r?\n)+$/, '');
  } catch {
    return null;
  }
}

/** The process's variables, with those that lie in files: the one place that reads them. */
export function processVariables(): Readonly<Record<string, string | undefined>> {
  return withVariableFiles(process.env);
}
