import { isRecord } from '../../shared/json.js';

/** A node of a Word document as the library gives it. */
export type WordNode = Readonly<Record<string, unknown>>;

export function nodesIn(node: unknown): readonly WordNode[] {
  const children = isRecord(node) ? node['children'] : null;
  return Array.isArray(children) ? children.filter(isRecord) : [];
}

/** The nodes of one type among those directly below. */
export function nodesOfType(node: WordNode, type: string): readonly WordNode[] {
  return nodesIn(node).filter((child) => child['type'] === type);
}

export function textProperty(node: WordNode, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

/** How many columns or rows a cell spans, within reason. */
export function spanOf(cell: WordNode, name: 'colSpan' | 'rowSpan', most: number): number {
  const span = Number(cell[name]);
  return Number.isSafeInteger(span) && span > 1 ? Math.min(span, most) : 1;
}

/** 0 for the title of the document, 1 to 9 for its headings, null for everything else. */
export function headingLevelOf(paragraph: WordNode): number | null {
  const name = textProperty(paragraph, 'styleName') || textProperty(paragraph, 'styleId');
  if (/^title$/i.test(name)) return 0;
  const [, level] = /^heading ?([1-9])$/i.exec(name) ?? [];
  return level === undefined ? null : Number(level);
}

/** Whether all of its words are bold. */
export function isBold(node: WordNode): boolean {
  if (node['type'] === 'run') return node['isBold'] === true || !hasWords(node);
  return nodesIn(node).every(isBold);
}

function hasWords(node: WordNode): boolean {
  return node['type'] === 'text' ? textProperty(node, 'value').trim() !== '' : nodesIn(node).some(hasWords);
}
