/** Letters that fonts join into one shape: `ﬁ` is `fi` to whoever searches. */
const LIGATURES = /[\ufb00-\ufb06\ufb13-\ufb17]/g;
/** Controls other than line breaks and tabs, zero-width spaces, direction marks, soft hyphens, tags, noncharacters. */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;
const UNPAIRED = /\p{Surrogate}/gu;
const LINE_BREAKS = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/;
const SPACES = /[\t\p{Zs}]+/gu;

/** One line without what nobody sees, in normal form C, with single spaces. */
export function cleanText(text: string): string {
  return withoutInvisible(text).split(LINE_BREAKS).join(' ').replace(SPACES, ' ').trim();
}

/** As `cleanText`, but lines stay lines, and keep their indentation; the blank ones before and after are gone. */
export function cleanLines(text: string): string {
  const lines = withoutInvisible(text).split(LINE_BREAKS).map(cleanLine);
  const first = lines.findIndex((line) => line !== '');
  const last = lines.findLastIndex((line) => line !== '');
  return lines
    .slice(first, last + 1)
    .join('\n')
    .trimStart();
}

function cleanLine(line: string): string {
  const indent = /^[\t\p{Zs}]*/u.exec(line)?.[0] ?? '';
  const rest = line.slice(indent.length).replace(SPACES, ' ').trimEnd();
  return rest === '' ? '' : indent.replace(/\t/g, '  ').replace(SPACES, (run) => ' '.repeat(run.length)) + rest;
}

/** Unpaired halves of characters become U+FFFD: they are no text, and break whoever encodes them. */
function withoutInvisible(text: string): string {
  return text
    .replace(LIGATURES, (ligature) => ligature.normalize('NFKC'))
    .replace(INVISIBLE, '')
    .replace(UNPAIRED, '\ufffd')
    .normalize('NFC');
}
