import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import { purposeOf } from '../../plan/wording.js';
import type { TaskStep } from '../../ports/task-step.js';
import { bullets, inert, numberedList } from '../../shared/markdown.js';
import { capital, firstFew } from '../../shared/number-words.js';
import { DEFAULT_STEPS, DEFAULT_TOOL_CALLS } from '../question.js';
import { comparisonOf } from './changes.js';
import { qualityOf } from './data-quality.js';
import { figuresOf } from './figures.js';
import { isAnswered, type AskedQuery, type Finding, type Material, type SubjectQuality } from './findings.js';
import { followUpsOf, generalLook, type Look } from './general-look.js';
import { readPrompt, type PromptReading } from './prompt-reader.js';
import type { TaskAssignment, TaskSubject } from './task-assignment.js';
import { questionsFor, shareOf, type QuestionPlan } from './task-questions.js';
import type { TaskQuestion, TaskRun } from './task-run.js';
import type { StepWords } from './task-steps.js';

const ROUNDS = 2;
const MAX_FOLLOW_UPS = 6;
/** The rows of further datasources are not looked at one by one. */
const MAX_QUALITY = 20;
/** Datasources that a model is told of at once: each costs it up to 2,700 tokens a round. */
const MAX_TOGETHER = 8;
const MAX_PROMPT = 8000;
const MAX_ASKED = 300;
const HOW_TO_INVESTIGATE = `Investigate the task below. Call \`plan\` first, with the steps that you mean to take. Then look, at whichever datasource a step needs, and follow what you find: where a result points, look next, and call \`plan\` again when your steps change. Hold what may be behind it against each other with figures before you name one cause. End with the answer: what drives it and by how much, the figures that show it, and what you ruled out.`;

/** Finds out what a task asks for: the questions of its prompt, the general look, what results give reason to ask, the rows' quality. */
export class Investigation {
  private readonly assignment: TaskAssignment;
  private readonly reading: PromptReading;
  private readonly plan: QuestionPlan;
  private readonly findings: Finding[] = [];
  private readonly quality: SubjectQuality[] = [];
  private readonly notes: string[] = [];
  private readonly seen = new Set<string>();
  private isWritten = false;

  constructor(private readonly run: TaskRun) {
    this.assignment = run.assignment;
    this.reading = readPrompt(run.assignment.prompt);
    this.plan = questionsFor(run.assignment, this.reading, run.model);
  }

  /** The steps of the work; returns all that was found. */
  async *work(): AsyncGenerator<TaskStep, Material> {
    const { thinking } = this.assignment;
    if (thinking && !this.isReport && this.run.model.writesFreely) yield* this.letModelPlan();
    if (!this.isWritten) {
      if (thinking) yield this.planStep();
      yield* this.askAll();
      if (this.wantsOverview) yield* this.lookAround();
      if (thinking) yield* this.lookFurther();
    }
    if (thinking || this.isReport) yield* this.lookAtQuality();
    return this.material();
  }

  private get isReport(): boolean {
    return this.assignment.mode === 'report';
  }

  private get wantsOverview(): boolean {
    return this.isReport || this.reading.wantsOverview;
  }

  /** One answer over all datasources, whose steps the model chooses, within what the run may take. */
  private async *letModelPlan(): AsyncGenerator<TaskStep> {
    const { run, assignment } = this;
    const { prompt, subjects } = assignment;
    const [subject, ...others] = subjects.slice(0, MAX_TOGETHER);
    if (subject === undefined) return;
    const { name } = run.model;
    const finding = yield* run.ask({
      ...{ subject, others, plan: null, origin: 'prompt' },
      ...{ asked: prompt.slice(0, MAX_ASKED), text: `${HOW_TO_INVESTIGATE}\n\n${prompt.slice(0, MAX_PROMPT)}` },
      ...{ steps: run.model.stepsLeft, toolCalls: run.model.callsLeft },
    });
    // Who stands in for a model that went away plans nothing, and reads one datasource at a time.
    if (!run.model.writesFreely) {
      this.notes.push(`The model ${inert(name)} was not available, so the ${run.model.name} worked on this.`);
      return;
    }
    this.isWritten = true;
    this.findings.push(finding);
    yield run.step('check', checkedWords(finding.unverified));
    const left = subjects.slice(MAX_TOGETHER).map(({ name }) => inert(name));
    if (left.length > 0)
      this.notes.push(`Not included, because a model reads at most ${MAX_TOGETHER} at once: ${firstFew(left)}.`);
  }

  private planStep(): TaskStep {
    const { subjects } = this.assignment;
    const name = (subject: TaskSubject): string => (subjects.length > 1 ? ` (${inert(subject.name)})` : '');
    const why = this.isReport ? 'a report needs them' : 'the task asks for a general look';
    const lines = [
      ...this.plan.questions.map(
        ({ asked, subject }) => `Ask${name(subject)}: “${inert(asked, 300)}”, because the task asks it.`,
      ),
      ...(this.wantsOverview ? subjects : []).map(
        (subject) =>
          `Look around${name(subject)}: rows, time span, main figures, groups, development, outliers, because ${why}.`,
      ),
      'Look further where a result gives reason to: what a figure is made of, how the largest group developed, what stands behind the highest time.',
      ...(subjects.length > 1 ? ['Hold the figures that the datasources have in common against each other.'] : []),
      'Check what the figures rest on: missing values, gaps in time, duplicates.',
    ];
    return this.run.step('plan', { title: 'Plan', content: numberedList(lines) });
  }

  private async *askAll(): AsyncGenerator<TaskStep> {
    const { questions, unasked } = this.plan;
    for (const [index, question] of questions.entries()) {
      const share = shareOf(this.run.model, questions.length - index);
      if (this.run.isLate || share.steps < 2) {
        this.leaveOut(questions.slice(index));
        break;
      }
      const finding = yield* this.run.ask({ ...question, ...share });
      for (const query of finding.queries) this.seen.add(keyOf(query.subject, query.plan));
      this.findings.push(finding);
    }
    if (unasked.length === 0) return;
    const names = firstFew(unasked.map(({ name }) => inert(name)));
    this.notes.push(
      `Not asked, because a run has a limited number of model steps: ${names}. Thinking allows more; so do several tasks.`,
    );
  }

  private leaveOut(questions: readonly Pick<TaskQuestion, 'asked'>[]): void {
    const named = [...new Set(questions.map(({ asked }) => `“${inert(asked, 200)}”`))];
    const why = this.run.isLate ? 'the time of a run is limited' : 'a run has a limited number of model steps';
    this.notes.push(`Not asked, because ${why}: ${firstFew(named)}.`);
  }

  private async *lookAround(): AsyncGenerator<TaskStep> {
    for (const subject of this.assignment.subjects) {
      for (const look of generalLook(subject, this.assignment.thinking)) {
        if (this.run.isLate) {
          this.notes.push(`There was no time left to look at all of ${inert(subject.name)}.`);
          break;
        }
        yield* this.look(look, 'overview');
      }
    }
  }

  /** Rounds of questions that earlier results give reason to ask. */
  private async *lookFurther(): AsyncGenerator<TaskStep> {
    let looked = 0;
    let latest: readonly Finding[] = this.findings.filter(isWorthFollowing);
    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = this.findings.length;
      for (const followUp of inTurns(latest.map(followUpsOf))) {
        if (looked >= MAX_FOLLOW_UPS || this.run.isLate) return;
        if (yield* this.look(followUp, 'follow-up')) looked += 1;
      }
      latest = this.findings.slice(before);
    }
  }

  /** Asks a plan of ours, unless it was asked before. What can't be worked out is no finding; its problem is told already. */
  private async *look(
    { subject, plan, heading, reason }: Look,
    origin: Finding['origin'],
  ): AsyncGenerator<TaskStep, boolean> {
    const key = keyOf(subject, plan);
    if (this.seen.has(key)) return false;
    this.seen.add(key);
    const finding = yield* this.run.ask({
      ...{ subject, plan, origin, asked: capital(heading), text: heading },
      ...{ steps: DEFAULT_STEPS, toolCalls: DEFAULT_TOOL_CALLS },
    });
    if (!isAnswered(finding)) return true;
    const why = reason === null ? '' : `\n\nIncluded because ${inert(reason, 200)}.`;
    this.findings.push({ ...finding, text: `${finding.text}${why}` });
    return true;
  }

  private async *lookAtQuality(): AsyncGenerator<TaskStep> {
    const type = this.assignment.thinking ? 'check' : 'query';
    for (const subject of this.assignment.subjects.slice(0, MAX_QUALITY)) {
      if (this.run.isLate) return;
      this.quality.push({ subject, sentences: yield* qualityOf(this.run, subject, type) });
    }
  }

  private material(): Material {
    const { run, assignment, findings } = this;
    const figures = figuresOf(findings.flatMap(comparableQueries));
    const invented = findings.flatMap(({ question, unverified }) =>
      unverified.length === 0
        ? []
        : [
            `In the answer to “${inert(question, 200)}” these figures stand in no result, so don’t rely on them: ${firstFew(unverified.map((one) => inert(one)))}.`,
          ],
    );
    const said = assignment.answerer?.notice == null ? [] : [assignment.answerer.notice];
    return {
      assignment,
      reading: this.reading,
      findings,
      figures,
      comparison: comparisonOf(figures, assignment.subjects),
      quality: this.quality,
      queries: run.queries,
      sources: run.sources.all,
      notes: [...said, ...run.problems, ...this.notes, ...invented],
      model: run.model.name,
      isWritten: this.isWritten,
      startedAt: run.startedAt,
    };
  }
}

/** What a look at the figures of a text has found. */
export function checkedWords(unknown: readonly string[]): StepWords {
  return unknown.length === 0
    ? { title: 'Every figure of the text stands in a result' }
    : { title: 'Figures of the text that stand in no result', content: bullets(unknown.map((one) => inert(one))) };
}

/** Unusual rows are those beyond a limit that moves with the rows: their figures compare with no other run. */
function comparableQueries({ origin, queries }: Finding): readonly AskedQuery[] {
  return origin === 'prompt' || queries.at(-1)?.plan?.kind === 'aggregate' ? queries : [];
}

/** Counts that the general look makes say little of what stands behind them. */
function isWorthFollowing(finding: Finding): boolean {
  const plan = finding.queries.at(-1)?.plan;
  const isCount = plan?.kind === 'aggregate' && plan.measures[0]?.column === null;
  return isAnswered(finding) && (finding.origin === 'prompt' || !isCount);
}

/** The same for plans that ask the same in other labels. */
function keyOf({ datasourceId }: TaskSubject, plan: AnalysisPlan | null): string {
  return `${datasourceId} ${plan === null ? '' : purposeOf(plan)}`;
}

/** The first of each list before the second of any. */
export function inTurns<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}
