import type { MongoColumn } from './mongo-table.js';

const NOT_IN_NAMES = /[.\p{Cc}]/gu;

/** A column, and the name it has in the collection `data` of a written pipeline. */
export interface NamedColumn extends MongoColumn {
  readonly visible: string;
}

/**
 * The columns under the names by which a written pipeline knows them: the header's own, but that dots, dollars at the beginning and
 * control characters, which would mean something there, are `_`, an empty name is `column_3` by its place, and a name that is
 * taken has a number.
 */
export function namedColumns(columns: readonly MongoColumn[]): readonly NamedColumn[] {
  const names = columns.map(({ name }, place) => plainName(name, place));
  const taken = new Set<string>();
  return columns.map((column, index) => {
    const plain = names[index] ?? '';
    // A name that needed no change stays with the column that brought it.
    const isOwn = plain === column.name;
    let visible = plain;
    for (let number = 2; taken.has(visible) || (!isOwn && isHeadersOwn(visible, columns)); number++)
      visible = `${plain}_${number}`;
    taken.add(visible);
    return { ...column, visible };
  });
}

function isHeadersOwn(name: string, columns: readonly MongoColumn[]): boolean {
  return columns.some((column) => column.name === name);
}

function plainName(name: string, place: number): string {
  const plain = name.replace(NOT_IN_NAMES, '_').replace(/^\$+/, '_').slice(0, 200);
  if (plain === '') return `column_${place + 1}`;
  // A name of JavaScript's own, of which readers of the answer could make something else.
  return plain === '__proto__' ? '_proto_' : plain;
}
