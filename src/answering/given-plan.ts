import { purposeOf } from '../plan/wording.js';
import { profileFor } from '../plan/joined-profile.js';
import { visibleNames } from '../plan/visible-names.js';
import { type AnalysisPlan, columnsOfPlan } from '../ports/analysis-plan.js';
import type { TableBriefing } from '../ports/chat-model.js';
import { AppError, type FieldProblem } from '../shared/app-error.js';
import { isRecord } from '../shared/json.js';
import { capital } from '../shared/number-words.js';
import { planSchema } from '../plan/plan-schema.js';

/** Problems of one plan that are told at once. */
const MOST_PROBLEMS = 10;
const LONGEST_WORDS = 2000;

/** A plan from outside. @throws AppError `invalid_input`, which names the fields. */
export function planFrom(given: unknown): AnalysisPlan {
  const checked = planSchema.safeParse(given);
  if (checked.success) return checked.data;
  throw refusal(
    checked.error.issues.map(({ path, message }) => ({ field: ['plan', ...path].join('.'), problem: message })),
  );
}

/** What a plan asks, as a question of the conversation. */
export function questionOf(plan: AnalysisPlan): string {
  return capital(purposeOf(plan).slice(0, LONGEST_WORDS));
}

/** Whether the table, and what the plan joins, have the columns that it reads. @throws AppError `invalid_input`, which names the fields. */
export function assertColumns(plan: AnalysisPlan, table: Pick<TableBriefing, 'profile' | 'joined'>): void {
  const names = profileFor(plan, table).columns.map(({ name }) => name);
  const told = [...names, ...visibleNames(names)];
  // A column of the joined table may have its name before it always.
  const { join } = plan;
  const qualified = join === undefined ? [] : told.map((name) => `${join.table}.${name}`);
  const known = new Set([...told, ...qualified].map((name) => name.toLowerCase()));
  const unknown = columnsOfPlan(plan).filter((name) => !known.has(name.toLowerCase()));
  if (unknown.length === 0) return;
  throw refusal(
    unknown.map((name) => ({
      field: placeOf(name, plan, 'plan') ?? 'plan',
      problem: `there is no column "${name.slice(0, 100)}"`,
    })),
  );
}

function refusal(problems: readonly FieldProblem[]): AppError {
  const [first] = problems;
  const message = first === undefined ? 'the plan is not valid' : `${first.field}: ${first.problem}`;
  return new AppError('invalid_input', message, { details: problems.slice(0, MOST_PROBLEMS) });
}

/** Fields whose text is no column. */
const OTHER_TEXTS: readonly string[] = ['kind', 'label', 'labels', 'name', 'values', 'value', 'text', 'aggregate'];

/** The first field of the plan that names the column. */
function placeOf(name: string, part: unknown, at: string): string | null {
  if (part === name) return at;
  if (!isRecord(part) && !Array.isArray(part)) return null;
  for (const [field, below] of Object.entries(part)) {
    const found = OTHER_TEXTS.includes(field) ? null : placeOf(name, below, `${at}.${field}`);
    if (found !== null) return found;
  }
  return null;
}
