import type { Stage } from './mongo-table.js';

/** Longest line. */
const WIDTH = 120;

/** A pipeline as a person writes it in the shell: JSON, with times as `{"$date": …}`. */
export function shownPipeline(stages: readonly Stage[]): string {
  const lines = stages.map((stage) => `  ${written(stage, '  ')}`);
  return lines.length === 0 ? 'db.data.aggregate([])' : `db.data.aggregate([\n${lines.join(',\n')}\n])`;
}

function written(value: unknown, indent: string): string {
  const line = inOneLine(value);
  if (indent.length + line.length <= WIDTH || !isNested(value)) return line;
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = entriesOf(value).map(([name, part]) => {
    return `${deeper}${name === null ? '' : `${JSON.stringify(name)}: `}${written(part, deeper)}`;
  });
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

function inOneLine(value: unknown): string {
  if (value instanceof Date) return `{ "$date": ${JSON.stringify(value.toISOString().replace('.000Z', 'Z'))} }`;
  if (!isNested(value)) return JSON.stringify(value);
  const parts = entriesOf(value).map(([name, part]) => {
    return `${name === null ? '' : `${JSON.stringify(name)}: `}${inOneLine(part)}`;
  });
  if (Array.isArray(value)) return `[${parts.join(', ')}]`;
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date);
}

function entriesOf(value: object): readonly (readonly [string | null, unknown])[] {
  if (Array.isArray(value)) return value.map((part: unknown) => [null, part] as const);
  return Object.entries(value).filter(([, part]) => part !== undefined);
}
