import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { MeasureDraft } from '../../../analyst/reading/draft.js';
import type { Asked } from './asked.js';
import { measureOf } from './measures.js';
import { conditionsOf } from './conditions.js';

const FIGURE = String.raw`(?:mean|average|median|total|sum|maximum|minimum|standard deviation|variance|number)`;
const SEAM = new RegExp(String.raw`\s+(?:and|to|minus|versus|vs\.?|than)\s+(?=(?:the\s+|that\s+)?${FIGURE}\b)`, 'iu');

/** One figure of a column, of the rows that fit conditions of its own. */
interface Side {
  readonly measure: MeasureDraft;
  readonly column: ColumnFacts;
  readonly filters: readonly Filter[];
}

/** `the mean a of rows with b above 0 and the mean a of rows with b equal to 0`: two figures, each of other rows. */
export function sideMeasures(asked: Asked): { measures: readonly MeasureDraft[]; filters: readonly Filter[] } | null {
  const texts = asked.clause.text.split(SEAM);
  if (texts.length !== 2 || asked.dimensions.length > 0) return null;
  const sides = texts.map((text) => sideOf(text, asked)).filter((side) => side !== null);
  const [one, other] = sides;
  if (one === undefined || other === undefined || !saysAll(sides, asked)) return null;
  const measures = sides.map(({ measure, column, filters }) => ({ ...measure, column: column.name, filters }));
  return { measures, filters: asked.constraints.filters };
}

function sideOf(text: string, asked: Asked): Side | null {
  const { filters, free, problems } = conditionsOf(asked.script.clauseOf(text), asked.facts);
  const clause = asked.script.clauseOf(text);
  const [figure, another] = clause.all('figure');
  const columns = free.flatMap((piece) =>
    piece.kind === 'column' && piece.column.role === 'figure' ? [piece.column] : [],
  );
  const [column] = columns;
  const isWhole = problems.length === 0 && filters.length > 0 && new Set(columns).size === 1;
  if (!isWhole || figure === undefined || another !== undefined || column === undefined) return null;
  return { measure: measureOf(asked, figure), column: asked.script.meantBy(column), filters };
}

/** Every condition of the question belongs to one of the two, and they differ. */
function saysAll(sides: readonly Side[], { conditions }: Asked): boolean {
  const [one, other] = sides.map(({ filters }) => new Set(filters.map((filter) => JSON.stringify(filter))));
  if (one === undefined || other === undefined || [...one].join() === [...other].join()) return false;
  return conditions.every((filter) => one.has(JSON.stringify(filter)) || other.has(JSON.stringify(filter)));
}
