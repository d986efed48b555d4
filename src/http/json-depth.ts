const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** By character: what it does to the depth. */
const STEPS = new Int8Array(128);
for (const opening of '[{') STEPS[opening.charCodeAt(0)] = 1;
for (const closing of ']}') STEPS[closing.charCodeAt(0)] = -1;

/**
 * Whether lists and objects stand in one another deeper than allowed. What walks through a body afterwards, as validation does, goes one call
 * deeper for each: a few bytes would exhaust its stack.
 */
export function isDeeperThan(json: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) at = endOfString(json, at);
    depth += STEPS[character] ?? 0;
    if (depth > most) return true;
  }
  return false;
}

/** Where the quote is that closes a string; the text's end when none does. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let slashes = 0;
    while (json.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return json.length;
}

const ESCAPED = /\\u[dD][89a-fA-F]/;

/** Whether a parsed JSON text has, in any name or value, half of a surrogate pair: no store, hash or other encoder takes it. */
export function hasHalfCharacter(json: string, value: unknown): boolean {
  return ESCAPED.test(json) && isBroken(value);
}

/** Whether it is JSON at all, whatever the names in it. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // That it can't be parsed is what was asked.
    return false;
  }
}

function isBroken(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => !name.isWellFormed() || isBroken(inner));
}
