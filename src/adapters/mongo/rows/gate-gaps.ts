import { type Extent, joined, SCALAR } from './gate-budget.js';
import type { GateFields } from './gate-fields.js';
import { assertNames, assertSort, namesIn } from './gate-groups.js';
import { type GateDocument, type GateValue, isDocument, isList, refused, shown } from './gate-json.js';
import { type ExpressionVisitor, scopeOf } from './gate-scope.js';
import { documentOf } from './gate-shapes.js';

const METHODS: readonly GateValue[] = ['linear', 'locf'];

/** Looks through the stages that add rows or values where there are none. How many rows they add is bounded by the server. */
export class GapGate {
  constructor(private readonly expressions: ExpressionVisitor) {}

  densify(given: GateValue, fields: GateFields): GateFields {
    const document = documentOf('$densify', given);
    assertNames('$densify', document, ['field', 'partitionByFields', 'range']);
    const field = document.get('field');
    if (typeof field !== 'string' || field.startsWith('$'))
      throw refused('the field of $densify is the name of one, without $');
    fields.at(field);
    assertPartition(document, fields);
    assertRange(document.get('range') ?? null);
    return fields;
  }

  fill(given: GateValue, fields: GateFields): GateFields {
    const document = documentOf('$fill', given);
    assertNames('$fill', document, ['partitionBy', 'partitionByFields', 'sortBy', 'output']);
    if (document.has('partitionBy')) this.expressions.visit(document.get('partitionBy') ?? null, scopeOf(fields));
    assertPartition(document, fields);
    if (document.has('sortBy')) assertSort(document.get('sortBy') ?? null, fields);
    const output = documentOf('the output of $fill', document.get('output') ?? null);
    return [...output].reduce((after, [name, value]) => after.with(name, this.filled(name, value, fields)), fields);
  }

  private filled(name: string, given: GateValue, fields: GateFields): Extent {
    const document = documentOf(`the field ${shown(name)} of $fill`, given);
    assertNames('a field of $fill', document, ['value', 'method']);
    const before = fields.has(name) ? fields.at(name) : SCALAR;
    if (document.has('method') && !METHODS.includes(document.get('method') ?? null))
      throw refused('a method of $fill is "linear" or "locf"');
    const value = document.has('value')
      ? this.expressions.visit(document.get('value') ?? null, scopeOf(fields))
      : SCALAR;
    return joined([before, value]);
  }
}

function assertRange(given: GateValue): void {
  const range = documentOf('the range of $densify', given);
  assertNames('the range of $densify', range, ['step', 'unit', 'bounds']);
  const step = range.get('step');
  if (typeof step !== 'number' || step <= 0) throw refused('the step of $densify is a number above 0');
  if (!isBounds(range.get('bounds') ?? null)) {
    throw refused('the bounds of $densify are "full", "partition" or a list of two values');
  }
}

function isBounds(bounds: GateValue): boolean {
  if (bounds === 'full' || bounds === 'partition') return true;
  return isList(bounds) && bounds.length === 2 && !bounds.some(isNested);
}

function assertPartition(document: GateDocument, fields: GateFields): void {
  const names = document.get('partitionByFields');
  if (names !== undefined) for (const name of namesIn(names, 'partitionByFields')) fields.at(name);
}

function isNested(value: GateValue): boolean {
  return isDocument(value) || isList(value);
}
