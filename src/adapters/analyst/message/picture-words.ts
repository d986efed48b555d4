import { nameWords, stem, wordsOf } from '../text.js';
import type { ColumnFacts } from '../column-facts.js';
import type { TableFacts } from '../table-facts.js';

const KIND = String.raw`(?:(?:stacked|grouped|clustered|simple|horizontal|vertical)\s+)?(?:bar|column|pie|donut|doughnut|line|area|scatter|box)`;
const PICTURE = String.raw`(?:${KIND}[\s-]?)?(?:charts?|plots?|graphs?|diagrams?|pictures?|visuali[sz]ations?)|heat[\s-]?maps?|histograms?|scatter[\s-]?plots?|(?:pie|donut|doughnut|bars|lines)`;
const DRAWS = String.raw`(?:show|draw|make|create|give|plot|generate|produce|build|render)(?:\s+(?:me|us))?`;

/** `…, as a bar chart`, `in a pie chart`. */
const MANNER = new RegExp(
  String.raw`[\s,]+(?:(?:and\s+)?(?:shown|displayed|drawn|presented|plotted|show (?:it|this|that|them)|draw (?:it|this|that|them)|plot (?:it|this|that|them)|display (?:it|this|that|them)))?\s*\b(?:as|in|on|with|using|by means of)\s+(?:an?\s+|the\s+)?(?:${PICTURE})\b`,
  'giu',
);
/** `draw a pie chart of`, `bar chart showing`. */
const OPENING = new RegExp(
  String.raw`^(?:${DRAWS}\s+)?(?:an?\s+|the\s+)?(?:${PICTURE})\s+(?:of|for|showing|that shows|with|comparing)\s+(?:the\s+)?`,
  'iu',
);
const SCATTER = new RegExp(
  String.raw`^(?:${DRAWS}\s+)?(?:an?\s+|the\s+)?scatter[\s-]?(?:plot|chart|graph|diagram)?\s+(?:of|for|with)\s+(?:the\s+)?(.+?)\s+(?:against|versus|vs\.?|and|over|by)\s+(?:the\s+)?(.+)$`,
  'iu',
);
const SPREAD = new RegExp(
  String.raw`^(?:what\s+(?:is|does)\s+|how is\s+|${DRAWS}\s+)?(?:an?\s+|the\s+)?(?:histogram|distribution|spread)\s+of\s+(?:the\s+)?(.+?)(?:\s+values?|\s+look like)?\s*[?.!]*$`,
  'iu',
);

/**
 * A request for a picture as the question about the figures in it: `a pie chart of orders by country` asks for orders by country, a
 * scatter plot of two columns how they go together, a histogram or distribution how a column is spread. The kind of picture is read elsewhere.
 */
export function withoutPictures(text: string, facts: TableFacts): string {
  const scatter = SCATTER.exec(text);
  if (scatter !== null) return `correlation between ${scatter[1] ?? ''} and ${scatter[2] ?? ''}`;
  const spread = spreadOf(SPREAD.exec(text)?.[1] ?? null, facts);
  if (spread !== null) return spread;
  const plain = text.replace(MANNER, '').replace(OPENING, '').trim();
  return plain === '' ? text : plain;
}

/** Null: it is no column's. */
function spreadOf(said: string | null, facts: TableFacts): string | null {
  const column = said === null ? null : columnCalled(said, facts);
  if (said === null || column === null) return null;
  return column.role === 'figure' ? `summary statistics of ${said}` : `number of rows by ${said}`;
}

function columnCalled(said: string, { columns }: TableFacts): ColumnFacts | null {
  const wanted = wordsOf(said.replace(/^["'“]|["'”]$/gu, ''))
    .map(stem)
    .join(' ');
  const isCalled = ({ name, stems }: ColumnFacts): boolean =>
    nameWords(name).map(stem).join(' ') === wanted || stems.join(' ') === wanted;
  return columns.find(isCalled) ?? null;
}
