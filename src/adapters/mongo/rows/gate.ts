import { LONGEST_CELL, SCALAR } from './gate-budget.js';
import { TEXT_CELL } from './gate-expressions.js';
import { GateFields } from './gate-fields.js';
import { isDocument, isList, readPipelineText, refused } from './gate-json.js';
import { namedColumns, type NamedColumn } from './gate-names.js';
import { StageGate } from './gate-stages.js';
import type { MongoColumn, Stage } from './mongo-table.js';

/** A written pipeline that may run. */
export interface AllowedPipeline {
  /** Gives each row its columns' names and nothing else, then what was written. They follow the stages that hide rows. */
  readonly stages: readonly Stage[];
  readonly columns: readonly NamedColumn[];
}

/**
 * Lets a pipeline through whose every stage, operator, variable and field is known and allowed, and whose expressions can't build more
 * out of a row than a query may use. What is not known is refused.
 *
 * @throws AppError `invalid_input` with a sentence for whoever wrote it.
 */
export function allowedPipeline(text: string, columns: readonly MongoColumn[]): AllowedPipeline {
  const stages = readPipelineText(text);
  if (!isList(stages)) throw refused('it is a JSON list of stages, such as [{"$match": …}, {"$group": …}]');
  const named = namedColumns(columns);
  const gate = new StageGate();
  gate.pipeline(
    stages,
    GateFields.of(named.map(({ visible, type }) => [visible, type === 'text' ? TEXT_CELL : SCALAR])),
  );
  const written = stages.map((stage): Stage => Object.fromEntries(isDocument(stage) ? stage : []));
  return { stages: [projection(named, gate.budget.writesText), ...written], columns: named };
}

/** Field by field, so that nothing else of a row is ever seen. */
function projection(columns: readonly NamedColumn[], cutsTexts: boolean): Stage {
  const fields = columns.map((column) => [column.visible, shownAs(column, cutsTexts)] as const);
  // A map, because a header's name may be a number, which a plain object would put first.
  const leaves = columns.some(({ visible }) => visible === '_id') ? [] : [['_id', 0] as const];
  return { $project: new Map<string, unknown>([...fields, ...leaves]) };
}

/** A cell without a value is null: to an expression, a field that is not there is neither null nor anything else. */
function shownAs({ field, type }: NamedColumn, cutsTexts: boolean): unknown {
  const path = `$${field}`;
  if (type === 'text' && cutsTexts) {
    const cut = { $substrCP: [path, 0, LONGEST_CELL] };
    return field === 'm' ? cut : { $cond: [{ $gt: [path, null] }, cut, null] };
  }
  // These are in every row, and a plain name lets the server use them to find rows.
  return field === 't' || field === 'm' ? path : { $ifNull: [path, null] };
}
