import { ownWeights } from '../../src/analyst/reading/weights.js';
import { Reader } from '../../src/analyst/reading/reader.js';
import { understandAll } from '../../src/analyst/understand.js';
import type { Part, Understanding } from '../../src/analyst/understanding.js';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { HistoryTurn } from '../../src/ports/chat-model.js';
import {
  type CorpusQuestion,
  type CorpusTable,
  type Gold,
  openTables,
  type PlanGrade,
  tablesIn,
  type TrueTable,
} from './corpus.js';

/**
 * `wrong`: given as an answer. `offered`: among the readings to choose from. `refused`: an honest no. Of the unanswerable: `declined`, or
 * `answered` all the same.
 */
export type Outcome = 'right' | 'wrong' | 'offered' | 'refused' | 'declined' | 'answered';

/** What became of a message. */
export interface Asked {
  readonly author: string;
  readonly question: CorpusQuestion;
  readonly table: TrueTable;
  /** The conversation before it. */
  readonly history: readonly HistoryTurn[];
  /** The training had questions about the same table. */
  readonly isKnownTable: boolean;
  readonly outcome: Outcome;
  /** How loosely the answers fit what was asked. */
  readonly grade: PlanGrade;
  readonly parts: readonly Part[];
  /** How sure the likeliest reading is, and whether it is right, answered or not. */
  readonly first: { readonly confidence: number; readonly isRight: boolean };
  /** The number of rows is the right answer. */
  readonly isRowCount: boolean;
  readonly milliseconds: number;
}

interface Surroundings {
  readonly tables: ReadonlyMap<string, CorpusTable>;
  /** Tables that the training knows. */
  readonly trained: ReadonlySet<string>;
  /** No error may quote a question. */
  readonly isSecret: boolean;
}

/** Asks all questions, each author's on a table as one conversation. */
export async function askAll(
  sets: ReadonlyMap<string, readonly CorpusQuestion[]>,
  { tables, trained, isSecret }: Surroundings,
): Promise<readonly Asked[]> {
  const opened = await openTables(tablesIn(sets), tables);
  const asked: Asked[] = [];
  for (const [author, questions] of sets) {
    const conversations = new Map<string, readonly Turn[]>();
    for (const question of questions) {
      const table = opened.get(question.table);
      if (table === undefined) throw new Error(`there is no table ${question.table}`);
      const turns = conversations.get(question.table) ?? [];
      const isKnownTable = trained.has(question.table);
      const history = turnsBefore(question, turns);
      const { turn, ...found } = await ask(question, table, history).catch((error: unknown) => {
        throw isSecret ? new Error('a gold answer does not come out of its table') : error;
      });
      conversations.set(question.table, [...turns, turn]);
      asked.push({ author, question, table, history, isKnownTable, ...found });
    }
  }
  return asked;
}

interface Turn extends HistoryTurn {
  readonly id: string;
}

/** A question that goes on with an earlier one was asked directly after it. */
function turnsBefore({ after }: CorpusQuestion, turns: readonly Turn[]): readonly Turn[] {
  const place = turns.findIndex(({ id }) => id === after);
  return place < 0 ? turns : turns.slice(0, place + 1);
}

type Found = Pick<Asked, 'outcome' | 'grade' | 'parts' | 'first' | 'isRowCount' | 'milliseconds'>;

async function ask(
  question: CorpusQuestion,
  table: TrueTable,
  history: readonly Turn[],
): Promise<Found & { readonly turn: Turn }> {
  const now = table.moment;
  const begun = performance.now();
  const parts = understandAll(question.q, table.briefing, history, now);
  const milliseconds = performance.now() - begun;
  const before = history.findLast(({ plan }) => plan !== null)?.plan ?? null;
  const readings = new Reader(table.briefing, now, ownWeights()).read(question.q, before);
  const golds = [question.sql ?? []].flat().map((sql) => table.gold(sql, question));
  const grader = new Grader(table, await Promise.all(golds));
  const plans = parts.flatMap(({ understanding }) => (understanding.kind === 'plan' ? [understanding.plan] : []));
  return {
    outcome: question.none === undefined ? await grader.outcome(parts) : plans.length > 0 ? 'answered' : 'declined',
    grade: await grader.grade(plans),
    parts,
    first: {
      confidence: Math.min(...readings.map(({ confidence }) => confidence)),
      isRight: await grader.areRight(readings.map((reading) => reading.plans[0] ?? null)),
    },
    isRowCount: await grader.areRight([ROW_COUNT]),
    milliseconds,
    turn: { id: question.id, question: question.q, answer: '', dbquery: '', plan: plans.at(-1) ?? null },
  };
}

const ROW_COUNT: AnalysisPlan = {
  kind: 'aggregate',
  measures: [{ aggregate: 'count', column: null, label: 'rows' }],
  dimensions: [],
  filters: [],
  having: [],
  order: [],
  limit: null,
};

/** Compares readings with the gold answers of a message, of which each needs a reading. */
class Grader {
  constructor(
    private readonly table: TrueTable,
    private readonly golds: readonly Gold[],
  ) {}

  /** A message is answered rightly where all its questions are, and wrongly where one is. */
  async outcome(parts: readonly Part[]): Promise<Outcome> {
    const outcomes: Outcome[] = [];
    for (const [place, { understanding }] of parts.entries()) outcomes.push(await this.outcomeOf(place, understanding));
    if (outcomes.includes('wrong')) return 'wrong';
    if (parts.length !== this.golds.length) return outcomes.includes('right') ? 'wrong' : 'refused';
    if (outcomes.includes('refused')) return 'refused';
    return outcomes.includes('offered') ? 'offered' : 'right';
  }

  async areRight(plans: readonly (AnalysisPlan | null)[]): Promise<boolean> {
    if (this.golds.length === 0 || plans.length !== this.golds.length) return false;
    for (const [place, plan] of plans.entries()) if (!(await this.isRight(place, plan))) return false;
    return true;
  }

  /** The loosest of the grades. */
  async grade(plans: readonly AnalysisPlan[]): Promise<PlanGrade> {
    const grades: PlanGrade[] = [];
    for (const [place, gold] of this.golds.entries()) {
      const plan = plans[place];
      grades.push(plan === undefined ? 'wrong' : await this.table.grade(plan, gold));
    }
    return (['wrong', 'listed', 'surplus'] as const).find((grade) => grades.includes(grade)) ?? 'exact';
  }

  private async outcomeOf(place: number, understanding: Understanding): Promise<Outcome> {
    switch (understanding.kind) {
      case 'plan':
        return (await this.isRight(place, understanding.plan)) ? 'right' : 'wrong';
      case 'choice':
        for (const { plan } of understanding.readings) if (await this.isRight(place, plan)) return 'offered';
        return 'refused';
      case 'unclear':
        return 'refused';
    }
  }

  private async isRight(place: number, plan: AnalysisPlan | null): Promise<boolean> {
    const gold = this.golds[place];
    return plan !== null && gold !== undefined && (await this.table.grade(plan, gold)) !== 'wrong';
  }
}
