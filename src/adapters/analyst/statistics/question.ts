import type { Filter } from '../../../ports/analysis-plan.js';
import type { Understanding } from '../message/understanding.js';
import type { Piece } from '../pieces.js';
import { purposeOf } from '../plan-words.js';
import { withArithmetic } from './arithmetic.js';
import { Asked, type Built } from './asked.js';
import { buildChange, changeIn, type PeriodChange } from './build-change.js';
import { buildBeforeAndAfter, buildContrast, buildFigures, buildWeighted } from './build-figures.js';
import { buildMode } from './build-mode.js';
import { buildRegression } from './build-regression.js';
import { buildCovariance, buildRelation } from './build-relations.js';
import { buildCounts, buildDescribe, buildMissing, buildOutliers, buildShare } from './build-rows.js';
import { buildNormality, buildTest } from './build-tests.js';
import { buildTopRow } from './build-top-row.js';
import type { Clause } from './clause.js';
import { conditionsOf, withApart, withCodes, withOpposites, type Conditioned } from './conditions.js';
import { isNarrative } from './leftover-words.js';
import type { MarkKind } from './marks.js';
import { missingConditions } from './missing-conditions.js';
import { withScales } from './scales.js';
import { joined, NO_CONSTRAINTS, type Constraints, type Script } from './script.js';

const NOT_CERTAIN = 0.6;

/** Reads one question about statistics; `null` when it is about none. */
export function readStatistic(text: string, script: Script, constraints: Constraints): Understanding | null {
  const change = changeIn(text, script);
  if (change !== null) return changeRead(change, script, constraints);
  const own = script.clauseOf(text);
  const clause = own.plus(constraints.marks.filter((mark) => mark.kind !== 'figure' || own.has('normality')));
  const beyond = clause.all('beyond').map(({ what }) => what);
  if (beyond.length > 0) return cannot([...new Set(beyond)]);
  const asked = askedOf(clause, script, constraints);
  const built = builtBy(asked.asked, reachOf(text, script));
  if (built === null) return null;
  if (built.kind === 'problem') return problem([built.text], built.cannot, []);
  return outcome(built, asked.asked, asked.conditioned);
}

/** Between two periods; `null` where something else was said, too. */
function changeRead(change: PeriodChange, script: Script, constraints: Constraints): Understanding | null {
  const { asked, conditioned } = askedOf(script.clauseOf(change.rest), script, constraints);
  const built = buildChange(asked, change);
  if (built?.kind !== 'plan') return built === null ? null : problem([built.text], built.cannot, []);
  return outcome(built, asked, conditioned);
}

interface Opened {
  readonly asked: Asked;
  readonly conditioned: Conditioned;
}

/** The question with its conditions taken out and its arithmetic made into columns. */
export function askedOf(clause: Clause, script: Script, constraints: Constraints): Opened {
  const missing = missingConditions(clause.with(operandsOf(withScales(clause, script), clause)));
  const read = ofMade(conditionsOf(missing.clause, script.facts), clause, script);
  const conditioned = withApart(
    withCodes(withOpposites({ ...read, filters: [...read.filters, ...missing.filters] }), script.facts),
  );
  const own = joined(constraints, { ...NO_CONSTRAINTS, dropsMissing: missing.dropsMissing });
  const free = withArithmetic(conditioned.free, clause, script);
  return { asked: new Asked(clause, conditioned, free, script, own), conditioned };
}

const AS_MADE = /\b(?:normali[sz]ed|standardi[sz]ed|scaled|rescaled|filled|imputed|transformed|logged)\b/iu;

/** `a standardised age between -1 and 1`: the condition is on the column as the message made it. */
function ofMade(read: Conditioned, { text }: Clause, script: Script): Conditioned {
  if (!AS_MADE.test(text)) return read;
  const filters = read.filters.map((filter) => {
    if (filter.kind !== 'compare' && filter.kind !== 'between') return filter;
    const column = script.facts.columns.find(({ name }) => name === filter.column);
    return column === undefined ? filter : { ...filter, column: script.meantBy(column).name };
  });
  return { ...read, filters };
}

/** `2024 minus year` is arithmetic and no time; `water level` is one column, and that the last. */
function operandsOf(pieces: readonly Piece[], clause: Clause): readonly Piece[] {
  const isPair = clause.has('relation', 'regression', 'test', 'matrix', 'covariance');
  return pieces
    .filter((piece, place) => (isPair ? !isCompound(piece, pieces[place + 1]) : !isModifier(piece, pieces[place + 1])))
    .map((piece, place, all) => {
      if (isPair && isChoice(piece, place, all)) return { ...piece, text: 'and' };
      const next = clause.markOf(all[place + 1])?.kind;
      const year =
        piece.kind === 'time' && next === 'arithmetic' ? /^(?:of )?(\d{4})$/iu.exec(piece.text)?.[1] : undefined;
      return year === undefined
        ? piece
        : { kind: 'number', key: year, glued: false, value: Number(year), unit: null, text: year };
    });
}

/** A column of numbers right before another, told by one word of its name. */
function isModifier(piece: Piece, next: Piece | undefined): boolean {
  if (piece.kind !== 'column' || next?.kind !== 'column' || piece.column.name === next.column.name) return false;
  const areFigures = [piece, next].every(({ column }) => column.role === 'figure');
  return areFigures && isPartOfName(piece.column.words, piece.text);
}

/** `the customer segment`: a column of categories right before another says whose it is. */
function isCompound(piece: Piece, next: Piece | undefined): boolean {
  if (piece.kind !== 'column' || next?.kind !== 'column' || piece.column.name === next.column.name) return false;
  return [piece, next].every(({ column }) => column.role === 'category') && !/s$/iu.test(piece.text);
}

function isPartOfName(words: readonly string[], text: string): boolean {
  return words.length > 1 && /^\p{L}+$/u.test(text) && words.includes(text.toLowerCase());
}

/** `a, b or c` of columns. */
function isChoice(piece: Piece, place: number, all: readonly Piece[]): boolean {
  if (piece.kind !== 'join' || !/^or$/iu.test(piece.text)) return false;
  return (
    all[place + 1]?.kind === 'column' && all.slice(0, place).findLast(({ kind }) => kind !== 'join')?.kind === 'column'
  );
}

function builtBy(asked: Asked, reach: readonly Filter[]): Built | null {
  for (const build of BUILDERS) {
    const built = build(asked, reach);
    if (built !== null) return built;
  }
  return null;
}

/** The first that knows what it is about decides. */
const BUILDERS: readonly ((asked: Asked, reach: readonly Filter[]) => Built | null)[] = [
  buildNormality,
  buildTest,
  buildRegression,
  buildRelation,
  buildCovariance,
  buildOutliers,
  buildMissing,
  buildDescribe,
  buildWeighted,
  buildShare,
  buildBeforeAndAfter,
  buildContrast,
  buildMode,
  buildTopRow,
  buildFigures,
  buildCounts,
];

const MAIN_VERB = /(?<!\b(?:and|or|who|that|which))\s(?:has|have|had|is|are|was|were|do|does|did)\s/iu;

/** `what percentage of flights from JFK had …`: what stands before the verb says of which rows the share is. */
function reachOf(text: string, script: Script): readonly Filter[] {
  const share = /\b(?:percentage|percent|share|proportion|fraction)\b/iu.exec(text);
  if (share === null) return [];
  const ahead = apartFrom(text.slice(0, share.index), text.slice(share.index), script);
  if (ahead.length > 0) return ahead;
  const verb = MAIN_VERB.exec(text.slice(share.index));
  if (verb === null) return ofRows(text, share.index, script);
  const end = share.index + verb.index;
  const rest = conditionsOf(script.clauseOf(text.slice(end)), script.facts).filters;
  if (rest.length === 0) return [];
  return conditionsOf(script.clauseOf(text.slice(share.index, end)), script.facts).filters;
}

/** The conditions of a stretch, where the rest has others. */
function apartFrom(said: string, rest: string, script: Script): readonly Filter[] {
  const { filters } = conditionsOf(script.clauseOf(said), script.facts);
  if (filters.length === 0) return [];
  return conditionsOf(script.clauseOf(`percentage of ${rest}`), script.facts).filters.length > 0 ? filters : [];
}

const OF_ROWS = /\bof (?:the |all )?\p{L}+ (?:of|at|in|from|on|for|by) (?:the )?/iu;
const LONGEST_VALUE = 4;

/** `what percentage of the visits of dogs show …`: what is tied to the rows says of which of them. */
function ofRows(text: string, at: number, script: Script): readonly Filter[] {
  const found = OF_ROWS.exec(text.slice(at));
  if (found === null) return [];
  const words = text.slice(at + found.index + found[0].length).split(' ');
  for (let length = 1; length <= Math.min(LONGEST_VALUE, words.length - 1); length += 1) {
    const reach = apartFrom(words.slice(0, length).join(' '), words.slice(length).join(' '), script);
    if (reach.length > 0) return reach;
  }
  return [];
}

type Plan = Built & { kind: 'plan' };

function outcome(built: Plan, asked: Asked, conditioned: Conditioned): Understanding {
  const { clause } = asked;
  const left = asked.free.filter((piece) => stands(piece, built, asked));
  const words = left.filter(
    (piece) =>
      (piece.kind === 'word' || piece.kind === 'ambiguous' || piece.kind === 'rows') && isNarrative(piece, clause),
  );
  const unread = left.filter((piece) => !words.includes(piece));
  if (unread.length > 0 || conditioned.problems.length > 0) {
    const told = conditioned.problems.map(({ text }) => text);
    const final = conditioned.problems.some(({ verdict }) => verdict === 'cannot');
    return problem(
      [...told, ...unread.flatMap(reasonFor)],
      final,
      unread.map(({ text }) => text),
    );
  }
  const { plan, verdict, focus } = built;
  return {
    kind: 'plan',
    plan,
    purpose: purposeOf(plan),
    notes: [...new Set([...clause.notes, ...conditioned.notes, ...asked.notes])],
    unread: words.map(({ text }) => text),
    confidence: words.length > 0 ? NOT_CERTAIN : 1,
    ...(verdict === undefined ? {} : { verdict }),
    ...(focus === undefined ? {} : { focus }),
  };
}

const SAYS_NOTHING: ReadonlySet<Piece['kind']> = new Set([
  'rows',
  'list',
  'asker',
  'amount',
  'join',
  'column',
  'filler',
  'compare',
]);
const OF_NOTHING: ReadonlySet<MarkKind> = new Set([
  'reference',
  'each',
  'population',
  'significant',
  'level',
  'role',
  'factor',
  'present',
]);

/** Whether a piece stands in the way: nobody read it, and it could change the figure. */
function stands(piece: Piece, built: Plan, asked: Asked): boolean {
  const mark = asked.clause.markOf(piece);
  if (mark !== null) return !asked.used.has(mark.kind) && !OF_NOTHING.has(mark.kind);
  if (SAYS_NOTHING.has(piece.kind) || saysSame(piece, built) || saysHeld(piece, asked)) return false;
  return STANDS[piece.kind]?.(piece, built, asked) ?? true;
}

const KIN = 4;

/** `surgical visits` where a sentence of its own leaves those with the reason Surgery: the same again. */
function saysHeld({ kind, text }: Piece, { constraints }: Asked): boolean {
  const stem = text.toLowerCase().slice(0, KIN);
  if (kind !== 'word' || stem.length < KIN) return false;
  const values = constraints.filters.flatMap((one) => (one.kind === 'in' && !one.negated ? one.values : []));
  return values.some((value) => String(value).toLowerCase().startsWith(stem));
}

/** `are the means equal?` compares with no number. */
function saysSame({ kind, text }: Piece, { plan }: Plan): boolean {
  return kind === 'operator' && plan.kind === 'statistic' && /^(?:equal|the same|same|different)$/iu.test(text);
}

const isAt: Standing = (_piece, { plan }) =>
  !(plan.kind === 'statistic' && (plan.at !== undefined || plan.value !== undefined));
const isUnranked: Standing = (_piece, { plan, focus }) =>
  focus === undefined &&
  plan.kind !== 'statistic' &&
  !(plan.kind === 'aggregate' ? plan.limit !== null : plan.limit === 1);

type Standing = (piece: Piece, built: Plan, asked: Asked) => boolean;

/** Kinds that some plans account for; any other kind always stands in the way. */
const STANDS: Readonly<Partial<Record<Piece['kind'], Standing>>> = {
  number: isAt,
  operator: isAt,
  superlative: isUnranked,
  frequent: isUnranked,
  count: (piece, { plan }, asked) =>
    !isOfFigure(piece, asked) &&
    !counts(plan.kind === 'aggregate' ? plan.measures.map(({ aggregate }) => aggregate) : [], plan.kind),
  distinct: (_piece, { plan }) => plan.kind !== 'statistic',
  group: (piece, { plan }, { free, clause, conditions }) =>
    !(conditions.length > 0 && /^among(?:st)?$/iu.test(piece.text)) &&
    !(plan.kind === 'statistic' && plan.method === 'regression') &&
    !free.some(({ kind }) => kind === 'rows') &&
    clause.markOf(free[free.indexOf(piece) + 1]) === null,
  bucket: (piece, { plan }, asked) =>
    !(piece.kind === 'bucket' && isDayOfRow(piece.bucket, asked)) &&
    !(plan.kind === 'statistic' && plan.at !== undefined),
};

/** A day is a row where rows have the time of a day. */
function isDayOfRow(bucket: string, { facts }: Asked): boolean {
  return bucket === 'day' && (facts.daily || String(facts.time?.profile.min).includes('T00:00:00'));
}

/** `the mean number of absences` is of a column that holds numbers of them. */
function isOfFigure(piece: Piece, { free, clause, facts }: Asked): boolean {
  const next = free[free.indexOf(piece) + 1];
  const isCounted =
    next?.kind === 'column' && facts.columns.some(({ name, role }) => name === next.column.name && role === 'figure');
  return isCounted && clause.has('figure');
}

function counts(aggregates: readonly string[], kind: string): boolean {
  return kind === 'rows' || aggregates.some((aggregate) => /^(?:count|missing|count_distinct)$/.test(aggregate));
}

function reasonFor(piece: Piece): readonly string[] {
  const { text } = piece;
  if (piece.kind === 'ambiguous') return [`“${text}” could be ${piece.columns.map(({ name }) => name).join(' or ')}.`];
  if (piece.kind === 'number') return [`I don’t know what ${text} is about.`];
  if (piece.kind === 'quoted') return [`I find no value “${text}”.`];
  return piece.kind === 'word' ? [] : [`I don’t know what “${text}” changes here.`];
}

function problem(reasons: readonly string[], isFinal: boolean, unread: readonly string[]): Understanding {
  return { kind: 'unclear', verdict: isFinal ? 'cannot' : 'clarify', reasons, unread };
}

function cannot(what: readonly string[]): Understanding {
  return problem(
    what.map((one) => `I can’t do that: ${one} is beyond what I can work out.`),
    true,
    [],
  );
}
