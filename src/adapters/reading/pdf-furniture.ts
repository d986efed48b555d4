import type { PdfLine } from './pdf-lines.js';

/** Lines at each end of a page that can be a running header or footer. */
const EDGE_LINES = 2;
const FEWEST_PAGES = 3;
/** Of all pages that have text, on how many it must stand. */
const SHARE_OF_PAGES = 0.5;
const LONGEST = 150;
/** In points: how exactly it stands in the same place. */
const SAME_PLACE = 4;
/** A number that stands alone, beside a rule, or beside the word for it. */
const PAGE_NUMBER =
  /(^|[|–—·•-] *|\b(?:page|p\.|pg\.?|seite|s\.|página|pagina|side|sida|sivu|strona|str\.|стр\.?|страница) *)\d{1,4}(?= *(?:$|[|–—·•/-]|(?:of|von|de|di|sur|av|z|из)\b))/giu;

/**
 * Leaves out running headers and footers: what stands in the same place on most pages, page numbers aside. What has words stays where it
 * stands first, so that nothing the document says is lost.
 */
export function withoutFurniture(lines: readonly PdfLine[]): readonly PdfLine[] {
  const pages = pagesOf(lines);
  if (pages.length < FEWEST_PAGES) return lines;
  const edges = pages.flatMap(edgeLinesOf);
  const counts = new Map<string, number>();
  for (const line of edges) for (const key of keysOf(line)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const enough = Math.max(FEWEST_PAGES, pages.length * SHARE_OF_PAGES);
  const running = edges.filter((line) => keysOf(line).some((key) => (counts.get(key) ?? 0) >= enough));
  const dropped = withoutFirsts(running);
  // A document that would be left with nothing has no furniture, only little to say.
  return dropped.size >= lines.length ? lines : lines.filter((line) => !dropped.has(line));
}

function pagesOf(lines: readonly PdfLine[]): readonly (readonly PdfLine[])[] {
  const pages = new Map<number, PdfLine[]>();
  for (const line of lines) {
    const page = pages.get(line.page);
    if (page === undefined) pages.set(line.page, [line]);
    else page.push(line);
  }
  return [...pages.values()];
}

function edgeLinesOf(page: readonly PdfLine[]): readonly PdfLine[] {
  const byHeight = [...page].sort((one, other) => other.height - one.height);
  const edges = new Set([...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)]);
  return [...edges].filter((line) => line.text.length <= LONGEST);
}

/** A line's height falls near the border of two places as likely as not, so it is counted in both. */
function keysOf(line: PdfLine): readonly string[] {
  const place = Math.floor(line.height / SAME_PLACE);
  const text = wordsOf(line);
  return [`${place} ${text}`, `${place + 1} ${text}`];
}

function wordsOf(line: PdfLine): string {
  return line.text.toLowerCase().replace(PAGE_NUMBER, '$1#');
}

/** All but the first line of each wording; of wordings without words, all. */
function withoutFirsts(running: readonly PdfLine[]): ReadonlySet<PdfLine> {
  const seen = new Set<string>();
  const dropped = new Set<PdfLine>();
  for (const line of running) {
    const words = wordsOf(line);
    if (seen.has(words) || !/\p{L}{3}/u.test(words.replace(/page|seite|of|von/g, ''))) dropped.add(line);
    seen.add(words);
  }
  return dropped;
}
