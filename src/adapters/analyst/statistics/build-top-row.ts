import type { ColumnFacts } from '../column-facts.js';
import { tellsRows, type Asked, type Built } from './asked.js';

const ASKS_WHICH =
  /^(?:and |then )?(?:(?:for|in) )?(?:which|what|who|find|identify|name|determine|report|give|state)\b/iu;
const WHICH = /\b(?:which|who)\b|\b(?:find|identify|name|report|give|state) the \p{L}+ (?:with|that has)\b/iu;

/** `which lake has the largest z-score?`: the row with the extreme of a column that the message made, by what tells rows apart. */
export function buildTopRow(asked: Asked): Built | null {
  const { clause } = asked;
  if (!ASKS_WHICH.test(clause.text) || !WHICH.test(clause.text) || asked.dimensions.length > 0) return null;
  const column = madeOf(asked);
  const direction = directionOf(asked);
  const name = nameOf(asked);
  if (column === null || direction === null || name === null) return null;
  asked.use('figure', 'scale', 'reference');
  return asked.top([name.name, column.name], { by: column.name, direction });
}

/** The only column of numbers, where the message made it. */
function madeOf({ figures, script }: Asked): ColumnFacts | null {
  const [column, another] = figures;
  const isMade = script.columns.some(({ name }) => name === column?.name);
  return column === undefined || another !== undefined || !isMade ? null : column;
}

const EXTREMES: ReadonlyMap<string, 'asc' | 'desc'> = new Map([
  ['max', 'desc'],
  ['min', 'asc'],
]);

/** By the one extreme that is asked for. */
function directionOf({ clause, free }: Asked): 'asc' | 'desc' | null {
  const said = free.flatMap((piece) => (piece.kind === 'superlative' ? [piece.direction] : []));
  const figures = clause.all('figure').map(({ aggregate }) => EXTREMES.get(aggregate) ?? null);
  const [only = null, another] = [...said, ...figures];
  return another === undefined ? only : null;
}

/** The named column that tells rows apart, else the only one that does. */
function nameOf(asked: Asked): ColumnFacts | null {
  const named = asked.columns.find((column) => tellsRows(column, asked.facts));
  if (named !== undefined) return named;
  const [only, another] = asked.facts.columns.filter((column) => tellsRows(column, asked.facts));
  return only === undefined || another !== undefined ? null : only;
}
