import type { DocumentBlock } from '../../ports/document-reader.js';
import { Outline } from './outline.js';
import { WordListNumbers } from './word-list-numbers.js';
import { WordNotes } from './word-notes.js';
import { isFrame, rowText, wordTable } from './word-table.js';
import { headingLevelOf, nodesIn, nodesOfType, textProperty, type WordNode } from './word-tree.js';

/** Paragraphs, items of lists and rows of tables of a Word document, each under its heading. */
export function wordBlocks(document: unknown): Generator<DocumentBlock> {
  return new WordWalk(document).blocks();
}

class WordWalk {
  private readonly outline = new Outline();
  private readonly numbers = new WordListNumbers();
  private readonly notes: WordNotes;

  constructor(private readonly document: unknown) {
    this.notes = new WordNotes(document);
  }

  *blocks(): Generator<DocumentBlock> {
    yield* this.flow(nodesIn(this.document));
    yield* this.outline.leave();
  }

  private *flow(nodes: readonly WordNode[]): Generator<DocumentBlock> {
    for (const node of nodes) {
      if (node['type'] === 'paragraph') yield* this.paragraph(node);
      else if (node['type'] === 'table') yield* this.table(node);
      else yield* this.flow(nodesIn(node));
    }
  }

  private *paragraph(paragraph: WordNode): Generator<DocumentBlock> {
    const text = this.textOf(paragraph);
    const level = headingLevelOf(paragraph);
    if (level !== null) yield* this.outline.enter(level, text.replace(/\s+/g, ' '));
    else if (text.trim() !== '') yield this.outline.block(this.numbers.markOf(paragraph) + text);
    yield* this.notesBelow();
  }

  private *table(table: WordNode): Generator<DocumentBlock> {
    if (isFrame(table)) {
      for (const row of nodesOfType(table, 'tableRow')) yield* this.flow(nodesIn(row));
      return;
    }
    const { header, rows } = wordTable(table, (cell) => this.lineOf(cell));
    for (const row of rows) yield this.outline.block(rowText(row, header));
    yield* this.notesBelow();
  }

  private *notesBelow(): Generator<DocumentBlock> {
    for (const { mark, nodes } of this.notes.take()) {
      const text = nodes.map((node) => this.lineOf(node)).join(' ');
      yield this.outline.block(`${mark} ${text}`);
    }
  }

  /** All the text below a node as one line; what is a table there is said row by row. */
  private lineOf(node: WordNode): string {
    const parts = nodesIn(node).map((child) => {
      const inner = child['type'] === 'paragraph' ? this.textOf(child) : this.lineOf(child);
      return inner.replace(/\s+/g, ' ').trim();
    });
    const own = isInline(node) ? this.textOf(node) : '';
    return own || parts.filter((part) => part !== '').join(node['type'] === 'tableRow' ? ' | ' : ' ');
  }

  private textOf(node: WordNode): string {
    switch (node['type']) {
      case 'text':
        return textProperty(node, 'value');
      case 'tab':
        return '\t';
      case 'break':
        return '\n';
      case 'checkbox':
        return node['checked'] === true ? '[x] ' : '[ ] ';
      case 'noteReference':
        return this.notes.refer(node);
      default:
        return nodesIn(node)
          .map((child) => this.textOf(child))
          .join('');
    }
  }
}

function isInline(node: WordNode): boolean {
  return ['paragraph', 'run', 'hyperlink', 'text'].includes(textProperty(node, 'type'));
}
