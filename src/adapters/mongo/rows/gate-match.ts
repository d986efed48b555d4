import type { ExpressionVisitor, Scope } from './gate-scope.js';
import { type GateDocument, type GateValue, isDocument, isList, refused, shown } from './gate-json.js';
import { COMPARISONS } from './gate-operators.js';
import { assertPattern } from './gate-patterns.js';
import { partsOf } from './gate-fields.js';

const CONNECTIVES = ['$and', '$or', '$nor'];
const MOST_VALUES = 2000;

/** Looks through the conditions of a `$match`. */
export class MatchGate {
  constructor(private readonly expressions: ExpressionVisitor) {}

  /** @throws AppError `invalid_input` */
  visit(query: GateValue, scope: Scope): void {
    if (!isDocument(query)) throw refused('$match takes a document of conditions');
    for (const [name, condition] of query) this.part(name, condition, scope);
  }

  private part(name: string, condition: GateValue, scope: Scope): void {
    if (!name.startsWith('$')) {
      scope.fields.at(name);
      this.condition(condition, scope);
      return;
    }
    if (name === '$expr') {
      this.expressions.visit(condition, scope);
      return;
    }
    if (!CONNECTIVES.includes(name) || !isList(condition)) {
      throw refused(`${shown(name)} is not allowed in $match; there are fields, $and, $or, $nor and $expr`);
    }
    for (const one of condition) this.visit(one, scope);
  }

  private condition(condition: GateValue, scope: Scope): void {
    const names = isDocument(condition) ? [...condition.keys()].filter((key) => key.startsWith('$')) : [];
    if (!isDocument(condition) || names.length === 0) {
      assertData(condition);
      return;
    }
    if (names.length < condition.size) throw refused('operators and names stand in one condition');
    for (const name of names) this.operator(name, condition, scope);
  }

  private operator(name: string, condition: GateDocument, scope: Scope): void {
    const given = condition.get(name) ?? null;
    if (COMPARISONS.has(name)) {
      assertData(given);
      return;
    }
    switch (name) {
      case '$in':
      case '$nin':
      case '$all':
        assertValues(name, given);
        return;
      case '$regex':
        if (typeof given !== 'string') throw refused('$regex takes a text');
        assertPattern(given, condition.get('$options') ?? '');
        return;
      case '$options':
        if (!condition.has('$regex')) throw refused('$options belong to a $regex');
        return;
      case '$not':
        if (!isDocument(given)) throw refused('$not takes a document of operators');
        this.condition(given, scope);
        return;
      case '$elemMatch':
        this.element(given, scope);
        return;
      default:
        assertPlain(name, given);
    }
  }

  /** A condition on what a list holds: on its values, or on their fields, whose names nobody knows. */
  private element(given: GateValue, scope: Scope): void {
    if (!isDocument(given)) throw refused('$elemMatch takes a document of conditions');
    const isOfValues = [...given.keys()].every((key) => key.startsWith('$') && !CONNECTIVES.includes(key));
    if (isOfValues) {
      this.condition(given, scope);
      return;
    }
    for (const [name, condition] of given) {
      if (name.startsWith('$')) throw refused(`${shown(name)} is not allowed in $elemMatch`);
      partsOf(name);
      this.condition(condition, scope);
    }
  }
}

const isNumber = (given: GateValue): boolean => typeof given === 'number';
const isType = (given: GateValue): boolean => typeof given === 'string' || isNumber(given);

/** The other operators, and what they may be given. */
const PLAIN: ReadonlyMap<string, (given: GateValue) => boolean> = new Map([
  ['$exists', (given) => typeof given === 'boolean' || isNumber(given)],
  ['$size', isNumber],
  ['$type', (given) => isType(given) || (isList(given) && given.every(isType))],
  ['$mod', (given) => isList(given) && given.length === 2 && given.every(isNumber)],
]);

function assertPlain(name: string, given: GateValue): void {
  const isRight = PLAIN.get(name);
  if (isRight === undefined) throw refused(`the operator ${shown(name)} is not allowed in $match`);
  if (!isRight(given)) throw refused(`what ${name} is given does not fit`);
}

function assertValues(name: string, given: GateValue): void {
  if (!isList(given) || given.length > MOST_VALUES)
    throw refused(`${name} takes a list of at most ${MOST_VALUES} values`);
  for (const one of given) assertData(one);
}

/** Values are compared as they are: nothing in them is looked up or run. */
function assertData(value: GateValue): void {
  if (isList(value)) {
    for (const one of value) assertData(one);
    return;
  }
  if (!isDocument(value)) return;
  for (const [name, one] of value) {
    if (name.startsWith('$')) throw refused(`the operator ${shown(name)} can't stand there`);
    assertData(one);
  }
}
