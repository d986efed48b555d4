/**
 * The names under which the columns are seen in the table `data`: the header's own, except that a name which differs from an
 * earlier one in upper and lower case alone gets a number, because SQL can't tell the two apart.
 */
export function visibleNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  const reserved = new Set(names.map((name) => name.toLowerCase()));
  return names.map((name) => {
    let visible = name;
    for (let number = 2; taken.has(visible.toLowerCase()); number++) {
      const candidate = `${name}_${number}`;
      if (!reserved.has(candidate.toLowerCase())) visible = candidate;
    }
    taken.add(visible.toLowerCase());
    return visible;
  });
}

/** What the columns of a joined table are called beside those of the table: by their own names, or as `table.column` where it has that name, too. */
export function joinedNames(own: readonly string[], joined: readonly string[], table: string): readonly string[] {
  const taken = new Set(own.map((name) => name.toLowerCase()));
  const named = joined.map((name) => (taken.has(name.toLowerCase()) ? `${table}.${name}` : name));
  return visibleNames([...own, ...named]).slice(own.length);
}
