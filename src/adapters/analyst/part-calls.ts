import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import { chartWishOf } from './chart-wish.js';
import type { Part, Understanding } from './message/understanding.js';
import { boundsPlanFor } from '../../analyst/charts/outlier-bounds.js';
import { sampleFor } from './sample-choice.js';
import type { Sample } from './samples.js';
import type { TableFacts } from './table-facts.js';

type Understood = Understanding & { readonly kind: 'plan' };

/** A query that an answer needs. */
export interface PlannedCall {
  readonly id: string;
  readonly plan: AnalysisPlan;
  readonly purpose: string;
}

/** One question of a message that was read, and the queries that answer it. */
export interface PlannedPart {
  readonly part: Part;
  readonly read: Understood;
  readonly main: PlannedCall;
  readonly bounds: PlannedCall | null;
  readonly sample: (PlannedCall & { readonly sample: Sample }) | null;
}

/** A purpose is a sentence; the tool takes no longer ones. */
const MAX_PURPOSE = 1900;
/** Of several questions so many get what goes beyond their figures; an answer has only so many calls. */
const MAX_BOUNDS = 2;

/** The queries of all questions that were read: at most two for each beyond the first, and points for one picture. */
export function plannedParts(parts: readonly Part[], facts: TableFacts): readonly PlannedPart[] {
  let hasSample = false;
  let bounds = 0;
  return parts.flatMap((part, index) => {
    const read = part.understanding;
    if (read.kind !== 'plan') return [];
    const ending = index === 0 ? '' : `_${index + 1}`;
    const sample = hasSample ? null : sampleCall(part, read, { facts, ending });
    const limits = bounds < MAX_BOUNDS ? boundsCall(read, ending) : null;
    hasSample ||= sample !== null;
    bounds += limits === null ? 0 : 1;
    return [{ part, read, main: callOf(`analyze${ending}`, read.plan, read.purpose), bounds: limits, sample }];
  });
}

function callOf(id: string, plan: AnalysisPlan, purpose: string): PlannedCall {
  return { id: `call_${id}`, plan, purpose: purpose.slice(0, MAX_PURPOSE) };
}

function sampleCall(
  part: Part,
  read: Understood,
  { facts, ending }: { readonly facts: TableFacts; readonly ending: string },
): PlannedPart['sample'] {
  const sample = sampleFor(read, chartWishOf(part.question), facts);
  if (sample === null) return null;
  return { ...callOf(`sample${ending}`, sample.plan, `the rows behind ${read.purpose}`), sample };
}

function boundsCall(read: Understood, ending: string): PlannedCall | null {
  const plan = boundsPlanFor(read.plan);
  return plan === null ? null : callOf(`bounds${ending}`, plan, `the limits of ${read.purpose}`);
}

/** In the order in which they run: an answer rests on its last query, so what goes beyond the figures comes first. */
export function callsOf(planned: readonly PlannedPart[]): readonly PlannedCall[] {
  const before = planned.flatMap(({ sample, bounds }) => [sample, bounds].filter((call) => call !== null));
  return [...before, ...planned.map(({ main }) => main)].map(({ id, plan, purpose }) => ({ id, plan, purpose }));
}
