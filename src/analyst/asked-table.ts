import { columnsOfPlan, type AnalysisPlan, type PlanJoin } from '../ports/analysis-plan.js';
import type { Briefing, HistoryTurn, JoinedBriefing, TableBriefing } from '../ports/chat-model.js';
import { subjectNames } from '../ports/table-text.js';
import { purposeOf } from '../plan/wording.js';
import { joinedProfile, profileFor } from '../plan/joined-profile.js';
import { NO_SEMANTICS, type TableSemantics } from '../ports/table-semantics.js';
import type { MessageToRead } from './reading-process.js';
import type { Part } from './understanding.js';

/** The table that a message was read against: one of the datasources, or one with what its rows belong to. */
export interface AskedTable {
  readonly table: TableBriefing;
  readonly join: PlanJoin | null;
  /** What calls name it by; null where there is but one. */
  readonly datasource: string | null;
  /** The table in words, where there are several. */
  readonly told: string | null;
}

/** A message as it was read against a table. */
export interface AskedMessage {
  readonly asked: AskedTable;
  readonly parts: readonly Part[];
}

/** A reading this sure is not compared with others, and one that joins must be surer by so much. */
const [SURE, SURER] = [0.95, 0.05];

/**
 * Reads a message against each datasource alone, and against each joined with one that its rows belong to. A datasource alone is preferred when it
 * explains all words, unless with what its rows belong to it does so much more surely; else the surest reading counts.
 */
export async function readMessage(
  briefing: Briefing,
  table: TableBriefing,
  understand: (message: MessageToRead) => Promise<readonly Part[]>,
): Promise<AskedMessage> {
  const { question, history, now, given, others = [] } = briefing;
  const tables = [table, ...others];
  const alone = tables.map((one, at) => aloneFrom(tables, one, at));
  const [first] = alone;
  if (first === undefined) throw new Error('there is a table');
  if (given != null) return { asked: withJoin(first, given.plan), parts: [] };
  const read = async (asked: AskedTable): Promise<AskedMessage> => {
    const turns = historyOf(asked, history);
    const parts = await understand({ message: question, table: asked.table, history: turns, now });
    return { asked, parts: joinedParts(parts, asked.join) };
  };
  const readAll = (all: readonly AskedTable[]): Promise<readonly AskedMessage[]> => Promise.all(all.map(read));
  // A question may go on with one that was answered by a join.
  const before = history.findLast(({ plan }) => plan !== null)?.plan?.join;
  const joined = joinedFrom(alone);
  const likely = joined.filter(({ join }) => join?.relation === before?.relation);
  const nearest = [...(await readAll(likely)).filter(readsBoth), ...(await readAll(alone))];
  const whole = nearest.filter(({ parts }) => parts.every(isWhole));
  const rest = joined.filter((one) => !likely.includes(one));
  const known = Math.max(0, ...whole.map(sureness));
  const further = known >= 1 + SURE ? [] : (await readAll(rest)).filter(readsBoth);
  const surer = further.filter((one) => one.parts.every(isWhole) && sureness(one) > known + SURER);
  const chosen = whole.length === 0 ? [...nearest, ...further] : [...whole, ...surer];
  const [best] = chosen.toSorted((one, other) => sureness(other) - sureness(one));
  return best ?? { asked: first, parts: [] };
}

function aloneFrom(tables: readonly TableBriefing[], table: TableBriefing, at: number): AskedTable {
  const isOne = tables.length === 1;
  return {
    table,
    join: null,
    datasource: isOne ? null : (subjectNames(tables)[at] ?? null),
    told: isOne ? null : table.name,
  };
}

/** Rows stay as many as they are only where each belongs to at most one. */
function joinedFrom(alone: readonly AskedTable[]): readonly AskedTable[] {
  return alone.flatMap((one) =>
    (one.table.joined ?? []).filter(({ isSingle }) => isSingle).map((other) => beside(one, other)),
  );
}

function beside(one: AskedTable, other: JoinedBriefing): AskedTable {
  const { table } = one;
  return {
    ...one,
    table: { ...table, profile: joinedProfile(table.profile, other), semantics: semanticsOf(table, other) },
    join: { relation: other.relation, table: other.table },
    told: `${table.name}, joined with ${other.name}`,
  };
}

/** A plan that is given says itself what it joins. @throws AppError `invalid_input` where that is not confirmed. */
function withJoin(one: AskedTable, plan: AnalysisPlan): AskedTable {
  const other = one.table.joined?.find(({ relation }) => relation === plan.join?.relation);
  if (other === undefined || plan.join === undefined) return one;
  const joined = beside(one, { ...other, table: plan.join.table });
  return { ...joined, table: { ...joined.table, profile: profileFor(plan, one.table) } };
}

/** What is said of columns whose names both have is said of the table's own. */
function semanticsOf({ semantics = null, profile }: TableBriefing, other: JoinedBriefing): TableSemantics | null {
  const own = new Set(profile.columns.map(({ name }) => name));
  const added = (other.semantics?.columns ?? []).filter(({ name }) => !own.has(name));
  if (added.length === 0) return semantics;
  const known = semantics ?? NO_SEMANTICS;
  return { ...known, columns: [...known.columns, ...added] };
}

/** A question goes on with a plan only where that is about the same table. */
function historyOf({ table, join }: AskedTable, history: readonly HistoryTurn[]): readonly HistoryTurn[] {
  const known = new Set(table.profile.columns.map(({ name }) => name.toLowerCase()));
  return history.flatMap((turn) => {
    const { plan } = turn;
    if (plan === null) return [turn];
    const { join: before, ...rest } = plan;
    const isAlike = before === undefined || before.relation === join?.relation;
    const fits = isAlike && columnsOfPlan(plan).every((name) => known.has(name.toLowerCase()));
    return fits ? [{ ...turn, plan: rest }] : [];
  });
}

function joinedParts(parts: readonly Part[], join: PlanJoin | null): readonly Part[] {
  if (join === null) return parts;
  return parts.map((part) => {
    const { understanding: read } = part;
    if (read.kind === 'plan') {
      const plan = { ...read.plan, join };
      return { ...part, understanding: { ...read, plan, purpose: purposeOf(plan) } };
    }
    if (read.kind !== 'choice') return part;
    const readings = read.readings.map(({ plan, purpose }) => ({ plan: { ...plan, join }, purpose }));
    return { ...part, understanding: { ...read, readings } };
  });
}

/** Whether a column is read that the table has only by its join. */
function readsBoth({ asked: { table, join }, parts }: AskedMessage): boolean {
  const other = table.joined?.find(({ relation }) => relation === join?.relation);
  const added = table.profile.columns.slice(table.profile.columns.length - (other?.profile.columns.length ?? 0));
  const names = new Set(added.map(({ name }) => name.toLowerCase()));
  const plans = parts.flatMap(({ understanding: read }) => {
    if (read.kind === 'plan') return [read.plan];
    return read.kind === 'choice' ? read.readings.map(({ plan }) => plan) : [];
  });
  return plans.some((plan) => columnsOfPlan(plan).some((name) => names.has(name.toLowerCase())));
}

function isWhole({ understanding: read }: Part): boolean {
  return read.kind === 'plan' && read.unread.length === 0;
}

/** Of the least sure part; each word that was not read counts against it. */
function sureness({ parts }: AskedMessage): number {
  const all = parts.map(({ understanding: read }) => {
    if (read.kind === 'plan') return 1 + read.confidence - read.unread.length / 10;
    return read.kind === 'choice' ? 1 / (2 + read.unread.length) : 0;
  });
  return Math.min(...all, 2);
}
