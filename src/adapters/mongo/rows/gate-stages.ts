import { GateBudget, gatheredOf, SCALAR } from './gate-budget.js';
import { ExpressionGate } from './gate-expressions.js';
import { fieldName, GateFields } from './gate-fields.js';
import { GapGate } from './gate-gaps.js';
import { assertNames, assertSort, GroupGate } from './gate-groups.js';
import { type GateValue, isDocument, isList, refused, shown } from './gate-json.js';
import { MatchGate } from './gate-match.js';
import { STAGES } from './gate-operators.js';
import { scopeOf } from './gate-scope.js';
import { documentOf, ShapeGate } from './gate-shapes.js';

const MOST_STAGES = 40;
const MOST_NUMBER = 1_000_000_000;
const MOST_SAMPLED = 100_000;

/** Looks through the stages of a pipeline, one after the other, and knows which fields there are between them. */
export class StageGate {
  readonly budget = new GateBudget();
  private readonly expressions = new ExpressionGate(this.budget);
  private readonly match = new MatchGate(this.expressions);
  private readonly shapes = new ShapeGate(this.expressions);
  private readonly groups = new GroupGate(this.expressions);
  private readonly gaps = new GapGate(this.expressions);
  private stages = 0;

  /**
   * The fields after the last stage.
   *
   * @throws AppError `invalid_input` when a stage, or anything in it, is not allowed.
   */
  pipeline(stages: GateValue, fields: GateFields): GateFields {
    if (!isList(stages)) throw refused('it is a list of stages');
    return stages.reduce<GateFields>((before, stage) => {
      if (++this.stages > MOST_STAGES) throw refused(`it has more than ${MOST_STAGES} stages`);
      if (!isDocument(stage) || stage.size !== 1)
        throw refused('each stage is a document with one name, such as {"$match": …}');
      const [[name, given] = ['', null]] = stage;
      return this.stage(name, given, before);
    }, fields);
  }

  private stage(name: string, given: GateValue, fields: GateFields): GateFields {
    if (!STAGES.includes(name))
      throw refused(`the stage ${shown(name)} is not allowed; there are ${STAGES.join(', ')}`);
    const change = this.changes[name];
    return change === undefined ? fields : change(given, fields);
  }

  private readonly changes: Readonly<Record<string, (given: GateValue, fields: GateFields) => GateFields>> = {
    $match: (given, fields) => {
      this.match.visit(given, scopeOf(fields));
      return fields;
    },
    $project: (given, fields) => this.shapes.project(given, fields),
    $addFields: (given, fields) => this.shapes.added(given, fields),
    $set: (given, fields) => this.shapes.added(given, fields),
    $unset: (given, fields) => this.shapes.unset(given, fields),
    $replaceWith: (given, fields) => this.shapes.replaced(given, fields),
    $replaceRoot: (given, fields) => {
      const document = documentOf('$replaceRoot', given);
      assertNames('$replaceRoot', document, ['newRoot']);
      return this.shapes.replaced(document.get('newRoot') ?? null, fields);
    },
    $group: (given, fields) => this.groups.group(given, fields),
    $sortByCount: (given, fields) => this.groups.sortByCount(given, fields),
    $bucket: (given, fields) => this.groups.bucket('$bucket', given, fields),
    $bucketAuto: (given, fields) => this.groups.bucket('$bucketAuto', given, fields),
    $setWindowFields: (given, fields) => this.groups.setWindowFields(given, fields),
    $densify: (given, fields) => this.gaps.densify(given, fields),
    $fill: (given, fields) => this.gaps.fill(given, fields),
    $facet: (given, fields) => this.facet(given, fields),
    $unwind: unwound,
    $count: counted,
    $sort: (given, fields) => {
      assertSort(given, fields);
      return fields;
    },
    $limit: (given, fields) => numbered('$limit', given, fields),
    $skip: (given, fields) => numbered('$skip', given, fields),
    $sample: sampled,
  };

  private facet(given: GateValue, fields: GateFields): GateFields {
    const parts = [...documentOf('$facet', given)].map(([name, stages]) => {
      fieldName(name);
      return [name, gatheredOf(this.pipeline(stages, fields).whole)] as const;
    });
    return GateFields.of(parts);
  }
}

function unwound(given: GateValue, fields: GateFields): GateFields {
  const document = isDocument(given) ? given : new Map([['path', given]]);
  assertNames('$unwind', document, ['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays']);
  const path = document.get('path');
  if (typeof path !== 'string' || !path.startsWith('$') || path.startsWith('$$'))
    throw refused('$unwind takes a path such as "$list"');
  fields.at(path.slice(1));
  const index = document.get('includeArrayIndex');
  if (index === undefined) return fields;
  if (typeof index !== 'string') throw refused('includeArrayIndex is the name of a field');
  return fields.with(fieldName(index), SCALAR);
}

function counted(given: GateValue): GateFields {
  if (typeof given !== 'string') throw refused('$count takes the name of a field');
  return GateFields.of([[fieldName(given), SCALAR]]);
}

function numbered(name: string, given: GateValue, fields: GateFields): GateFields {
  if (typeof given !== 'number' || !Number.isInteger(given) || given < 0 || given > MOST_NUMBER) {
    throw refused(`${name} takes a whole number`);
  }
  return fields;
}

function sampled(given: GateValue, fields: GateFields): GateFields {
  const document = documentOf('$sample', given);
  assertNames('$sample', document, ['size']);
  const size = document.get('size');
  if (typeof size !== 'number' || size > MOST_SAMPLED)
    throw refused(`$sample takes {"size": …}, at most ${MOST_SAMPLED}`);
  return fields;
}
