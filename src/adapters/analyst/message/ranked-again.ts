import type { Aggregate, AggregatePlan, AnalysisPlan } from '../../../ports/analysis-plan.js';
import { purposeOf } from '../plan-words.js';
import type { Clause } from '../statistics/clause.js';
import type { Script } from '../statistics/script.js';
import type { Understanding } from './understanding.js';

const WHICH =
  /^(?:and |then )?(?:(?:for|in|at|on) )?(?:which|what)\b|^(?:report|give|state|name|identify|find|determine|tell me|say|show)\b/iu;
const EXTREME =
  /\b(?:the )?(?<extreme>highest|lowest|largest|smallest|greatest|biggest|least|widest|narrowest|steepest|strongest|weakest|maximum|minimum)\b/iu;
const LOW = /^(?:lowest|smallest|least|narrowest|weakest|minimum)$/iu;
const CALLED: Readonly<Record<string, RegExp>> = {
  ratio: /\b(?:ratio|quotient|share|proportion|coefficient of variation|cv)\b/iu,
  percent: /\b(?:percentage|percent|share|rate|proportion)\b/iu,
  difference: /\b(?:difference|gap)\b/iu,
};
const NEEDED: ReadonlySet<string> = new Set([
  'word',
  'quoted',
  'number',
  'operator',
  'negation',
  'value',
  'time',
  'date',
  'ambiguous',
]);

/** The extreme itself, and verbs before it. */
const SAYS_NOTHING = new RegExp(
  String.raw`${EXTREME.source}|^(?:shows?|exhibits?|displays?|records?|sees|reaches|achieves?|oversees)$`,
  'iu',
);

/** `which department has the largest ratio?`, of the ratios of each department that the question before gave. */
export function rankedAgain(text: string, before: AnalysisPlan | null, script: Script): Understanding | null {
  const direction = directionIn(text);
  if (before?.kind !== 'aggregate' || direction === null) return null;
  const clause = script.clauseOf(text);
  const label = namesOnly(clause, before) ? labelOf(before, clause, text) : null;
  if (label === null) return null;
  const plan: AggregatePlan = { ...before, order: [{ by: label, direction }], limit: 1 };
  return { kind: 'plan', plan, purpose: purposeOf(plan), notes: [], unread: [], confidence: 1 };
}

function directionIn(text: string): 'asc' | 'desc' | null {
  const extreme = WHICH.test(text) ? EXTREME.exec(text)?.groups?.['extreme'] : undefined;
  if (extreme === undefined) return null;
  return LOW.test(extreme) ? 'asc' : 'desc';
}

/** It speaks of the groups alone, by their column or as `group`. */
function namesOnly({ columns, pieces }: Clause, { dimensions }: AggregatePlan): boolean {
  const [dimension, another] = dimensions;
  if (dimension === undefined || another !== undefined) return false;
  return (
    columns.every(({ name }) => name === dimension.column) &&
    pieces.every(
      ({ kind, text }, place) =>
        !NEEDED.has(kind) || SAYS_NOTHING.test(text) || isCalled(text) || (place === 1 && kind === 'word'),
    )
  );
}

function isCalled(text: string): boolean {
  return Object.values(CALLED).some((pattern) => pattern.test(text));
}

/** The figure that is named, by its kind; of figures that were worked out from others the last. */
function labelOf(plan: AggregatePlan, clause: Clause, text: string): string | null {
  const { measures, computed = [] } = plan;
  const worked = computed.find(({ kind }) => CALLED[kind]?.test(text) === true);
  if (worked !== undefined) return worked.label;
  if (computed.length > 0) return null;
  const figures = new Set(clause.all('figure').map(({ aggregate }) => aggregate));
  const named = measures.filter(({ aggregate }) => figures.has(plainOf(aggregate)));
  const [only, another] = figures.size === 0 ? measures : named;
  return only === undefined || another !== undefined ? null : only.label;
}

function plainOf(aggregate: Aggregate): Aggregate {
  return SAMPLES.get(aggregate) ?? aggregate;
}

const SAMPLES: ReadonlyMap<Aggregate, Aggregate> = new Map([
  ['stddev_pop', 'stddev'],
  ['variance_pop', 'variance'],
]);
