import type { Filter, RowsPlan } from '../../ports/analysis-plan.js';
import type { AggregateDraft, DimensionDraft, Draft, MeasureDraft, Sketch } from './draft.js';
import { CLASSES } from './lexicon.js';
import { type FigureList, ROW_COUNT } from './figure-list.js';
import type { GroupList } from './groups.js';
import { aggregateDraft, rowsDraft } from './heads.js';
import type { OrderPart } from './orders.js';
import type { Question } from './question.js';
import { isoOf, moved, movedEnds } from './periods.js';
import { percentilesIn } from './single-figures.js';

/** A change of the plan before. */
export interface Edit {
  readonly name: string;
  readonly sketch: Sketch;
}

/** The conditions of before with new ones: where they speak of the same column, or both of periods, the new ones hold. */
export function withFilters(before: readonly Filter[], added: readonly Filter[]): readonly Filter[] {
  const named = new Set(added.flatMap(columnsIn));
  const isTimed = added.some(isPeriod);
  const isReplaced = (filter: Filter): boolean =>
    (isTimed && isPeriod(filter)) || columnsIn(filter).some((column) => named.has(column));
  return [...before.filter((filter) => !isReplaced(filter)), ...added];
}

/** `until today` is none: what is overdue stays so in another month. */
function isPeriod(filter: Filter): boolean {
  return filter.kind === 'time' && filter.from !== null;
}

function columnsIn(filter: Filter): readonly string[] {
  if (filter.kind === 'any') return filter.of.flatMap((all) => all.flatMap(columnsIn));
  return filter.kind === 'columns' ? [filter.left, filter.right] : [filter.column];
}

/** Other groups for the same figures: in place of one, of all, or beside them; or, `which sites?`, the groups alone. */
export function groupEdits(before: Sketch, group: GroupList): readonly Edit[] {
  const base = asAggregate(before);
  if (base === null) return [];
  const [dimension] = group.dimensions;
  if (dimension === undefined) return [];
  const make = (dimensions: readonly DimensionDraft[]): AggregateDraft => ordered({ ...base, dimensions, each: [] });
  const isNew = !base.dimensions.some((one) => JSON.stringify(one) === JSON.stringify(dimension));
  if (!isNew) return [];
  const isTimed = (one: DimensionDraft): boolean => one.kind !== 'column';
  const sameColumn = base.dimensions.findIndex(({ column }) => column === dimension.column);
  const sameKind = base.dimensions.findIndex((one) => isTimed(one) === isTimed(dimension));
  const place = sameColumn >= 0 ? sameColumn : sameKind;
  const edits: Edit[] = [
    { name: 'groups', sketch: make(group.dimensions) },
    { name: 'values', sketch: { ...make(group.dimensions), measures: [], computed: [], having: [], rank: null } },
  ];
  const open = base.filters.filter((filter) => !columnsIn(filter).includes(dimension.column));
  if (open.length < base.filters.length)
    edits.push({ name: 'eachgroup', sketch: { ...make(group.dimensions), filters: open } });
  if (base.dimensions.length > 0 && base.dimensions.length < 3)
    edits.push({
      name: 'addgroup',
      sketch: make(isTimed(dimension) ? [...base.dimensions, dimension] : [dimension, ...base.dimensions]),
    });
  if (base.dimensions.length > 1 && place >= 0)
    edits.push({
      name: 'swapgroup',
      sketch: make(base.dimensions.map((one, index) => (index === place ? dimension : one))),
    });
  return edits;
}

/** `per hour` after a list of temperatures: their averages or sums, each of the values apart that were asked for. */
export function shownGroupEdits({ facts }: Question, before: Sketch, { dimensions }: GroupList): readonly Edit[] {
  if (before.kind !== 'rows') return [];
  const numbers = facts.columns.filter(
    ({ name, isNumber, kind }) => isNumber && kind !== 'id' && before.columns.includes(name),
  );
  if (numbers.length === 0 || numbers.length > 3 || before.limit !== null) return [];
  const several = before.filters.flatMap((filter) =>
    filter.kind === 'in' && !filter.negated && filter.values.length > 1 ? [filter.column] : [],
  );
  const apart = several.map((column): DimensionDraft => ({ kind: 'column', column }));
  return (['avg', 'sum'] as const).map((aggregate) => ({
    name: `shown:${aggregate}`,
    sketch: ordered({
      ...countOf(before),
      measures: numbers.map(({ name }) => ({ aggregate, column: name })),
      dimensions: [...dimensions, ...apart].slice(0, 3),
    }),
  }));
}

function asAggregate(before: Sketch): AggregateDraft | null {
  if (before.kind === 'statistic') return null;
  return before.kind === 'aggregate' ? { ...before, summary: undefined } : countOf(before);
}

/** The rows that figures are of. */
function rowsOf({ filters, derived = [] }: AggregateDraft, columns: readonly string[]): RowsPlan {
  return rowsDraft(columns, filters, derived);
}

/** The number of rows that a draft is about. */
function countOf({ filters, derived = [] }: Draft): AggregateDraft {
  return aggregateDraft([ROW_COUNT], null, filters, derived);
}

/** Groups of time come in its order, unless they are ranked. */
function ordered(draft: AggregateDraft): AggregateDraft {
  const place = draft.dimensions.findIndex(({ kind }) => kind !== 'column');
  const { order: _order, ...rest } = draft;
  return place < 0 || draft.rank !== null ? rest : { ...rest, order: [{ dimension: place, direction: 'asc' }] };
}

/** Other figures for the same groups, or one more where words say so. */
export function figureEdits(before: Sketch, list: FigureList, isSaid: boolean): readonly Edit[] {
  if (before.kind === 'statistic') return [];
  const whole = before.kind === 'rows' ? { ...countOf(before), measures: [] } : before;
  const derived = [...(whole.derived ?? []), ...list.derived];
  const with_ = derived.length > 0 ? { derived } : {};
  // What was worked out of figures goes with them.
  const rank = whole.rank === null ? null : { direction: whole.rank.direction, limit: whole.rank.limit };
  const fresh = { ...whole, measures: list.measures, computed: [], having: [], rank, ...with_ };
  const edits: Edit[] = [{ name: 'figures', sketch: fresh }];
  const known = new Set(whole.measures.map((measure) => JSON.stringify(measure)));
  const isNew = list.measures.every((measure) => !known.has(JSON.stringify(measure)));
  const hasRoom = whole.measures.length > 0 && whole.measures.length < 4 && (whole.computed ?? []).length === 0;
  if (isNew && isSaid && hasRoom)
    edits.push({ name: 'addfigure', sketch: { ...whole, measures: [...whole.measures, ...list.measures], ...with_ } });
  return edits;
}

const CHANGES = ['avg', 'sum', 'max', 'min', 'median', 'stddev'] as const;

/** `median instead`: the same column, worked out otherwise. */
export function aggregateEdits(question: Question, before: Sketch): readonly Edit[] {
  if (before.kind !== 'aggregate') return [];
  return CHANGES.flatMap((aggregate) => {
    if (!question.has(aggregate) && !(aggregate === 'median' && question.words.has('p50'))) return [];
    const isChanged = before.measures.some((measure) => measure.column !== null && measure.aggregate !== aggregate);
    if (!isChanged) return [];
    const changed = before.measures.map((measure): MeasureDraft =>
      measure.column === null ? measure : { ...measure, aggregate },
    );
    const edits: Edit[] = [{ name: `aggregate:${aggregate}`, sketch: { ...before, measures: changed } }];
    if (before.measures.length === 1)
      edits.push({
        name: `addaggregate:${aggregate}`,
        sketch: { ...before, measures: [...before.measures, ...changed] },
      });
    return edits;
  });
}

/** `min, max and median as well`, `90th percentile`: of the same column. */
export function severalEdits(question: Question, before: Sketch): readonly Edit[] {
  if (before.kind !== 'aggregate') return [];
  const { aggregate: first, column = null } = before.measures[0] ?? {};
  if (column === null) return [];
  const said = CHANGES.filter((aggregate) => question.has(aggregate) && aggregate !== first);
  const several = said.map((aggregate): MeasureDraft => ({ aggregate, column }));
  const percentiles = percentilesIn(question).map((parameter): MeasureDraft => ({
    aggregate: 'percentile',
    column,
    parameter,
  }));
  const make = (name: string, measures: readonly MeasureDraft[]): Edit => ({ name, sketch: { ...before, measures } });
  return [
    ...(several.length > 1 ? [make('several', several), make('addseveral', [...before.measures, ...several])] : []),
    ...(percentiles.length > 0
      ? [make('percentile', percentiles), make('addpercentile', [...before.measures, ...percentiles])]
      : []),
  ];
}

/** Another order, or only the first of it. */
export function rankEdits(question: Question, before: Sketch): readonly Edit[] {
  if (before.kind === 'statistic') return [];
  const numbers = question.linked.numbers
    .filter(({ isYear, value }) => !isYear && Number.isInteger(value) && value > 0 && value < 500)
    .map(({ value }) => value);
  const limits = [null, 1, ...numbers];
  const wants =
    question.has('order') ||
    question.has('hi') ||
    question.has('lo') ||
    numbers.length > 0 ||
    [...question.words].some((word) => CLASSES.most.has(word) || /^sort|order|other|turn/.test(word));
  if (!wants) return [];
  return limits.flatMap((limit) =>
    (['desc', 'asc'] as const).flatMap((direction): readonly Edit[] => {
      const name = `rank:${direction}:${limit === null ? 'all' : limit === 1 ? 'one' : 'many'}`;
      if (before.kind === 'aggregate') {
        const { order: _order, ...rest } = before;
        if (before.dimensions.length === 0) return [];
        // What was worked out of two figures, such as a percentage, comes after them, and is what is ranked.
        const figure = (before.computed ?? []).length > 0 ? { figure: before.measures.length } : {};
        return [{ name, sketch: { ...rest, rank: { direction, limit, ...figure } } }];
      }
      const [first] = before.order;
      return first === undefined ? [] : [{ name, sketch: { ...before, order: [{ ...first, direction }], limit } }];
    }),
  );
}

/** The same again, less, or the rows behind it. */
export function plainEdits(question: Question, before: Sketch): readonly Edit[] {
  const edits: Edit[] = [{ name: 'same', sketch: before }];
  if (before.kind === 'aggregate') {
    edits.push({ name: 'rows', sketch: rowsOf(before, []) });
    edits.push({
      name: 'count',
      sketch: { ...before, measures: [ROW_COUNT], computed: [], having: [] },
    });
    if (before.dimensions.length > 0)
      edits.push({ name: 'total', sketch: { ...before, dimensions: [], rank: null, order: [], computed: [] } });
    if (question.has('share') && before.dimensions.length > 0)
      edits.push({ name: 'share', sketch: { ...before, computed: [{ kind: 'share', of: 0 }] } });
    if (before.rank !== null)
      edits.push({ name: 'unlimited', sketch: { ...before, rank: { ...before.rank, limit: null } } });
    for (const kind of ['growth', 'change', 'cumulative'] as const) {
      if (question.has(kind) && before.dimensions.some((one) => one.kind === 'bucket'))
        edits.push({ name: `series:${kind}`, sketch: { ...before, computed: [{ kind, of: 0 }] } });
    }
  } else if (before.kind === 'rows') {
    edits.push({ name: 'count', sketch: countOf(before) });
    if (before.columns.length > 0) edits.push({ name: 'allcolumns', sketch: { ...before, columns: [] } });
  }
  return edits;
}

/** Columns shown beside those of before, or in their place. */
export function shownEdits(before: Sketch, columns: readonly string[]): readonly Edit[] {
  if (columns.length === 0) return [];
  if (before.kind === 'aggregate')
    return [...rowBehind(before, columns), { name: 'rowsshown', sketch: rowsOf(before, columns) }];
  if (before.kind !== 'rows') return [];
  return [
    { name: 'shown', sketch: { ...before, columns } },
    {
      name: 'addshown',
      sketch: { ...before, columns: [...before.columns, ...columns.filter((name) => !before.columns.includes(name))] },
    },
  ];
}

/** Of the row that has the highest or lowest value other columns: `when was that?` */
function rowBehind(before: AggregateDraft, columns: readonly string[]): readonly Edit[] {
  const [only, another] = before.measures;
  const isEnd = only?.aggregate === 'max' || only?.aggregate === 'min';
  if (another !== undefined || before.dimensions.length > 0 || !isEnd || only.column === null) return [];
  const direction = only.aggregate === 'max' ? 'desc' : 'asc';
  return [
    { name: 'rowbehind', sketch: { ...rowsOf(before, columns), order: [{ by: only.column, direction }], limit: 1 } },
  ];
}

/** Values that go beside those of the conditions before, `add Bristol`; `null`: there are none to go beside. */
export function widened(before: Sketch, added: readonly Filter[]): Sketch | null {
  const filters = [...before.filters];
  const columns: string[] = [];
  for (const one of added) {
    const place = filters.findIndex((known) => isBeside(known, one));
    const known = filters[place];
    if (known?.kind !== 'in' || one.kind !== 'in') return null;
    filters[place] = { ...known, values: [...new Set([...known.values, ...one.values])] };
    columns.push(one.column);
  }
  if (columns.length === 0) return null;
  return before.kind === 'aggregate' ? byColumns({ ...before, filters }, columns) : { ...before, filters };
}

function isBeside(known: Filter, one: Filter): boolean {
  return known.kind === 'in' && one.kind === 'in' && known.column === one.column && !known.negated && !one.negated;
}

/** Several values of a column are figures of each. */
function byColumns(draft: AggregateDraft, columns: readonly string[]): AggregateDraft {
  const has = (column: string): boolean => draft.dimensions.some((one) => one.column === column);
  const added = columns.filter((column) => !has(column)).map((column) => ({ kind: 'column', column }) as const);
  return { ...draft, dimensions: [...added, ...draft.dimensions] };
}

/** `and Germany?`, of a share of one country: other conditions for the part of the whole. */
export function ofOtherPart(before: Sketch, added: readonly Filter[]): Sketch | null {
  if (before.kind !== 'aggregate' || added.length === 0) return null;
  const [part, ...rest] = before.measures;
  if (part?.filters === undefined) return null;
  const columns = new Set(part.filters.flatMap(columnsIn));
  if (!added.every((filter) => columnsIn(filter).every((column) => columns.has(column)))) return null;
  return { ...before, measures: [{ ...part, filters: withFilters(part.filters, added) }, ...rest] };
}

/** `in percent of all`: what fitted the conditions before, of everything or of what fits the others. */
export function portionEdits(question: Question, before: Sketch): readonly Edit[] {
  const base = question.has('share') ? asAggregate(before) : null;
  const [measure] = base?.measures ?? [];
  if (base === null || measure === undefined || measure.filters !== undefined || base.filters.length === 0) return [];
  const computed = [{ kind: 'percent', left: 0, right: 1 } as const];
  return [base.filters, ...(base.filters.length > 1 ? [base.filters.slice(-1)] : [])].map((part) => ({
    name: `portion:${part === base.filters ? 'all' : 'last'}`,
    sketch: {
      ...base,
      measures: [{ ...measure, filters: part }, measure],
      filters: base.filters.filter((filter) => !part.includes(filter)),
      computed,
      rank: null,
    },
  }));
}

/** `correlation?`: of the two columns before. */
export function pairEdits(question: Question, before: Sketch): readonly Edit[] {
  if (!question.has('correlation') || before.kind === 'statistic') return [];
  const named = before.kind === 'rows' ? before.columns : before.measures.map(({ column }) => column);
  const numbers = named.filter((name) =>
    question.facts.columns.some((column) => column.name === name && column.isNumber),
  );
  const [column, second] = numbers;
  if (column === undefined || column === null || second === undefined || second === null) return [];
  return [
    { name: 'correlation', sketch: { ...countOf(before), measures: [{ aggregate: 'correlation', column, second }] } },
  ];
}

/** `newest first`, `sort by rent`: rows in an order of their own. */
export function orderEdits(before: Sketch, { column, direction }: OrderPart): readonly Edit[] {
  if (before.kind !== 'rows') return [];
  return [{ name: `order:${before.order.length}`, sketch: { ...before, order: [{ by: column, direction }] } }];
}

const SHIFTS = ['day', 'week', 'month', 'quarter', 'year'] as const;

/** `and the month before?`: the same in another period. */
export function shiftEdits(question: Question, before: Sketch): readonly Edit[] {
  const back = ['before', 'previous', 'prior', 'earlier', 'preceding', 'last'].some((word) => question.words.has(word));
  const on = ['after', 'next', 'following', 'later'].some((word) => question.words.has(word));
  if (!back && !on) return [];
  return SHIFTS.filter((unit) => question.words.has(unit)).flatMap((unit) =>
    [...(back ? [-1] : []), ...(on ? [1] : [])].flatMap((steps): readonly Edit[] => {
      const filters = before.filters.map((filter) => shifted(filter, unit, steps));
      const isShifted = filters.some((filter, index) => filter !== before.filters[index]);
      return isShifted ? [{ name: `shift:${steps}`, sketch: { ...before, filters } }] : [];
    }),
  );
}

function shifted(filter: Filter, unit: (typeof SHIFTS)[number], steps: number): Filter {
  if (filter.kind !== 'time' || filter.from === null || filter.to === null) return filter;
  const shift = (moment: string): string => isoOf(moved(Date.parse(moment), unit, steps));
  const { moving } = filter;
  const ends = moving === undefined ? {} : { moving: movedEnds(moving, steps, unit) };
  return { ...filter, from: shift(filter.from), to: shift(filter.to), ...ends };
}
