import { withVariableFiles } from './variable-files.js';

/** The process's variables, with those that lie in files: the one place that reads them. */
export function processVariables(): Readonly<Record<string, string | undefined>> {
  return withVariableFiles(process.env);
}
