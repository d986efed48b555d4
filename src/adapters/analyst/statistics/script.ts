import type { DerivedColumn, Filter, OutlierMethod } from '../../../ports/analysis-plan.js';
import { columnsOfExpression, type Expression } from '../../../ports/plan-expression.js';
import type { ColumnProfile } from '../../../ports/table.js';
import type { ColumnFacts } from '../column-facts.js';
import type { TableFacts } from '../table-facts.js';
import { nameWords, stem } from '../text.js';
import { readClause, type Clause, type Names } from './clause.js';
import type { Mark } from './marks.js';

/** What holds for the questions of a message: constraints that stand in sentences of their own. */
export interface Constraints {
  readonly filters: readonly Filter[];
  /** Those of them that are said to be applied once gaps were filled or columns scaled. */
  readonly late: readonly Filter[];
  readonly level: number | null;
  readonly method: OutlierMethod | null;
  readonly factor: number | null;
  readonly population: boolean | null;
  /** Methods that were named apart from the question: a test, a kind of correlation. */
  readonly marks: readonly Mark[];
  /** Rows without a value are left out, or outliers are, of the columns that the question is about. */
  readonly dropsMissing: boolean;
  readonly dropsOutliers: boolean;
}

export const NO_CONSTRAINTS: Constraints = {
  filters: [],
  late: [],
  level: null,
  method: null,
  factor: null,
  population: null,
  marks: [],
  dropsMissing: false,
  dropsOutliers: false,
};

/** Both together; what is said later wins. */
export function joined(a: Constraints, b: Constraints): Constraints {
  return {
    filters: [...a.filters, ...b.filters],
    late: [...a.late, ...b.late],
    level: b.level ?? a.level,
    method: b.method ?? a.method,
    factor: b.factor ?? a.factor,
    population: b.population ?? a.population,
    marks: [...a.marks, ...b.marks],
    dropsMissing: a.dropsMissing || b.dropsMissing,
    dropsOutliers: a.dropsOutliers || b.dropsOutliers,
  };
}

export interface OutlierRule {
  readonly method: OutlierMethod;
  readonly threshold: number;
}

interface Made {
  readonly derived: DerivedColumn;
  readonly facts: ColumnFacts;
  readonly values: readonly string[];
}

export interface ScriptState {
  readonly made: readonly Made[];
  readonly stands: ReadonlyMap<string, ColumnFacts>;
  readonly focus: readonly ColumnFacts[];
}

/** The columns that a message makes, in order, and which of them stands in for one of the table's. */
export class Script implements Names {
  private made: readonly Made[] = [];
  private stands = new Map<string, ColumnFacts>();
  /** Whether the rows are a population, where a sentence of the message says so for all of it. */
  population: boolean | null = null;
  /** How outliers were told in the message so far. */
  outlierRule: OutlierRule | null = null;
  /** The column whose groups the question before set side by side. */
  by: string | null = null;
  /** What the sentence before was about. */
  focus: readonly ColumnFacts[] = [];

  private readonly clauses = new Map<string, Clause>();

  constructor(
    private readonly table: TableFacts,
    private readonly now: Date,
  ) {}

  /** A text read with all names that there are now; the same text is read once. */
  clauseOf(text: string): Clause {
    const known = this.clauses.get(text);
    if (known !== undefined) return known;
    const clause = readClause(text, this.facts, this, this.now);
    this.clauses.set(text, clause);
    return clause;
  }

  get columns(): readonly ColumnFacts[] {
    return this.made.map(({ facts }) => facts);
  }

  get values(): Names['values'] {
    return this.made.flatMap(({ facts, values }) => values.map((value) => ({ column: facts.name, value })));
  }

  /** The table with what was made. */
  get facts(): TableFacts {
    return this.made.length === 0 ? this.table : { ...this.table, columns: [...this.table.columns, ...this.columns] };
  }

  get last(): ColumnFacts | null {
    return this.columns.at(-1) ?? null;
  }

  /** The newest column of categories that the message made: `in each`. */
  get groups(): ColumnFacts | null {
    return this.columns.findLast(({ role }) => role === 'category') ?? null;
  }

  /** Adds a column, or finds the same one; its name becomes free of those that are taken. */
  make(wanted: string, expression: Expression, values: readonly string[] = []): ColumnFacts {
    const written = JSON.stringify(expression);
    const known = this.made.find(
      ({ derived }) => JSON.stringify(derived.expression) === written && derived.name === wanted,
    );
    if (known !== undefined) return known.facts;
    const facts = factsOfMade(this.freeName(wanted), expression, values);
    this.made = [...this.made, { derived: { name: facts.name, expression }, facts, values }];
    this.clauses.clear();
    return facts;
  }

  /** What was made so far, to be gone back to. */
  get state(): ScriptState {
    return { made: this.made, stands: new Map(this.stands), focus: this.focus };
  }

  goBackTo({ made, stands, focus }: ScriptState): void {
    if (this.made !== made) this.clauses.clear();
    this.made = made;
    this.stands = new Map(stands);
    this.focus = focus;
  }

  /** From now on `column` means the other one. */
  replace(column: string, by: ColumnFacts): void {
    this.stands.set(column, by);
  }

  meantBy(column: ColumnFacts): ColumnFacts {
    return this.stands.get(column.name) ?? column;
  }

  /** The columns that were made and that these need, in the order in which they were made. */
  neededFor(names: readonly string[]): readonly DerivedColumn[] {
    const needed = new Set(names);
    for (const { derived } of this.made.toReversed()) {
      if (needed.has(derived.name)) columnsOfExpression(derived.expression).forEach((name) => needed.add(name));
    }
    return this.made.filter(({ derived }) => needed.has(derived.name)).map(({ derived }) => derived);
  }

  private freeName(wanted: string): string {
    const taken = new Set(this.facts.columns.map(({ name }) => name));
    const short = wanted.trim().slice(0, MAX_NAME) || 'new column';
    let name = short;
    for (let number = 2; taken.has(name); number += 1) name = `${short} (${number})`;
    return name;
  }
}

const MAX_NAME = 70;

function factsOfMade(name: string, expression: Expression, values: readonly string[]): ColumnFacts {
  const isCategory = ['bins', 'case'].includes(expression.kind);
  const isGroup = isCategory || expression.kind === 'equal_bins' || expression.kind === 'part';
  const words = nameWords(name);
  const profile: ColumnProfile = {
    name,
    type: isCategory ? 'text' : 'number',
    nulls: 0,
    distinct: Math.max(values.length, 2),
    min: null,
    max: null,
    mean: null,
    topValues: values.map((value) => ({ value, count: 1 })),
  };
  return {
    name,
    role: isGroup ? 'category' : 'figure',
    words,
    stems: words.map(stem),
    phrase: words.map(stem).join(' '),
    joined: words.length > 1 ? words.join('') : null,
    extras: new Set(),
    unit: null,
    additive: false,
    identifies: false,
    profile,
  };
}
