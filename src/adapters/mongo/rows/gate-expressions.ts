import {
  charsOf,
  type Extent,
  type GateBudget,
  holding,
  itemsOf,
  joined,
  listOf,
  LONGEST_CELL,
  SCALAR,
  textOf,
} from './gate-budget.js';
import { fieldName, partsOf } from './gate-fields.js';
import { IterationGate } from './gate-iterations.js';
import { type GateDocument, type GateValue, isDocument, isList, refused, shown } from './gate-json.js';
import {
  CHOOSING_EXPRESSIONS,
  GATHERING_EXPRESSIONS,
  REGEX_OPERATORS,
  SCALAR_EXPRESSIONS,
  SPECIAL_EXPRESSIONS,
  SYSTEM_VARIABLES,
  TEXT_EXPRESSIONS,
} from './gate-operators.js';
import { assertPattern } from './gate-patterns.js';
import type { ExpressionVisitor, Scope } from './gate-scope.js';

/** What an operator is given, and how large its parts can become. */
interface Made {
  readonly given: GateValue;
  readonly parts: readonly Extent[];
}

/** Longest list that `$range` may make, and that `$slice` and its like may name. */
const LONGEST_RANGE = 10_000;
const KNOWN = [SCALAR_EXPRESSIONS, CHOOSING_EXPRESSIONS, TEXT_EXPRESSIONS, GATHERING_EXPRESSIONS, SPECIAL_EXPRESSIONS];
/** Beyond a text and its parts, what a format or a conversion can add. */
const WRITTEN = 100;

/**
 * Looks through expressions: every operator, variable and field in them must be one that is allowed and there. Says how large their
 * values can become.
 */
export class ExpressionGate implements ExpressionVisitor {
  private readonly iterations: IterationGate;

  constructor(readonly budget: GateBudget) {
    this.iterations = new IterationGate(this);
  }

  /** @throws AppError `invalid_input` */
  visit(value: GateValue, scope: Scope): Extent {
    this.budget.spendSteps(scope.times);
    if (typeof value === 'string') return value.startsWith('$') ? pathExtent(value, scope) : textOf(value.length);
    if (isList(value))
      return this.gathered(
        value.map((one) => this.visit(one, scope)),
        scope,
      );
    if (!isDocument(value)) return SCALAR;
    const [name] = [...value.keys()].filter((key) => key.startsWith('$'));
    return name === undefined ? this.literalDocument(value, scope) : this.operator(value, name, scope);
  }

  private literalDocument(document: GateDocument, scope: Scope): Extent {
    const extents = [...document].map(([name, value]) => {
      fieldName(name);
      return this.visit(value, scope);
    });
    return this.gathered(extents, scope);
  }

  private operator(document: GateDocument, name: string, scope: Scope): Extent {
    if (document.size > 1)
      throw refused(`${shown(name)} stands in a document beside other names; give it one of its own`);
    if (!KNOWN.some((names) => names.has(name))) throw refused(`the operator ${shown(name)} is not allowed`);
    const given = document.get(name) ?? null;
    if (REGEX_OPERATORS.has(name)) assertRegex(name, given);
    if (SPECIAL_EXPRESSIONS.has(name)) return this.special(name, given, scope);
    const parts = this.parts(given, scope);
    return SCALAR_EXPRESSIONS.has(name) ? SCALAR : this.made(name, { given, parts }, scope);
  }

  /** What an operator makes of its parts. */
  private made(name: string, { given, parts }: Made, scope: Scope): Extent {
    switch (name) {
      case '$replaceAll':
        return this.replaced(given, scope);
      case '$range':
        return this.range(given, scope);
      case '$slice':
        return sliceOf(given, parts);
      case '$concatArrays':
      case '$setUnion':
        return this.appended(parts, scope);
      default:
        if (TEXT_EXPRESSIONS.has(name)) return this.written(name, parts, scope);
        return GATHERING_EXPRESSIONS.has(name) ? this.gathered(parts, scope) : joined(parts);
    }
  }

  private special(name: string, given: GateValue, scope: Scope): Extent {
    switch (name) {
      case '$literal':
        return this.literal(given, scope);
      case '$regexMatch':
        this.parts(given, scope);
        return SCALAR;
      default:
        return this.iterations.visit(name, given, scope);
    }
  }

  /** Data, whatever it looks like; but how much of it there is counts. */
  private literal(value: GateValue, scope: Scope): Extent {
    this.budget.spendSteps(scope.times);
    if (isList(value))
      return this.gathered(
        value.map((one) => this.literal(one, scope)),
        scope,
      );
    if (!isDocument(value)) return typeof value === 'string' ? textOf(value.length) : SCALAR;
    for (const name of value.keys()) fieldName(name);
    return this.gathered(
      [...value.values()].map((one) => this.literal(one, scope)),
      scope,
    );
  }

  /** What an operator is given: one expression, a list of them, or some by name. */
  parts(given: GateValue, scope: Scope): readonly Extent[] {
    if (isList(given)) return given.map((one) => this.visit(one, scope));
    const isNamed = isDocument(given) && ![...given.keys()].some((key) => key.startsWith('$'));
    return isNamed ? [...given.values()].map((one) => this.visit(one, scope)) : [this.visit(given, scope)];
  }

  private gathered(parts: readonly Extent[], scope: Scope): Extent {
    const made = holding(parts);
    this.budget.spendItems(made.items, scope.times);
    return made;
  }

  /** One list of the elements of all. */
  private appended(parts: readonly Extent[], scope: Scope): Extent {
    const items = itemsOf(parts);
    this.budget.spendItems(items, scope.times);
    return { ...joined(parts), items };
  }

  private written(name: string, parts: readonly Extent[], scope: Scope): Extent {
    const whole = charsOf(parts);
    const chars = whole + WRITTEN;
    this.budget.spendText(chars, scope.times);
    if (name !== '$split' && name !== '$regexFindAll') return { ...joined(parts), chars };
    // What is found is a document with three fields.
    const pieces = listOf(whole + 1, name === '$split' ? SCALAR : holding([SCALAR, SCALAR, SCALAR]));
    this.budget.spendItems(pieces.items, scope.times);
    return { ...pieces, chars };
  }

  /** Every place between two characters may be replaced. */
  private replaced(given: GateValue, scope: Scope): Extent {
    if (!isDocument(given)) throw refused('$replaceAll takes a document with input, find and replacement');
    const input = this.visit(given.get('input') ?? null, scope);
    const replacement = this.visit(given.get('replacement') ?? null, scope);
    const chars = input.chars + (input.chars + 1) * replacement.chars;
    this.budget.spendText(chars, scope.times);
    return { ...input, chars };
  }

  private range(given: GateValue, scope: Scope): Extent {
    const items = rangeLength(isList(given) ? given : []);
    if (items > LONGEST_RANGE) throw refused(`$range makes at most ${LONGEST_RANGE} numbers`);
    this.budget.spendItems(items, scope.times);
    return { ...SCALAR, items };
  }
}

function rangeLength([from, to = null, step = 1]: readonly GateValue[]): number {
  const end = isDocument(to) ? leastOf(to) : to;
  if (typeof from === 'number' && typeof end === 'number' && typeof step === 'number' && step !== 0) {
    return Math.max(0, Math.ceil((end - from) / step));
  }
  throw refused('$range takes numbers as they are, its end may be {"$min": [expression, 1000]}');
}

/** The number that a `$min` keeps an expression at or below. */
function leastOf(value: GateDocument): number | undefined {
  const given = value.size === 1 ? (value.get('$min') ?? null) : null;
  const numbers = isList(given) ? given.filter((one) => typeof one === 'number') : [];
  return numbers.length === 0 ? undefined : Math.min(...numbers);
}

function sliceOf(given: GateValue, parts: readonly Extent[]): Extent {
  const last = isList(given) ? given.at(-1) : null;
  const [list = SCALAR] = parts;
  if (typeof last !== 'number') return joined(parts);
  return { ...list, items: Math.min(list.items, Math.abs(last) * (1 + list.inner)) };
}

function pathExtent(path: string, scope: Scope): Extent {
  if (!path.startsWith('$$')) return scope.fields.at(path.slice(1));
  const [name = '', ...rest] = path.slice(2).split('.');
  if (rest.length > 0) partsOf(rest.join('.'));
  return scope.variables.get(name) ?? systemExtent(name, rest, scope);
}

function systemExtent(name: string, rest: readonly string[], { fields }: Scope): Extent {
  if (!SYSTEM_VARIABLES.has(name)) throw refused(`there is no variable ${shown(`$$${name}`)}`);
  if (name === 'NOW' || name === 'REMOVE') return SCALAR;
  return rest.length === 0 ? fields.whole : fields.at(rest.join('.'));
}

/** Patterns stand in the pipeline: what a cell says is never one. */
function assertRegex(name: string, given: GateValue): void {
  const [pattern, options] = isDocument(given) ? [given.get('regex'), given.get('options')] : [];
  if (typeof pattern !== 'string' || pattern.startsWith('$')) throw refused(`the regex of ${name} must be a text`);
  assertPattern(pattern, options ?? '');
}

/** What a cell holds. */
export const TEXT_CELL: Extent = textOf(LONGEST_CELL);
