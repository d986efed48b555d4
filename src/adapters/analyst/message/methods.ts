import type { Clause } from '../statistics/clause.js';
import { readConstraint } from '../statistics/constraints.js';
import type { MarkKind } from '../statistics/marks.js';
import { joined, NO_CONSTRAINTS, type Constraints, type Script } from '../statistics/script.js';
import type { Unit } from './message-units.js';
import { namesColumns } from './repeats.js';
import { ASKS, REMOVES } from './sentence-kinds.js';

const METHODS: ReadonlySet<MarkKind> = new Set(['test', 'relation', 'regression']);
const METHOD_KINDS = ['test', 'relation', 'regression', 'term', 'equal variances'] as const;
const NAMES: ReadonlySet<string> = new Set(['column', 'value', 'ambiguous', 'number', 'quoted', 'time']);

/** What sentences of their own say about the questions of a message. */
export interface Held {
  readonly constraints: ReadonlyMap<Unit, Constraints>;
  /** Sentences that restrict the rows and were not read; a question is refused by itself. */
  readonly blocks: readonly string[];
  /** A level of significance that any sentence names holds for all of them. */
  readonly level: number | null;
}

export function heldIn(units: readonly Unit[], script: Script): Held {
  const constraints = new Map<Unit, Constraints>();
  const blocks: string[] = [];
  let level: number | null = null;
  for (const [place, unit] of units.entries()) {
    const read = readConstraint(unit.text, script);
    const said = inPlace(constraintsIn(read) ?? methodAlone(unit, units[place - 1], script), units, place);
    if (said !== null) {
      constraints.set(unit, said);
      focusOnOutliers(said, script);
    } else if (units.length === 1) continue;
    else if (read !== null) blocks.push(...(ASKS.test(unit.text) ? [] : [unit.said]));
    else level ??= levelIn(script.clauseOf(unit.text));
  }
  return { constraints, blocks, level };
}

const MAKES_OF_ALL = /\b(?:fill\w*|imput\w+|replac\w+|normali[sz]\w+|standardi[sz]\w+|scal\w+|rescal\w+|bin\w*)\b/iu;
const NEXT =
  /^\W*(?:then|next|after(?:wards| that| this| filling| imput\w+| scaling)|finally|now|subsequently|following)\b/iu;

/** Conditions that come after a step that looks at all rows are said to be late. */
function inPlace(held: Constraints | null, units: readonly Unit[], place: number): Constraints | null {
  const unit = units[place];
  if (held === null || unit === undefined || !isAfterMaking(unit, units.slice(0, place))) return held;
  return { ...held, late: held.filters };
}

/** `fill the gaps. Then keep only …`: a step after one that looks at all rows. */
function isAfterMaking({ said, item }: Unit, before: readonly Unit[]): boolean {
  const making = before.filter(({ text }) => MAKES_OF_ALL.test(text));
  return making.length > 0 && (NEXT.test(said) || making.some((one) => one.item !== null && one.item !== item));
}

/** `remove the outliers of a. How many are there?` */
function focusOnOutliers({ filters }: Constraints, script: Script): void {
  const names = filters.flatMap((filter) => (filter.kind === 'outlier' ? [filter.column] : []));
  const columns = script.facts.columns.filter(({ name }) => names.includes(name));
  if (columns.length > 0 && script.focus.length === 0) script.focus = columns;
}

function constraintsIn(read: ReturnType<typeof readConstraint>): Constraints | null {
  return read?.kind === 'constraint' ? read.constraints : null;
}

/** `do a and b go together? Give the Pearson coefficient.`: a method without columns says how the question before is meant. */
function methodAlone({ text }: Unit, before: Unit | undefined, script: Script): Constraints | null {
  if (before === undefined || !isQuestion(before.text) || isQuestion(text)) return null;
  const clause = script.clauseOf(text);
  if (!saysMethodAlone(clause) || !isOpen(before.text, script)) return null;
  return { ...NO_CONSTRAINTS, level: levelIn(clause), marks: METHOD_KINDS.flatMap((kind) => clause.all(kind)) };
}

function isQuestion(text: string): boolean {
  return text.trim().endsWith('?');
}

/** It names columns and no method. */
function isOpen(text: string, script: Script): boolean {
  return namesColumns(text, script) && !saysMethod(script.clauseOf(text));
}

function levelIn(clause: Clause): number | null {
  return clause.first('level')?.level ?? null;
}

/** Whether a clause names how a statistic of several columns is worked out. */
export function saysMethod(clause: Clause): boolean {
  const isNamed = clause.all('relation').some(({ loose }) => !loose);
  return isNamed || clause.has('test', 'regression');
}

function saysMethodAlone(clause: Clause): boolean {
  return saysMethod(clause) && !clause.has('figure') && clause.pieces.every(({ kind }) => !NAMES.has(kind));
}

/** `are they different? Welch's t-test.`: what the sentence after names makes it a question about statistics. */
export function namesMethod({ marks }: Constraints): boolean {
  return marks.some(({ kind }) => METHODS.has(kind));
}

/** `remove the outliers of a and report the mean`: what is done before the request holds for it, and is about these columns. */
export function removalIn(clause: string, all: readonly string[], script: Script): Constraints | null {
  const read = clause !== all.at(-1) && REMOVES.test(clause) ? readConstraint(clause, script) : null;
  if (read?.kind !== 'constraint') return null;
  const figures = script.clauseOf(clause).columns.filter(({ role }) => role === 'figure');
  if (figures.length > 0) script.focus = figures;
  return read.constraints;
}

/** `split a into … and average b`: of each of the groups. */
const EACH = /\b(?:each|every|per|by)\b/iu;

/** A request after groups were made in the same sentence. */
export function ofEachGroup(clause: string): string {
  return EACH.test(clause) ? clause : `${clause.replace(/[.?!]+$/u, '')} in each group`;
}

/**
 * What stands outside of a list holds for all its items; what stands in an item, for that one. An item that asks nothing is a step, and what
 * it says holds for all after it.
 */
export function constraintsFor(
  { item }: Unit,
  constrained: ReadonlyMap<Unit, Constraints>,
  asking: readonly Unit[],
): Constraints {
  const asked = new Set(asking.map((unit) => unit.item));
  let all = NO_CONSTRAINTS;
  for (const [unit, constraints] of constrained) {
    const isStep = unit.item !== null && item !== null && unit.item < item && !asked.has(unit.item);
    if (unit.item === null || unit.item === item || isStep) all = joined(all, constraints);
  }
  return all;
}
