/**
 * The names under which the columns are seen in the table `data`: the header's own, except that one which was there before, in upper or
 * lower case, gets a number, because SQL can't tell the two apart.
 */
export function visibleNames(names: readonly string[]): readonly string[] {
  const lower = names.map((name) => name.toLowerCase());
  const known = new Set(lower);
  const seen = new Set<string>();
  // Each name remembers its last number: two thousand equal ones are numbered one after the other.
  const numbers = new Map<string, number>();
  return names.map((name, index) => {
    const key = lower[index] ?? '';
    if (!seen.has(key)) {
      seen.add(key);
      return name;
    }
    let number = numbers.get(key) ?? 2;
    while (known.has(`${key}_${number}`)) number++;
    numbers.set(key, number + 1);
    known.add(`${key}_${number}`);
    return `${name}_${number}`;
  });
}

/** What the columns of a joined table are called beside those of the table: by their own names, or as `table.column` where it has that name, too. */
export function joinedNames(own: readonly string[], joined: readonly string[], table: string): readonly string[] {
  const taken = new Set(own.map((name) => name.toLowerCase()));
  const named = joined.map((name) => (taken.has(name.toLowerCase()) ? `${table}.${name}` : name));
  return visibleNames([...own, ...named]).slice(own.length);
}
