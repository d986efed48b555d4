import type { ColumnFacts } from '../column-facts.js';
import type { Piece } from '../pieces.js';
import type { Asked, Built } from './asked.js';
import type { Term } from './marks.js';

const MAX_PREDICTORS = 10;

/** Least squares: which column is explained by which, and at what values a prediction is wanted. */
export function buildRegression(asked: Asked): Built | null {
  const isRegression = asked.clause.has('regression');
  if (!isAboutLine(asked) && !asked.clause.has('predict')) return null;
  asked.use('regression', 'predict', 'term', 'relation');
  const roles = rolesOf(asked);
  if (roles === null)
    return isRegression ? asked.problem('A regression needs the column to explain and one that explains it.') : null;
  const { response, predictors } = roles;
  if (predictors.length > MAX_PREDICTORS)
    return asked.problem(`I can take up to ${MAX_PREDICTORS} explaining columns.`);
  return asked.dimensions.length > 0 ? perGroup(asked, response, predictors) : lineOf(asked, roles);
}

function lineOf(asked: Asked, roles: Roles): Built | null {
  const at = valuesFor(asked, roles.predictors);
  if (at === null && !isAboutLine(asked)) return null;
  if (at !== null && at.length !== roles.predictors.length)
    return asked.problem('I need a value for each explaining column.');
  noteLine(asked, roles);
  const columns = [roles.response, ...roles.predictors].map(({ name }) => name);
  const built = asked.statistic('regression', columns, at === null ? {} : { at });
  const verdict = asked.clause.has('significant', 'level') ? asked.verdict('regression') : undefined;
  return { ...built, verdict, focus: focusOf(asked, at !== null, roles.predictors) };
}

function isAboutLine(asked: Asked): boolean {
  return asked.clause.has('regression') || depends(asked) || isTermOfLine(asked);
}

/** `how does y depend on x?` of two columns of numbers. */
function depends(asked: Asked): boolean {
  return asked.figures.length > 1 && asked.columns.length === asked.figures.length && DEPENDS.test(asked.clause.text);
}

const DEPENDS = /\b(?:how|in what way)\b[^?]*\bdepends? on\b/iu;

function noteLine(asked: Asked, { response, predictors }: Roles): void {
  if (!asked.clause.has('regression')) asked.note('I took a straight line by least squares.');
  asked.note(`I explain ${response.name} by ${predictors.map(({ name }) => name).join(', ')}.`);
}

function isTermOfLine(asked: Asked): boolean {
  return asked.clause.all('term').some(({ term }) => term !== 'p-value') && !asked.clause.has('relation');
}

type PlanOutcome = Built & { kind: 'plan' };

function focusOf(asked: Asked, predicts: boolean, predictors: readonly ColumnFacts[]): PlanOutcome['focus'] {
  if (predicts) return { on: 'row', term: 'prediction' };
  const [first, another] = asked.clause.all('term');
  if (first === undefined || another !== undefined) return undefined;
  return focusOn(first.term, predictors);
}

function focusOn(term: Term, [predictor]: readonly ColumnFacts[]): PlanOutcome['focus'] {
  if (term === 'slope') return { on: 'row', term: predictor?.name ?? null };
  return { on: term === 'p-value' || term === 'standard error' ? 'column' : 'row', term };
}

function perGroup(asked: Asked, response: ColumnFacts, predictors: readonly ColumnFacts[]): Built {
  const [only, another] = predictors;
  if (only === undefined || another !== undefined) return asked.problem('By groups I fit a line to two columns.');
  const pair = { column: response.name, second: only.name };
  return asked.aggregate([
    { aggregate: 'slope', ...pair },
    { aggregate: 'intercept', ...pair },
    { aggregate: 'r_squared', ...pair },
  ]);
}

interface Roles {
  readonly response: ColumnFacts;
  readonly predictors: readonly ColumnFacts[];
}

function rolesOf(asked: Asked): Roles | null {
  const columns = columnsOfLine(asked);
  if (columns.length < 2) return null;
  const before = asked.figures.length < 2 ? rolesBefore(columns) : null;
  if (before !== null) return before;
  const response = responseOf(asked, columns);
  const predictors = columns.filter(({ name }) => name !== response?.name);
  return response === null || predictors.length === 0 ? null : { response, predictors };
}

/** `what fare would it predict for 12 km?` is of the line that the question before was about. */
function columnsOfLine(asked: Asked): readonly ColumnFacts[] {
  const { focus } = asked.script;
  const isOfBefore = asked.clause.has('predict') && asked.figures.length < 2 && focus.length > 1;
  return isOfBefore && asked.figures.every(({ name }) => focus.some((one) => one.name === name))
    ? focus
    : asked.figures;
}

/** A line names the column that it explains first. */
function rolesBefore([response, ...predictors]: readonly ColumnFacts[]): Roles | null {
  return response === undefined ? null : { response, predictors };
}

function responseOf(asked: Asked, columns: readonly ColumnFacts[]): ColumnFacts | null {
  return (
    saidResponse(asked, columns) ??
    setOn(asked) ??
    predicted(asked) ??
    explained(asked) ??
    reversed(asked, columns) ??
    columns[0] ??
    null
  );
}

/** `y as the dependent variable`, or the one that is no `independent variable`. */
function saidResponse(asked: Asked, columns: readonly ColumnFacts[]): ColumnFacts | null {
  const stretches = stretchesOf(asked);
  const closed = stretches.findLast((one) => one.closed === 'response' && one.columns.length > 0);
  const opened = stretches.find((one) => one.opened === 'response' && one.columns.length > 0);
  return closed?.columns.at(-1) ?? opened?.columns[0] ?? remaining(stretches, columns);
}

/** The only column that is no independent variable. */
function remaining(stretches: readonly Stretch[], columns: readonly ColumnFacts[]): ColumnFacts | null {
  const explaining = stretches.filter(({ opened, closed }) => opened === 'predictor' || closed === 'predictor');
  const names = new Set(explaining.flatMap((one) => one.columns.map(({ name }) => name)));
  const [other, another] = columns.filter(({ name }) => !names.has(name));
  return names.size > 0 && another === undefined ? (other ?? null) : null;
}

type Role = 'response' | 'predictor';

/** Columns up to the next word about roles, with the roles that the words before and after give them. */
interface Stretch {
  readonly columns: readonly ColumnFacts[];
  readonly opened: Role | null;
  readonly closed: Role | null;
}

function stretchesOf(asked: Asked): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let open: Stretch = { columns: [], opened: null, closed: null };
  for (const piece of asked.free) {
    if (piece.kind === 'column') open = { ...open, columns: [...open.columns, asked.script.meantBy(piece.column)] };
    const mark = asked.clause.markOf(piece);
    if (mark?.kind !== 'role') continue;
    stretches.push({ ...open, closed: mark.leads ? null : mark.role });
    open = { columns: [], opened: mark.leads ? mark.role : null, closed: null };
  }
  return [...stretches, open];
}

/** `predict y from x`: the column after the verb, or the one before it where there is none after. */
function predicted(asked: Asked): ColumnFacts | null {
  const at = asked.free.findIndex((piece) => asked.clause.markOf(piece)?.kind === 'predict');
  if (at < 0) return null;
  // `what y is predicted at an x of 2`
  const isPassive =
    /^(?:is|are|was|were)\b.*\bpredicted\b/iu.test(asked.clause.text) ||
    /\b(?:is|are|was|were) predicted\b/iu.test(asked.clause.text);
  const after = asked.free.slice(at + 1).find((piece) => piece.kind === 'column');
  const before = asked.free.slice(0, at).findLast((piece) => piece.kind === 'column');
  const meant = isPassive && before !== undefined ? before : after;
  return meant?.kind === 'column' ? asked.script.meantBy(meant.column) : null;
}

/** `regression of y on x`, `regress y on x`, `how y depends on x`: what stands before `on` is explained. */
function setOn(asked: Asked): ColumnFacts | null {
  const { text } = asked.clause;
  const said = /\b(?:regress(?:ion|ing)?|fit|line|depends?|dependence)\b[^?.,]*?\bon\b/iu.test(text);
  const acts = /\b(?:effect|impact|influence) of\b/iu.test(text);
  const first = beforeOn(asked) ?? asked.free.find((piece) => piece.kind === 'column');
  return said && !acts && first?.kind === 'column' ? asked.script.meantBy(first.column) : null;
}

/** The column right before the `on` after the word of regression. */
function beforeOn({ clause }: Asked): Piece | undefined {
  const { pieces } = clause;
  const from = pieces.findIndex((piece) => clause.markOf(piece)?.kind === 'regression');
  const on = pieces.findIndex((piece, place) => place > from && /^on$/iu.test(piece.text));
  return from < 0 || on < 0 ? undefined : pieces.slice(from, on).findLast(({ kind }) => kind === 'column');
}

/** `explain y through x`: the column right after the verb. */
function explained(asked: Asked): ColumnFacts | null {
  const { pieces, text } = asked.clause;
  if (!/(?:^|\b(?:to|we|i|can|could|please|and)\s+)(?:explain|model|estimate|describe)\b/iu.test(text)) return null;
  const at = pieces.findIndex((piece) => /^(?:explain|model|estimate|describe)$/iu.test(piece.text));
  const next = at < 0 ? undefined : pieces.slice(at + 1).find(({ kind }) => kind === 'column');
  return next?.kind === 'column' ? asked.script.meantBy(next.column) : null;
}

/** `effect of x on y`, `how x affects y`: the column that is acted on comes last. */
function reversed(asked: Asked, columns: readonly ColumnFacts[]): ColumnFacts | null {
  const { text } = asked.clause;
  const acts =
    /\b(?:effect|impact|influence) of\b.*\bon\b|\b(?:affects?|influences?|explains?|drives?|determines?)\b/iu.test(
      text,
    );
  return acts && !/\bregress\w*\b.*\bon\b/iu.test(text.replace(/\b(?:effect|impact|influence) of\b.*/iu, ''))
    ? (columns.at(-1) ?? null)
    : null;
}

/** The number beside each explaining column; the only number where there is one of each. */
function valuesFor(asked: Asked, predictors: readonly ColumnFacts[]): readonly number[] | null {
  const numbers = asked.free.filter((piece) => piece.kind === 'number');
  if (numbers.length === 0) return null;
  const [only] = numbers;
  if (predictors.length === 1 && numbers.length === 1 && only !== undefined) return [only.value];
  const values = predictors.map(({ name }) => besideOf(asked.free, name));
  return values.filter((value) => value !== null);
}

function besideOf(pieces: readonly Piece[], name: string): number | null {
  const places = pieces.flatMap((piece, place) =>
    piece.kind === 'column' && piece.column.name === name ? [place] : [],
  );
  for (const place of places) {
    const after = pieces.slice(place + 1, place + 3).find((piece) => piece.kind !== 'operator');
    if (after?.kind === 'number') return after.value;
  }
  for (const place of places) {
    const before = pieces[place - 1];
    if (before?.kind === 'number') return before.value;
  }
  return null;
}
