import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { TaskStep } from '../../ports/task-step.js';
import { Asking, type TaskQuestion } from './asking.js';
import { comparisonOf } from './comparison.js';
import { figuresOf } from './figures.js';
import { isAnswered, type Finding } from './finding.js';
import { followUpsOf } from './follow-ups.js';
import { KnownSources } from './known-sources.js';
import { inline, numbered } from './markdown-words.js';
import type { Material, SubjectQuality } from './material.js';
import { overviewOf } from './overview.js';
import { worked } from './plan-findings.js';
import { readPrompt, type PromptReading } from './prompt-reader.js';
import { qualityOf } from './quality.js';
import { recheckOf, verdictOf, verdictWords, type Recheck } from './rechecks.js';
import { questionsFor, shareOf, type QuestionPlan } from './task-questions.js';
import type { TaskAssignment, TaskSubject } from './task-assignment.js';
import type { TaskRun } from './task-run.js';
import { inTurns } from './turns.js';

const ROUNDS = 2;
const MAX_FOLLOW_UPS = 6;
const MAX_CHECKS = 8;
/** Checks and follow-ups of many datasources go no further than these. */
const MAX_QUALITY = 20;

/** Finds out what a task asks for: questions of its prompt, the general look, what results give reason to ask, checks. */
export class Investigation {
  private readonly assignment: TaskAssignment;
  private readonly reading: PromptReading;
  private readonly plan: QuestionPlan;
  private readonly sources = new KnownSources();
  private readonly asking: Asking;
  private readonly findings: Finding[] = [];
  private readonly checks: string[] = [];
  private readonly quality: SubjectQuality[] = [];
  private readonly notes: string[] = [];

  constructor(private readonly run: TaskRun) {
    this.assignment = run.assignment;
    this.reading = readPrompt(run.assignment.prompt);
    this.plan = questionsFor(run.assignment, this.reading, run.model);
    this.asking = new Asking(run, this.sources);
  }

  /** The steps of the work; returns all that was found. */
  async *work(): AsyncGenerator<TaskStep, Material> {
    if (this.assignment.thinking) yield this.planStep();
    yield* this.askAll();
    if (this.wantsOverview) yield* this.lookAround();
    if (this.assignment.thinking) yield* this.lookFurther();
    if (this.assignment.thinking || this.isReport) yield* this.lookAtQuality();
    if (this.assignment.thinking) yield* this.checkFigures();
    return this.material();
  }

  private get isReport(): boolean {
    return this.assignment.mode === 'report';
  }

  private get wantsOverview(): boolean {
    return this.isReport || this.reading.wantsOverview;
  }

  private planStep(): TaskStep {
    const { subjects } = this.assignment;
    const name = (subject: TaskSubject): string => (subjects.length > 1 ? ` (${inline(subject.name)})` : '');
    const lines = [
      ...this.plan.questions.map(
        ({ asked, subject }) => `Ask${name(subject)}: “${inline(asked, 300)}”, because the task asks it.`,
      ),
      ...(this.wantsOverview
        ? subjects.map(
            (subject) =>
              `Look around${name(subject)}: rows, time span, main figures, groups, development, outliers, because ${this.isReport ? 'a report needs them' : 'the task asks for a general look'}.`,
          )
        : []),
      'Look further where a result gives reason to: what a figure is made of, how the largest group developed, what stands behind a time that stands out.',
      ...(subjects.length > 1 ? ['Hold the figures that the datasources have in common against each other.'] : []),
      'Check: work the main figures out by a second query, look for missing values, gaps in time and duplicates.',
    ];
    return this.run.step('plan', { title: 'Plan', content: numbered(lines) });
  }

  private async *askAll(): AsyncGenerator<TaskStep> {
    const { questions, unasked } = this.plan;
    for (const [index, question] of questions.entries()) {
      const share = shareOf(this.run.model, questions.length - index);
      if (this.run.isLate || share.steps < 2) {
        this.leaveOut(questions.slice(index));
        break;
      }
      this.findings.push(yield* this.asking.ask({ ...question, ...share }));
    }
    if (unasked.length > 0) {
      const names = unasked
        .slice(0, 5)
        .map(({ name }) => inline(name))
        .join(', ');
      const more = unasked.length > 5 ? ` and ${unasked.length - 5} more` : '';
      this.notes.push(
        `Not asked, because a run has a limited number of model steps: ${names}${more}. Thinking allows more; so do several tasks.`,
      );
    }
  }

  private leaveOut(questions: readonly Pick<TaskQuestion, 'asked'>[]): void {
    const named = [...new Set(questions.map(({ asked }) => `“${inline(asked, 200)}”`))];
    const why = this.run.isLate ? 'the time of a run is limited' : 'a run has a limited number of model steps';
    this.notes.push(
      `Not asked, because ${why}: ${named.slice(0, 5).join(', ')}${named.length > 5 ? ` and ${named.length - 5} more` : ''}.`,
    );
  }

  private async *lookAround(): AsyncGenerator<TaskStep> {
    const asked = new Set(this.run.queries.map(({ subject, plan }) => keyOf(subject, plan)));
    for (const subject of this.assignment.subjects) {
      if (this.run.isLate) {
        this.notes.push(`There was no time left to look at ${inline(subject.name)} in general.`);
        continue;
      }
      const found = yield* overviewOf(this.run, subject);
      // What the prompt asked for already stands there in its own words.
      this.findings.push(
        ...found.filter(({ queries: [query] }) => query === undefined || !asked.has(keyOf(subject, query.plan))),
      );
    }
  }

  /** Rounds of questions that earlier results give reason to ask. */
  private async *lookFurther(): AsyncGenerator<TaskStep> {
    const seen = new Set(this.run.queries.map(({ subject, plan }) => keyOf(subject, plan)));
    let looked = 0;
    let latest: readonly Finding[] = this.findings.filter(isWorthFollowing);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const next: Finding[] = [];
      for (const followUp of inTurns(latest.map(followUpsOf))) {
        const key = keyOf(followUp.subject, followUp.plan);
        if (looked >= MAX_FOLLOW_UPS || this.run.isLate || seen.has(key)) continue;
        seen.add(key);
        looked += 1;
        const finding = yield* worked(this.run, followUp);
        if (finding !== null)
          next.push({ ...finding, text: `${finding.text}\n\nLooked at because ${inline(followUp.reason, 200)}.` });
      }
      this.findings.push(...next);
      latest = next;
    }
  }

  private async *lookAtQuality(): AsyncGenerator<TaskStep> {
    const type = this.assignment.thinking ? 'check' : 'query';
    for (const subject of this.assignment.subjects.slice(0, MAX_QUALITY)) {
      if (this.run.isLate) return;
      this.quality.push({ subject, sentences: yield* qualityOf(this.run, subject, type) });
    }
  }

  /** The figures that matter most, worked out by a query of another form. */
  private async *checkFigures(): AsyncGenerator<TaskStep> {
    const asked = this.findings.filter(isAnswered).flatMap(({ queries }) => queries.slice(-1));
    for (const check of distinctChecks(asked.flatMap((query) => recheckOf(query) ?? []))) {
      if (this.run.isLate) return;
      const purpose = `${check.what}, by a second query`;
      const told = (result: Parameters<typeof verdictWords>[1]): string => verdictWords(check, result);
      const result = yield* this.run.ask(
        { subject: check.subject, plan: check.plan, purpose },
        { type: 'check', told },
      );
      if (result !== null && verdictOf(check, result) !== 'unknown') {
        const name = this.assignment.subjects.length > 1 ? `${inline(check.subject.name)}: ` : '';
        this.checks.push(`${name}${verdictWords(check, result)}`);
      }
    }
  }

  private material(): Material {
    const { run, assignment } = this;
    const figures = figuresOf(this.findings.flatMap(({ queries }) => queries));
    return {
      assignment,
      reading: this.reading,
      findings: this.findings,
      figures,
      comparison: comparisonOf(figures, assignment.subjects),
      checks: this.checks,
      quality: this.quality,
      queries: run.queries,
      sources: this.sources.all,
      notes: [...run.problems, ...this.notes],
      model: run.model.name,
      startedAt: run.startedAt,
    };
  }
}

/** Counts that the general look makes say little of what stands behind them. */
function isWorthFollowing(finding: Finding): boolean {
  const plan = finding.queries.at(-1)?.plan;
  const isCount = plan?.kind === 'aggregate' && plan.measures[0]?.column === null;
  return isAnswered(finding) && (finding.origin === 'prompt' || !isCount);
}

/** The same for plans that ask the same in other labels. */
function keyOf(subject: TaskSubject, plan: AnalysisPlan | null): string {
  if (plan?.kind !== 'aggregate') return `${subject.datasourceId} ${JSON.stringify(plan)}`;
  const measures = plan.measures.map(({ aggregate, column }) => [aggregate, column]);
  const dimensions = plan.dimensions.map((dimension) => ({ ...dimension, label: '' }));
  return `${subject.datasourceId} ${JSON.stringify([measures, dimensions, plan.filters, plan.having, plan.limit])}`;
}

/** The same figure by two roads of the same kind is checked once. */
function distinctChecks(checks: readonly Recheck[]): readonly Recheck[] {
  const seen = new Set<string>();
  const known = checks.filter(({ subject, figure, expected }) => {
    const key = `${subject.datasourceId} ${figure} ${expected.toPrecision(9)}`;
    return !seen.has(key) && seen.add(key);
  });
  return known.slice(0, MAX_CHECKS);
}
