import type { Measure } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import type { TaskStep } from '../../ports/task-step.js';
import type { Finding } from './finding.js';
import { countOf, inline, momentWords, numberWords } from './markdown-words.js';
import { outliersOf } from './outliers.js';
import {
  aggregation,
  basisOf,
  byColumn,
  byTime,
  mainMeasure,
  measure,
  worked,
  type PlannedFinding,
} from './plan-findings.js';
import { measureWords } from './plan-words.js';
import { bucketFor, groupsOf, measuresOf, spanOf, type SubjectMeasure } from './subject-measures.js';
import type { TaskRun } from './task-run.js';
import type { TaskSubject } from './task-assignment.js';

/** The general look at one datasource that needs no question: size, time, figures, groups, development, outliers. */
export async function* overviewOf(run: TaskRun, subject: TaskSubject): AsyncGenerator<TaskStep, readonly Finding[]> {
  const measures = measuresOf(subject.profile, subject.semantics);
  const size = yield* sizeOf(run, subject);
  const spread = yield* figuresOf(run, subject, measures);
  const looked = yield* lookedAt(run, plannedOf(subject, measures, run.assignment.thinking));
  const findings = [...size, ...(spread === null ? [] : [spread.finding]), ...looked];
  const [main] = measures;
  if (main === undefined || spread === null || run.isLate) return findings;
  return [...findings, ...(yield* outliersOf(run, subject, { main, spread: spread.result }))];
}

async function* lookedAt(
  run: TaskRun,
  planned: readonly PlannedFinding[],
): AsyncGenerator<TaskStep, readonly Finding[]> {
  const findings: Finding[] = [];
  for (const one of planned) {
    if (run.isLate) break;
    const finding = yield* worked(run, one);
    if (finding !== null) findings.push(finding);
  }
  return findings;
}

async function* sizeOf(run: TaskRun, subject: TaskSubject): AsyncGenerator<TaskStep, readonly Finding[]> {
  const { profile } = subject;
  const isTimed = spanOf(profile) !== null;
  const measures = [
    measure('count', null),
    measure('count_distinct', profile.metaField),
    ...(isTimed ? [measure('min', profile.timeField), measure('max', profile.timeField)] : []),
  ];
  const plan = aggregation({ measures });
  const result = yield* run.ask({ subject, plan, purpose: 'how many rows there are and what time they span' });
  const asked = run.queries.at(-1);
  if (result === null || asked === undefined) return [];
  const text = sizeWords(result, profile.metaField);
  return [{ ...FOUND, subject, question: 'Size and time', text, queries: [asked], basis: '' }];
}

function sizeWords({ rows: [row] }: QueryResult, metaField: string): string {
  const [rows, groups, from, to] = row ?? [];
  const span =
    typeof from === 'string' && typeof to === 'string'
      ? `, from **${momentWords(from, null)}** to **${momentWords(to, null)}**`
      : '';
  const values = Number(groups ?? 0);
  const about = values > 0 ? ` about ${countOf(values, 'different value')} of ${inline(metaField)}` : '';
  return `There ${rows === 1 ? 'is' : 'are'} **${countOf(Number(rows), 'row')}**${about}${span}.`;
}

const FOUND = { origin: 'overview', kind: 'answer', picture: null, sources: [] } as const;

interface Spread {
  readonly finding: Finding;
  readonly result: QueryResult;
}

const SPREAD = ['avg', 'min', 'max', 'stddev'] as const;

async function* figuresOf(
  run: TaskRun,
  subject: TaskSubject,
  measures: readonly SubjectMeasure[],
): AsyncGenerator<TaskStep, Spread | null> {
  if (measures.length === 0) return null;
  const wanted = measures.flatMap((one, index): readonly Measure[] => [
    ...(one.isAdditive ? [measure('sum', one.column, index)] : []),
    ...SPREAD.map((aggregate) => measure(aggregate, one.column, index)),
  ]);
  const plan = aggregation({ measures: wanted });
  const result = yield* run.ask({
    subject,
    plan,
    purpose: `the main figures of ${measures.map(({ column }) => column).join(', ')}`,
  });
  const asked = run.queries.at(-1);
  if (result === null || asked === undefined) return null;
  const lines = measures.map((one) => spreadWords(one, wanted, result));
  return {
    finding: {
      ...FOUND,
      subject,
      question: 'Main figures',
      text: lines.join(' '),
      queries: [asked],
      basis: basisOf(subject, plan, result),
    },
    result,
  };
}

function spreadWords(
  { column, isAdditive }: SubjectMeasure,
  measures: readonly Measure[],
  result: QueryResult,
): string {
  const figure = (aggregate: Measure['aggregate']): string => {
    const place = measures.findIndex((one) => one.aggregate === aggregate && one.column === column);
    const value = result.rows[0]?.[place];
    return typeof value === 'number' ? numberWords(value) : '–';
  };
  const name = inline(column);
  const range = `between ${figure('min')} and ${figure('max')}`;
  if (isAdditive) return `The total ${name} is **${figure('sum')}** (${figure('avg')} a row on average, ${range}).`;
  return `The average ${name} is **${figure('avg')}** (${range}).`;
}

/** The groups and the development of the main figure; of the second figure too where there is time to think. */
function plannedOf(
  subject: TaskSubject,
  measures: readonly SubjectMeasure[],
  isThorough: boolean,
): readonly PlannedFinding[] {
  const { profile } = subject;
  const [group, other] = groupsOf(profile);
  const span = spanOf(profile);
  const common = { subject, origin: 'overview', isDrawn: true } as const;
  const planned: PlannedFinding[] = [];
  for (const [index, one] of measures.slice(0, isThorough ? 2 : 1).entries()) {
    const figure = mainMeasure(one);
    const what = measureWords(figure);
    if (group !== undefined) {
      planned.push({
        ...common,
        plan: byColumn(figure, group.name),
        purpose: `${what} by ${group.name}`,
        question: `${what} by ${group.name}`,
        isDrawn: index === 0,
      });
    }
    if (span !== null) {
      const bucket = bucketFor(span);
      const plan = byTime(figure, { column: profile.timeField, bucket });
      planned.push({ ...common, plan, purpose: `${what} by ${bucket}`, question: `How the ${what} developed` });
    }
  }
  const counted = measures.length > 0 ? other : group;
  if (counted !== undefined) {
    const plan = byColumn(measure('count', null), counted.name);
    planned.push({ ...common, plan, purpose: `rows by ${counted.name}`, question: `Rows by ${counted.name}` });
  }
  return planned;
}
