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
