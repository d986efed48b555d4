/** Quotes a name for SQL, whatever it holds. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a text as an SQL literal. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** What all of the conditions have to hold for; null: nothing. */
export function whereClause(conditions: readonly (string | null)[]): string {
  const holds = conditions.filter((condition) => condition !== null);
  return holds.length === 0 ? '' : ` WHERE ${holds.join(' AND ')}`;
}

/** A sum of any number of terms as SQL, in halves of halves: one after the other they would be nested deeper than the parser goes. */
export function balancedSum(terms: readonly string[]): string {
  if (terms.length <= 2) return terms.join(' + ');
  const middle = Math.ceil(terms.length / 2);
  return `(${balancedSum(terms.slice(0, middle))}) + (${balancedSum(terms.slice(middle))})`;
}
