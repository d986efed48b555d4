import type { Layout } from '../import/record-scanner.js';

/** The fields of a sound record, read as plainly as can be. */
export function fieldsOf(record: string, dialect: Layout): readonly string[] {
  const fields: string[] = [];
  for (let at = 0; at <= record.length;) {
    const { field, end } = fieldAt(record, at, dialect);
    fields.push(field);
    at = end + dialect.delimiter.length;
    if (end === record.length) break;
  }
  return fields;
}

function fieldAt(record: string, from: number, dialect: Layout): { readonly field: string; readonly end: number } {
  const { delimiter, quote, trims } = dialect;
  const isBlank = (at: number): boolean =>
    (record[at] === ' ' || (trims && record[at] === '\t')) && !record.startsWith(delimiter, at);
  let start = from;
  while (isBlank(start) && (trims || start === from)) start++;
  if (quote !== '' && record.startsWith(quote, start)) {
    const { field, end } = quotedAt(record, start + quote.length, dialect);
    return { field, end: endOf(record, end, delimiter) };
  }
  const end = endOf(record, from, delimiter);
  const text = record.slice(from, end);
  return { field: trims ? text.replace(/^[ \t]+|[ \t]+$/g, '') : text, end };
}

function quotedAt(record: string, from: number, { quote, escape }: Layout): ReturnType<typeof fieldAt> {
  let field = '';
  const signs = [escape, quote];
  for (let at = from; at < record.length;) {
    const sign = signs.find((one) => record.startsWith(one, at));
    const meant = [quote, sign].find((one) => one !== undefined && record.startsWith(one, at + (sign?.length ?? 0)));
    if (sign !== undefined && meant !== undefined) {
      field += meant;
      at += sign.length + meant.length;
    } else if (sign === quote) return { field, end: at + quote.length };
    else field += record.charAt(at++);
  }
  throw new Error('the record is not sound');
}

function endOf(record: string, from: number, delimiter: string): number {
  const at = record.indexOf(delimiter, from);
  return at === -1 ? record.length : at;
}
