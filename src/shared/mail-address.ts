const LONGEST = 254;
/** One plain address: no name, no comment, no quotes, nothing that could end a line or begin a second address. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u;

/** Null when it can be written to, else what is wrong, to follow the name of the field. */
export function mailAddressProblem(text: string): string | null {
  return text.length <= LONGEST && ADDRESS.test(text) ? null : 'must be one plain address such as ada@example.com';
}
