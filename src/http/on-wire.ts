type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S;

type Told<V> = V extends Date ? string : V extends readonly (infer E)[] ? Told<E>[] : V;

/** These fields of a thing as the wire has them: their names in snake case, times in ISO 8601, lists as copies. */
export function onWire<T extends object, N extends keyof T & string>(
  thing: T,
  ...names: readonly N[]
): { readonly [K in N as Snake<K>]: Told<T[K]> } {
  const fields = names.map((name) => [snake(name), told(thing[name])]);
  return Object.fromEntries(fields) as { readonly [K in N as Snake<K>]: Told<T[K]> };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function told(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? value.map(told) : value;
}
