import type { DurationUnit, Expression } from '../../../ports/plan-expression.js';
import type { ColumnFacts } from '../column-facts.js';
import type { Piece } from '../pieces.js';
import type { Clause } from './clause.js';
import type { Mark, MarkKind } from './marks.js';
import type { Script } from './script.js';

type Operator = '+' | '-' | '*' | '/';

interface Read {
  readonly expression: Expression;
  readonly next: number;
}

/** Reads arithmetic on columns from pieces: infix (`a plus b`), brackets, functions, and `the ratio of a to b`. */
class ArithmeticReader {
  constructor(
    private readonly pieces: readonly Piece[],
    private readonly markOf: (piece: Piece | undefined) => Mark | null,
    private readonly meantBy: (column: ColumnFacts) => ColumnFacts,
  ) {}

  sum(at: number): Read | null {
    return this.chain(at, ['+', '-'], (next) => this.product(next));
  }

  private product(at: number): Read | null {
    const span = this.span(at);
    if (span !== null) return span;

    return this.chain(at, ['*', '/'], (next) => this.factor(next));
  }

  private chain(at: number, operators: readonly Operator[], part: (next: number) => Read | null): Read | null {
    let left = part(at);
    while (left !== null) {
      const mark = this.markOf(this.pieces[left.next]);
      if (mark?.kind !== 'arithmetic' || !operators.includes(mark.operator)) return left;
      const right = part(left.next + 1);
      if (right === null) return null;
      left = { expression: arithmetic(mark.operator, left.expression, right.expression), next: right.next };
    }
    return left;
  }

  private factor(at: number): Read | null {
    const piece = this.pieces[at];
    const part = this.partOf(at);
    if (part !== null) return part;
    const operand = piece === undefined ? null : this.operandOf(piece);
    if (operand !== null) return { expression: operand, next: at + 1 };
    const mark = this.markOf(piece);
    return mark === null ? null : this.marked(mark, at + 1);
  }

  /** `returned minus borrowed`, in days unless another unit is told. */
  private span(at: number): Read | null {
    const [later, minus, earlier] = this.pieces.slice(at, at + 3);
    const mark = this.markOf(minus);
    if (!isMoment(later) || !isMoment(earlier) || mark?.kind !== 'arithmetic' || mark.operator !== '-') return null;
    return { expression: durationOf(earlier.column, later.column, 'days'), next: at + 3 };
  }

  /** `days from ordered to shipped`. */
  private spanOf(unit: DurationUnit, at: number): Read | null {
    const earlier = this.pieces[at];
    let next = at + 1;
    while (this.pieces[next]?.kind === 'join' || /^(?:to|until|till)$/iu.test(this.pieces[next]?.text ?? '')) next += 1;
    const later = this.pieces[next];
    if (!isMoment(earlier) || !isMoment(later)) return null;
    return { expression: durationOf(earlier.column, later.column, unit), next: next + 1 };
  }

  /** `the year of hired`. */
  private partOf(at: number): Read | null {
    const [part, moment] = this.pieces.slice(at, at + 2);
    if (part?.kind !== 'bucket' || !PARTS.has(part.bucket) || !isMoment(moment)) return null;
    return { expression: { kind: 'part', column: moment.column.name, part: part.bucket }, next: at + 2 };
  }

  private operandOf(piece: Piece): Expression | null {
    if (piece.kind === 'number') return { kind: 'number', value: piece.value };
    if (piece.kind !== 'column' || piece.column.role !== 'figure') return null;
    return { kind: 'column', column: this.meantBy(piece.column).name };
  }

  private marked(mark: Mark, at: number): Read | null {
    if (mark.kind === 'bracket') return mark.open ? this.bracket(at) : null;
    if (mark.kind === 'span') return this.spanOf(mark.unit, at);
    if (mark.kind === 'function') return this.applied(mark.function, at);
    const operator = combining(mark);
    return operator === null ? null : this.combined(operator, isMean(mark), at);
  }

  private bracket(at: number): Read | null {
    const inner = this.sum(at);
    const end = inner === null ? null : this.markOf(this.pieces[inner.next]);
    return inner !== null && end?.kind === 'bracket' ? { ...inner, next: inner.next + 1 } : null;
  }

  private applied(name: (Expression & { kind: 'function' })['function'], at: number): Read | null {
    const inner = this.factor(at);
    return inner === null
      ? null
      : { expression: { kind: 'function', function: name, of: inner.expression }, next: inner.next };
  }

  /** `difference between a and b`, `sum of a, b and c`, `average of a and b`. */
  private combined(operator: Operator, isMean: boolean, at: number): Read | null {
    const parts = this.partsFrom(at);
    const last = parts.at(-1);
    if (last === undefined || parts.length < 2) return null;
    const whole = parts.map(({ expression }) => expression).reduce((left, right) => arithmetic(operator, left, right));
    const count: Expression = { kind: 'number', value: parts.length };
    return { expression: isMean ? arithmetic('/', whole, count) : whole, next: last.next };
  }

  private partsFrom(at: number): readonly Read[] {
    const parts: Read[] = [];
    for (let next: number | null = at; next !== null;) {
      const part = this.product(next);
      if (part === null) return parts;
      parts.push(part);
      next = this.joinsAt(part.next, parts.length > 1);
    }
    return parts;
  }

  /** Where the next part of a combination begins: after `and`, a comma, or right away (`ratio of a to b`). */
  private joinsAt(at: number, mustJoin: boolean): number | null {
    let next = at;
    while (this.pieces[next]?.kind === 'join') next += 1;
    if (next > at) return next;
    return !mustJoin && this.pieces[at] !== undefined ? at : null;
  }
}

/** Parts of a time that are numbers to reckon with. */
const PARTS: ReadonlySet<string> = new Set(['year', 'month', 'hour']);

type Moment = Extract<Piece, { readonly kind: 'column' }>;

function isMoment(piece: Piece | undefined): piece is Moment {
  return piece?.kind === 'column' && piece.column.role === 'time';
}

function durationOf(from: ColumnFacts, to: ColumnFacts, unit: DurationUnit): Expression {
  return { kind: 'duration', from: from.name, to: to.name, unit };
}

function combining(mark: Mark): Operator | null {
  if (mark.kind === 'combine') return mark.operator;
  return mark.kind === 'figure' && (mark.aggregate === 'sum' || mark.aggregate === 'avg') ? '+' : null;
}

function isMean(mark: Mark): boolean {
  return mark.kind === 'figure' && mark.aggregate === 'avg';
}

function arithmetic(operator: Operator, left: Expression, right: Expression): Expression {
  return { kind: 'arithmetic', operator, left, right };
}

/** An expression that all the pieces come to. */
export function expressionOf(pieces: readonly Piece[], clause: Clause, script: Script): Expression | null {
  const read = readerOf(pieces, clause, script).sum(0);
  return read?.next === pieces.length && read.expression.kind !== 'number' ? read.expression : null;
}

/** The pieces with every arithmetic phrase on columns turned into a column that the message made. */
export function withArithmetic(pieces: readonly Piece[], clause: Clause, script: Script): readonly Piece[] {
  const reader = readerOf(pieces, clause, script);
  const out: Piece[] = [];
  let at = 0;
  while (at < pieces.length) {
    const piece = pieces[at];
    const read = piece === undefined || !begins(pieces, at, clause) ? null : reader.sum(at);
    if (read !== null && isArithmetic(read.expression)) {
      const column = script.make(nameOf(read.expression), read.expression);
      out.push({ kind: 'column', column, implied: null, text: column.name });
      at = read.next;
    } else {
      if (piece !== undefined) out.push(piece);
      at += 1;
    }
  }
  return out;
}

/** `the sum of goals and assists` is two sums in a question; only names given to it make it one column. */
function begins(pieces: readonly Piece[], at: number, clause: Clause): boolean {
  const mark = clause.markOf(pieces[at]);
  if (mark !== null && OPENING.has(mark.kind)) return true;
  const isOperand = pieces[at]?.kind === 'column' || pieces[at]?.kind === 'number';
  return isOperand && clause.markOf(pieces[at + 1])?.kind === 'arithmetic';
}

const OPENING: ReadonlySet<MarkKind> = new Set(['combine', 'function', 'bracket', 'span']);

function isArithmetic({ kind }: Expression): boolean {
  return kind === 'arithmetic' || kind === 'function' || kind === 'duration';
}

function readerOf(pieces: readonly Piece[], clause: Clause, script: Script): ArithmeticReader {
  return new ArithmeticReader(
    pieces,
    (piece) => clause.markOf(piece),
    (column) => script.meantBy(column),
  );
}

/** What an expression is called as a column, when the question gives it no name. */
export function nameOf(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return String(expression.value);
    case 'arithmetic':
      return `${inner(expression.left)} ${expression.operator} ${inner(expression.right)}`;
    case 'function':
      return `${expression.function === 'square' ? 'square' : expression.function} of ${nameOf(expression.of)}`;
    case 'scaled':
      return `${expression.method === 'zscore' ? 'z-score of' : 'scaled'} ${nameOf(expression.of)}`;
    case 'column':
    case 'length':
    case 'part':
    case 'filled':
      return expression.column;
    case 'duration':
      return `${expression.unit} from ${expression.from} to ${expression.to}`;
    case 'bins':
    case 'equal_bins':
      return `${nameOf(expression.of)} bin`;
    case 'case':
      return 'group';
  }
}

function inner(expression: Expression): string {
  return expression.kind === 'arithmetic' ? `(${nameOf(expression)})` : nameOf(expression);
}
