import type { PlainDocument, SchemaRules } from '../documents/schema-rules.js';
import { idKey, keyPart, uniqueKeyPart } from './document-keys.js';

/** An order in which documents can be walked: the documents themselves by id, or an index that the store keeps. */
export interface Walk {
  /** What its keys consist of after the prefix. */
  readonly fields: readonly string[];
  readonly prefix: Buffer;
}

export interface StoredIndex extends Walk {
  /** Names the index by what it does, so that a changed declaration is another index. */
  readonly signature: string;
  readonly unique: boolean;
  /** The fields that the declaration names, for messages and values. */
  readonly named: readonly string[];
}

export function entryKey(index: StoredIndex, document: PlainDocument): Buffer {
  const values = index.named.map((field) => document[field]);
  if (index.unique) return Buffer.concat([index.prefix, uniqueKeyPart(values)]);
  return Buffer.concat([index.prefix, keyPart(values).bytes, idKey(document.id)]);
}

/**
 * The declared indexes. Where documents belong to companies, each that does not begin with the company is kept a second time behind
 * it, and there is one of the company alone: so a company's question never walks over another's entries.
 */
export function indexesOf(name: string, rules: SchemaRules): readonly StoredIndex[] {
  const declared = rules.indexes.map((rule) => ({ ...rule, named: rule.fields.map(([field]) => field) }));
  const all = declared.map(({ named, unique }) => storedIndex(name, named, unique));
  if (rules.kinds.has('companyId')) {
    const behind = declared.filter(({ named }) => named[0] !== 'companyId').map(({ named }) => named);
    for (const named of [[], ...behind]) {
      const others = named.filter((field) => field !== 'companyId');
      all.push(storedIndex(name, ['companyId', ...others], false));
    }
  }
  return [...new Map(all.map((index) => [index.signature, index])).values()];
}

function storedIndex(name: string, fields: readonly string[], unique: boolean): StoredIndex {
  // An entry ends in its document's id anyway, unless it is unique.
  const named = !unique && fields.at(-1) === 'id' ? fields.slice(0, -1) : fields;
  const signature = `${named.join('+')}${unique ? '!unique' : ''}`;
  const prefix = Buffer.concat([idKey(name), idKey(signature)]);
  return { signature, named, fields: unique ? named : [...named, 'id'], unique, prefix };
}
