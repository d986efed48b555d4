/** The fields that say something: those that are undefined or null are left out. */
export function said<T extends object>(fields: T): { readonly [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as { readonly [K in keyof T]?: NonNullable<T[K]> };
}
