const ESCAPED = /\\u[dD][89a-fA-F]/;
/** Under the flag `u` the two halves of a pair are one character, so that only a lone one is found. */
const LONE = /\p{Surrogate}/u;

/** Whether a parsed JSON text has, in any name or value, half of a surrogate pair: no store, hash or other encoder takes it. */
export function hasHalfCharacter(json: string, value: unknown): boolean {
  return ESCAPED.test(json) && isBroken(value);
}

function isBroken(value: unknown): boolean {
  if (typeof value === 'string') return LONE.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => LONE.test(name) || isBroken(inner));
}
