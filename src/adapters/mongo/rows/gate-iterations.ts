import { type Extent, listOf, SCALAR } from './gate-budget.js';
import { type GateDocument, type GateValue, isDocument, refused, shown } from './gate-json.js';
import type { ExpressionVisitor, Scope } from './gate-scope.js';

/** Lower case at the beginning, so that no system variable can be given another meaning. */
const VARIABLE = /^[a-z]\w{0,60}$/;
/** By so much a value is made longer to see what a step of a `$reduce` does to it. */
const PROBE = 1000;

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  $let: ['vars', 'in'],
  $map: ['input', 'as', 'in'],
  $filter: ['input', 'as', 'cond', 'limit'],
  $reduce: ['input', 'initialValue', 'in'],
};

/** Looks through what binds variables, and counts how often it is worked out. */
export class IterationGate {
  constructor(private readonly expressions: ExpressionVisitor) {}

  visit(name: string, given: GateValue, scope: Scope): Extent {
    const known = ARGUMENTS[name] ?? [];
    if (!isDocument(given)) throw refused(`${name} takes a document with ${known.join(', ')}`);
    for (const key of given.keys())
      if (!known.includes(key)) throw refused(`${name} knows no ${shown(key)}; it takes ${known.join(', ')}`);
    if (name === '$let') return this.let(given, scope);
    return name === '$reduce' ? this.reduce(given, scope) : this.each(name, given, scope);
  }

  private let(given: GateDocument, scope: Scope): Extent {
    const vars = given.get('vars') ?? null;
    if (!isDocument(vars)) throw refused('the vars of $let are a document');
    const bound = [...vars].map(([name, value]) => [variable(name), this.expressions.visit(value, scope)] as const);
    return this.expressions.visit(required(given, 'in'), {
      ...scope,
      variables: new Map([...scope.variables, ...bound]),
    });
  }

  private each(name: string, given: GateDocument, scope: Scope): Extent {
    const list = this.expressions.visit(required(given, 'input'), scope);
    const as = given.get('as') ?? 'this';
    if (typeof as !== 'string') throw refused(`the as of ${name} is the name of a variable`);
    const inside = {
      ...scope,
      variables: new Map([...scope.variables, [variable(as), elementOf(list)] as const]),
      times: scope.times * Math.max(1, list.items),
    };
    if (name === '$filter') {
      this.expressions.visit(required(given, 'cond'), inside);
      if (given.has('limit')) this.expressions.visit(given.get('limit') ?? null, scope);
      this.expressions.budget.spendItems(list.items, scope.times);
      return list;
    }
    const made = this.expressions.visit(required(given, 'in'), inside);
    const mapped = listOf(list.items, made);
    this.expressions.budget.spendItems(mapped.items, scope.times);
    return mapped;
  }

  private reduce(given: GateDocument, scope: Scope): Extent {
    const list = this.expressions.visit(required(given, 'input'), scope);
    const begin = this.expressions.visit(required(given, 'initialValue'), scope);
    const count = Math.max(1, list.items);
    const step = (value: Extent, times: number): Extent =>
      this.expressions.visit(required(given, 'in'), {
        ...scope,
        variables: new Map([...scope.variables, ['this', elementOf(list)] as const, ['value', value] as const]),
        times,
      });
    // What only chooses between its elements is as large after the second of them as after the first.
    const first = step(begin, scope.times * count);
    const second = step(first, 1);
    const grown = { chars: growth(second.chars, first.chars), items: growth(second.items, first.items) };
    const probed = step({ ...first, chars: first.chars + PROBE, items: first.items + PROBE }, 1);
    if (probed.chars - first.chars - PROBE > grown.chars || probed.items - first.items - PROBE > grown.items) {
      throw refused('what a $reduce makes may not double with each element: use $$value once in what is joined');
    }
    return this.largest({ begin: second, grown, count }, scope);
  }

  private largest(
    {
      begin,
      grown,
      count,
    }: { readonly begin: Extent; readonly grown: Pick<Extent, 'chars' | 'items'>; readonly count: number },
    scope: Scope,
  ): Extent {
    const chars = begin.chars + grown.chars * count;
    const items = begin.items + grown.items * count;
    if (grown.chars > 0) this.expressions.budget.spendText(chars, scope.times);
    if (grown.items > 0) this.expressions.budget.spendItems(items, scope.times);
    return { chars: Math.max(chars, SCALAR.chars), items, inner: Math.max(begin.inner, begin.items) };
  }
}

function elementOf({ chars, inner }: Extent): Extent {
  return { chars, items: inner, inner };
}

function growth(after: number, before: number): number {
  return Math.max(0, after - before);
}

function required(given: GateDocument, name: string): GateValue {
  const value = given.get(name);
  if (value === undefined) throw refused(`${shown(name)} is missing`);
  return value;
}

function variable(name: string): string {
  if (!VARIABLE.test(name)) throw refused(`${shown(name)} is no name of a variable: it begins with a small letter`);
  return name;
}
