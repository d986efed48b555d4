import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import type { HistoryTurn, TableBriefing } from '../../../ports/chat-model.js';
import type { Clause } from '../statistics/clause.js';
import { withoutArithmeticWords } from '../statistics/prepared-text.js';
import { readStatistic } from '../statistics/question.js';
import type { Constraints, Script } from '../statistics/script.js';
import { isBasic, isTables } from '../statistics/text-kinds.js';
import { readWholly, understandTable } from '../table-question.js';
import { namesMethod } from './methods.js';
import { isPlan, withFilters } from './plan-readings.js';
import { candidatesOf } from './purposes.js';
import { goesOnFromGroups } from './references.js';
import { comparesNothing, contradicts, mergesSides } from './repeats.js';
import { NOTHING_TO_COMPARE, UNSURE } from './sentence-kinds.js';
import type { Part, Understanding } from './understanding.js';

/** What stands around a question: the table, the turns before, and the message it belongs to. */
export interface Setting {
  readonly script: Script;
  readonly table: TableBriefing;
  readonly history: readonly HistoryTurn[];
  readonly now: Date;
  /** The whole message as it was written. */
  readonly message: string;
  /** The question before this one in the same message. */
  readonly before: Part | null;
}

const OF_MISSING =
  /\b(?:missing|null|nulls|empty|blank|nan|nans|unknown|unspecified|unrecorded|absent|gaps?|lack\w*|no|none|without|any|incomplete|complete|available|have|has|had|recorded)\b|not (?:known|recorded|given|available|set|specified|measured)/iu;
const WORKED_OUT: ReadonlySet<string> = new Set(['avg', 'median', 'stddev', 'variance', 'percentile']);

/** `those above the mean`. */
function hasAgainst({ filters }: AnalysisPlan): boolean {
  return filters.some(({ kind }) => kind === 'against' || kind === 'any' || kind === 'outlier');
}

/** Reads one question under its constraints: by the statistics or by the table's grammar, whichever it belongs to. */
export class QuestionReader {
  constructor(
    private readonly setting: Setting,
    private readonly constraints: Constraints,
  ) {}

  /** The question's plan, or why there is none; a comparison has two sides at least. */
  read(text: string): Understanding {
    const read = this.listed(text) ?? (this.isStatistical(text) ? this.statisticsFirst(text) : this.tableFirst(text));
    if (!isPlan(read)) return read;
    if (this.seeksNothing(text, read.plan)) return UNSURE;
    return comparesNothing(text, read.plan) || mergesSides(text, read.plan) ? this.apart(text) : read;
  }

  /** What the table's grammar reads to the last word as a list of rows is one, whatever else its words could mean. */
  private listed(text: string): Understanding | null {
    const read = namesMethod(this.constraints) ? null : this.whole(text);
    return read?.kind === 'plan' && read.plan.kind === 'rows' ? read : null;
  }

  private apart(text: string): Understanding {
    const apart = this.byStatistics(text);
    const isApart = apart?.kind === 'plan' && !comparesNothing(text, apart.plan) && !mergesSides(text, apart.plan);
    return isApart ? apart : NOTHING_TO_COMPARE;
  }

  /** Missing values that nobody spoke of, of a column that misses none: a word was taken for something else. */
  private seeksNothing(text: string, { filters }: AnalysisPlan): boolean {
    const { columns } = this.setting.script.facts;
    const full = new Set(columns.filter(({ profile }) => profile.nulls === 0).map(({ name }) => name));
    return !OF_MISSING.test(text) && filters.some((one) => one.kind === 'null' && !one.negated && full.has(one.column));
  }

  /** What only names averages is the table's first. */
  private isStatistical(text: string): boolean {
    const { script } = this.setting;
    // How spreads are meant is known to the statistics alone.
    const isSpread = this.constraints.population !== null && script.clauseOf(text).has('figure');
    return isSpread || isBasic(text, script) === 'statistics' || namesMethod(this.constraints);
  }

  /** What was seen to be about statistics must not be read as less than that. */
  private statisticsFirst(text: string): Understanding {
    const read = this.byStatistics(text);
    if (read === null) return this.byTable(text);
    if (read.kind === 'plan' || namesMethod(this.constraints)) return read;
    const fallback = this.whole(text) ?? (read.verdict === 'cannot' ? read : this.asTables(text, read));
    return fallback.kind === 'plan' ? fallback : read;
  }

  private asTables(text: string, otherwise: Understanding): Understanding {
    return isTables(text, this.setting.script) ? this.byTable(text) : otherwise;
  }

  /** What the table's grammar reads to the last word was no statistic. */
  private whole(text: string): Understanding | null {
    const { table, now } = this.setting;
    const read = this.hasMadeColumns() ? null : readWholly(text, table, now);
    return read === null ? null : withFilters(read, this.constraints);
  }

  /** Columns that the message made are known to the statistics alone. */
  private tableFirst(text: string): Understanding {
    if (this.hasMadeColumns()) return this.byStatisticsOr(text, () => this.byTable(text));
    const byTable = this.byTable(text);
    const isDecided = byTable.kind === 'plan' || this.goesOnFromAnswer(text);
    return isDecided ? byTable : this.byStatisticsOr(text, () => byTable);
  }

  private hasMadeColumns(): boolean {
    return this.setting.script.columns.length > 0;
  }

  private byStatisticsOr(text: string, other: () => Understanding): Understanding {
    const read = this.byStatistics(text);
    return read?.kind === 'plan' ? read : other();
  }

  /** The first question of a message can go on from the answer before it. */
  private goesOnFromAnswer(text: string): boolean {
    const { before, history } = this.setting;
    return before === null && goesOnFromGroups(text, history.at(-1)?.plan ?? null);
  }

  private byStatistics(text: string): Understanding | null {
    let first: Understanding | null = null;
    for (const candidate of candidatesOf(text, this.setting.script)) {
      const read = readStatistic(candidate, this.setting.script, this.constraints);
      if (read?.kind === 'plan' && !contradicts(read.plan)) return read;
      first ??= read?.kind === 'plan' ? UNSURE : read;
    }
    return first;
  }

  private byTable(text: string): Understanding {
    const { script, table, history, now, message } = this.setting;
    let first: Understanding | null = null;
    for (const candidate of candidatesOf(text, script)) {
      const typed = withoutArithmeticWords(candidate, message);
      const read = understandTable(typed, table, [...history, ...this.turnBefore()], now);
      if (read.kind === 'plan' && !contradicts(read.plan) && !fallsShort(script.clauseOf(candidate), read.plan))
        return withFilters(read, this.constraints);
      if (read.kind !== 'plan') first ??= read;
    }
    return first ?? UNSURE;
  }

  private turnBefore(): readonly HistoryTurn[] {
    const { before } = this.setting;
    if (before?.understanding.kind !== 'plan') return [];
    return [{ question: before.question, answer: '', dbquery: '', plan: before.understanding.plan }];
  }
}

/** A list of rows or values is no answer to a question for a share, a mean or a spread. */
export function fallsShort(clause: Clause, plan: AnalysisPlan): boolean {
  const isList = plan.kind === 'rows' || (plan.kind === 'aggregate' && plan.measures.length === 0);
  const asksFigure = clause.all('figure').some(({ aggregate }) => WORKED_OUT.has(aggregate));
  return isList && plan.filters.length > 0 && !hasAgainst(plan) && (clause.has('share') || asksFigure);
}
