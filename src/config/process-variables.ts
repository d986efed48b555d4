/** The process's variables: the one place that reads them. */
export function processVariables(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
