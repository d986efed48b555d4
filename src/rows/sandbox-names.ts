/** Quotes a name for SQL, whatever it holds. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a text as an SQL literal. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
