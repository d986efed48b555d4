import { isRecord } from '../../shared/json.js';
import { nodesIn, type WordNode } from './word-tree.js';

interface NoteShelf {
  resolve(reference: WordNode): unknown;
}

/** Footnotes and endnotes: numbered as they are met, and said after the paragraph that refers to them. */
export class WordNotes {
  private readonly numbers = new Map<string, number>();
  private waiting: readonly { readonly mark: string; readonly body: WordNode }[] = [];
  private readonly shelf: NoteShelf | null;

  constructor(document: unknown) {
    const notes = isRecord(document) ? document['notes'] : null;
    this.shelf = isShelf(notes) ? notes : null;
  }

  /** @returns what stands in the text instead of the reference */
  refer(reference: WordNode): string {
    const key = `${String(reference['noteType'])} ${String(reference['noteId'])}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return `[${known}]`;
    const note = this.shelf?.resolve(reference);
    if (!isRecord(note)) return '';
    this.numbers.set(key, this.numbers.size + 1);
    const mark = `[${this.numbers.size}]`;
    this.waiting = [...this.waiting, { mark, body: { children: note['body'] } }];
    return mark;
  }

  /** The notes that were referred to since the last time. */
  *take(): Generator<{ readonly mark: string; readonly nodes: readonly WordNode[] }> {
    const { waiting } = this;
    this.waiting = [];
    for (const { mark, body } of waiting) yield { mark, nodes: nodesIn(body) };
  }
}

function isShelf(notes: unknown): notes is NoteShelf {
  return typeof notes === 'object' && notes !== null && 'resolve' in notes && typeof notes.resolve === 'function';
}
