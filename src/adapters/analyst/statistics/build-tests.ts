import type { Filter, StatisticPlan } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { Asked, Built } from './asked.js';
import type { MarkOf } from './marks.js';

const MAX_SHAPIRO = 5000;
/** A skewness up to this is usually called nearly symmetric. */
const NEARLY_SYMMETRIC = 0.5;
const MOST_GROUPS = 60;

/** Whether a column is distributed normally: by a test, or where the question says so by its skewness and kurtosis. */
export function buildNormality(asked: Asked): Built | null {
  const marks = asked.clause.all('normality');
  if (marks.length === 0) return null;
  asked.use('normality');
  const [column, another] = asked.figures;
  if (column === undefined) return asked.problem('Of which column of numbers?');
  if (another !== undefined) return asked.problem('I look at the distribution of one column at a time.');
  const shapes = asked.clause.all('figure').filter(({ aggregate }) => /^(skewness|kurtosis)/.test(aggregate));
  return shapes.length > 0 ? byShape(asked, column) : byTest(asked, column, marks);
}

function byTest(asked: Asked, column: ColumnFacts, marks: readonly MarkOf<'normality'>[]): Built {
  if (asked.dimensions.length > 0) return asked.problem('I test one set of rows at a time, not each group.', true);
  const said = marks.find(({ method }) => method !== null)?.method ?? null;
  const method = said ?? (asked.facts.profile.rowCount <= MAX_SHAPIRO ? 'shapiro_wilk' : 'normality');
  if (said === null) asked.note(`I took the ${method === 'normality' ? 'D’Agostino-Pearson' : 'Shapiro-Wilk'} test.`);
  return { ...asked.statistic(method, [column.name]), verdict: asked.verdict('normality') };
}

function byShape(asked: Asked, column: ColumnFacts): Built {
  asked.use('figure');
  const limit = asked.clause.first('factor')?.value ?? asked.constraints.factor;
  if (limit === null) asked.note(`I took a skewness of up to ${NEARLY_SYMMETRIC} in size as near to normal.`);
  const built = asked.aggregate([
    { aggregate: 'skewness', column: column.name },
    { aggregate: 'kurtosis', column: column.name },
  ]);
  return { ...built, verdict: { by: 'size', about: 'normality', limit: limit ?? NEARLY_SYMMETRIC } };
}

/** `is the mean different in a and b?` */
const DIFFERS = /^(?:is|are|was|were|do|does|did)\b[^?]*\bdiffer/iu;

/** Tests of differences and of independence. */
export function buildTest(asked: Asked): Built | null {
  const method = methodOf(asked);
  if (method === null) return null;
  asked.use('both ways', 'test', 'equal variances', 'term', 'figure', 'combine', 'relation', 'each');
  if (method === 'chi_square') return chiSquare(asked);
  if (method === 'paired_t_test') return paired(asked);
  if (method === 'one_sample_t_test') return oneSample(asked);
  return ofGroups(asked, method);
}

type Method = StatisticPlan['method'];

function methodOf(asked: Asked): Method | null {
  const marks = asked.clause.all('test');
  const said = marks.find(({ method }) => method !== 't_test') ?? marks[0];
  return said === undefined ? impliedMethod(asked) : chosen(asked, said);
}

function impliedMethod(asked: Asked): Method | null {
  if (!asked.clause.has('significant') && !DIFFERS.test(asked.clause.text)) return null;
  if (asked.figures.length === 0) return asked.categories.length === 2 ? 'chi_square' : null;
  return asked.figures.length === 1 ? (byGroups(asked) ?? againstNumber(asked)) : null;
}

/** The test that fits as many groups as there are. */
function byGroups(asked: Asked): Method | null {
  const groups = groupsOf(asked);
  if (groups === null) return null;
  const method = groups.count === 2 ? 'welch_t_test' : 'anova';
  asked.note(method === 'anova' ? 'I took a one-way analysis of variance.' : 'I took Welch’s t-test.');
  return method;
}

/** `significantly different from 100`. */
function againstNumber(asked: Asked): Method | null {
  const isSet = DIFFERS.test(asked.clause.text) || /\bdiffer\w*\b/iu.test(asked.clause.text);
  return isSet && asked.free.some(({ kind }) => kind === 'number') ? 'one_sample_t_test' : null;
}

function chosen(asked: Asked, { method }: MarkOf<'test'>): Method {
  if (method !== 't_test') return method;
  if (asked.clause.has('equal variances')) return 'student_t_test';
  const isAlone = asked.free.some((piece) => piece.kind === 'number') && groupsOf(asked) === null;
  if (isAlone && asked.figures.length === 1) return 'one_sample_t_test';
  asked.note('I took Welch’s t-test, which does not ask for equal variances.');
  return 'welch_t_test';
}

function chiSquare(asked: Asked): Built {
  const named = [...asked.columns.map(({ name }) => name), ...asked.dimensions.map(({ column }) => column)];
  const [first, second, third] = [...new Set(named)];
  const told = asked.columns.find(({ name, identifies }) => identifies && (name === first || name === second));
  if (told !== undefined) return asked.problem(`${told.name} tells rows apart and makes no groups.`);
  if (first === undefined || second === undefined || third !== undefined)
    return asked.problem('A chi-square test needs two columns of categories.');
  return { ...asked.statistic('chi_square', [first, second]), verdict: asked.verdict('association') };
}

function paired(asked: Asked): Built {
  const [first, second, third] = asked.figures;
  if (first === undefined || second === undefined || third !== undefined)
    return asked.problem('A paired t-test needs two columns of numbers.');
  return { ...asked.statistic('paired_t_test', [first.name, second.name]), verdict: asked.verdict('difference') };
}

function oneSample(asked: Asked): Built {
  const [column, another] = asked.figures;
  const [number, other] = asked.free.filter((piece) => piece.kind === 'number');
  if (column === undefined || another !== undefined || number === undefined || other !== undefined)
    return asked.problem('A one-sample t-test needs one column of numbers and the value to test against.');
  return {
    ...asked.statistic('one_sample_t_test', [column.name], { value: number.value }),
    verdict: asked.verdict('difference'),
  };
}

function ofGroups(asked: Asked, method: Method): Built {
  const groups = groupsOf(asked);
  const column = asked.figures.find(({ name }) => name !== groups?.by);
  if (groups === null || column === undefined)
    return asked.problem('That test needs a column of numbers and one that tells the groups.');
  const isOfTwo = method === 'welch_t_test' || method === 'student_t_test' || method === 'mann_whitney';
  if (isOfTwo && groups.count !== 2)
    return asked.problem(
      `That test is of two groups; ${groups.by} has more. Name two of its values, or ask for an ANOVA.`,
    );
  const filters = asked.filtersFor([column.name]).filter((filter) => !groups.covers.includes(filter));
  return {
    ...asked.statistic(method, [column.name], { by: groups.by, filters }),
    verdict: asked.verdict('difference'),
  };
}

interface Groups {
  readonly by: string;
  readonly count: number;
  /** Conditions that leave all groups there are, so they say nothing. */
  readonly covers: readonly Filter[];
}

/** The column under `by`, the one whose values are named, or the one of categories. */
function groupsOf(asked: Asked): Groups | null {
  const flag = asked.dimensions.length === 0 ? flagOf(asked) : null;
  if (flag !== null) return flag;
  const named = namedGroups(asked);
  return oneSide(asked, named) ?? namedOrOnly(asked, named);
}

function namedOrOnly(asked: Asked, named: ValueCondition | null): Groups | null {
  const by = asked.dimensions[0]?.column ?? named?.column ?? categoryOf(asked);
  const column = asked.facts.columns.find(({ name }) => name === by);
  return column === undefined ? null : groupsBy(column, named);
}

function groupsBy(column: ColumnFacts, named: ValueCondition | null): Groups {
  const all = column.role === 'boolean' ? 2 : column.profile.distinct;
  if (named?.column !== column.name) return { by: column.name, count: all, covers: [] };
  const count = named.values.length;
  return { by: column.name, count, covers: count === all ? [named] : [] };
}

type ValueCondition = Extract<Filter, { kind: 'in' }>;

/** A condition that names two or more groups. */
function namedGroups(asked: Asked): ValueCondition | null {
  const named = asked.conditions.find((one) => one.kind === 'in' && !one.negated && one.values.length > 1);
  return named?.kind === 'in' ? named : null;
}

/** `vaccinated and unvaccinated`: both answers of a yes-or-no column. */
function flagOf(asked: Asked): Groups | null {
  const flags = asked.conditions.filter(
    (one) => one.kind === 'in' && one.values.every((value) => typeof value === 'boolean'),
  );
  const [first] = flags;
  if (first?.kind !== 'in') return null;
  if (asked.clause.has('both ways')) return { by: first.column, count: 2, covers: flags };
  const both = new Set(flags.flatMap((one) => (one.kind === 'in' && one.column === first.column ? one.values : [])));
  return both.size === 2 ? { by: first.column, count: 2, covers: flags } : null;
}

/** `do students with a tutor score higher?`: one of two values is set against the other. */
function oneSide(asked: Asked, named: ValueCondition | null): Groups | null {
  if (named !== null || !asked.categories.every(isOfRows)) return null;
  if (asked.dimensions.length > 0 || asked.constraints.filters.length > 0) return null;
  const sides = asked.conditions.filter((one) => one.kind === 'in' && !one.negated && one.values.length === 1);
  const [side, another] = sides.filter((one) => 'column' in one && hasTwo(asked, one.column));
  if (side?.kind !== 'in' || another !== undefined) return null;
  return { by: side.column, count: 2, covers: [side] };
}

/** A column that tells rows apart makes no groups. */
function isOfRows({ profile }: ColumnFacts): boolean {
  return profile.distinct > MOST_GROUPS;
}

function hasTwo(asked: Asked, name: string): boolean {
  const column = asked.facts.columns.find((one) => one.name === name);
  return column !== undefined && (column.role === 'boolean' || column.profile.distinct === 2);
}

function categoryOf(asked: Asked): string | null {
  const [category] = asked.categories.toSorted((a, b) => Number(isOfRows(a)) - Number(isOfRows(b)));
  if (category !== undefined) return category.name;
  return codeOf(asked.figures);
}

/** A column of numbers that tells groups: the only one of two with two values, or a short list of codes named last. */
function codeOf([first, second, third]: readonly ColumnFacts[]): string | null {
  if (first === undefined || second === undefined) return null;
  const [code, another] = [first, second].filter(({ profile }) => profile.distinct === 2);
  if (third === undefined && code !== undefined && another === undefined) return code.name;
  const isCode = second.profile.type === 'integer' && second.profile.distinct <= MOST_GROUPS;
  return isCode ? second.name : null;
}
