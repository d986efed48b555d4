import type { DerivedColumn, Filter } from '../../ports/analysis-plan.js';
import { comparisonAround, SIGN_OF } from './comparison.js';
import type { Sketch } from './draft.js';
import {
  aggregateEdits,
  type Edit,
  figureEdits,
  groupEdits,
  ofOtherPart,
  orderEdits,
  pairEdits,
  plainEdits,
  portionEdits,
  rankEdits,
  severalEdits,
  shiftEdits,
  shownEdits,
  shownGroupEdits,
  widened,
  withFilters,
} from './edits.js';
import { ROW_COUNT } from './figure-list.js';
import { havingPart, OPERATORS, scaleOf } from './group-heads.js';
import { directionFeatures, rowOrders } from './orders.js';
import { shownLists } from './shown-columns.js';
import type { HeadFacts, Heads, Lists } from './heads.js';
import type { Features, Part, Question } from './question.js';
import { feature } from './weights.js';

type Before = Omit<Lists, 'limits'> & { readonly before: Sketch };

/** An edit with what speaks for it. */
interface Change {
  readonly edit: Edit;
  readonly parts: readonly Part[];
  readonly extra: Features;
}

/** The plan before with one change; new conditions are added, or take the place of those on the same column. */
export function editHeads(question: Question, heads: Heads, given: Before): void {
  const { before } = given;
  const was = `${before.kind}${before.kind === 'aggregate' ? Math.min(2, before.dimensions.length) : ''}`;
  // Conditions of before are dropped only by a word that says so.
  const canDrop = saysAll(question);
  addRefiltered(question, heads, before, was);
  for (const change of changesOf(question, given)) {
    addEdit(question, heads, { ...change, was, keeps: true });
    if (canDrop && change.edit.sketch.filters.length > 0) addEdit(question, heads, { ...change, was, keeps: false });
  }
}

/** `add Bristol`: more values beside those before; `and Germany?`: another part of the same whole. */
function addRefiltered(question: Question, heads: Heads, before: Sketch, was: string): void {
  for (const [name, build] of [
    ['widened', widened],
    ['part', ofOtherPart],
  ] as const) {
    const change = question.shared(`edit|${name}`, () => [
      feature(`edit|${name}`),
      feature(`edit|${name}|${was}`),
      ...question.tag(`edit:${name}`),
    ]);
    heads.add('edit', {
      parts: [change],
      facts: sketchFacts(before),
      key: `${name}|${JSON.stringify(before)}`,
      build: (filters) => build(before, filters),
    });
  }
}

function saysAll(question: Question): boolean {
  return (
    question.has('neg') ||
    question.has('sum') ||
    ['all', 'whole', 'everything'].some((word) => question.words.has(word))
  );
}

function changesOf(question: Question, { before, figures, groups }: Before): readonly Change[] {
  const plain = [
    ...plainEdits(question, before),
    ...aggregateEdits(question, before),
    ...rankEdits(question, before),
    ...shiftEdits(question, before),
    ...severalEdits(question, before),
    ...portionEdits(question, before),
    ...pairEdits(question, before),
  ];
  const because = (edits: readonly Edit[], part: Part): readonly Change[] =>
    edits.map((edit) => ({ edit, parts: [part], extra: [] }));
  return [
    ...plain.map((edit) => ({ edit, parts: [], extra: rankFeatures(question, edit) })),
    ...limitChanges(question, before),
    ...groups
      .slice(0, 8)
      .flatMap((group) => because([...groupEdits(before, group), ...shownGroupEdits(question, before, group)], group)),
    ...figures
      .slice(0, 10)
      .flatMap((list) => because(figureEdits(before, list, list.uses.length > 0 || question.has('count')), list)),
    ...shownLists(question)
      .slice(0, 6)
      .flatMap((list) => because(shownEdits(before, list.columns), list)),
    ...rowOrders(question)
      .slice(0, 6)
      .flatMap((order) => because(orderEdits(before, order), order)),
  ];
}

/** `only those above 8`: a limit for the first figure of before, or for how many rows a group has. */
function limitChanges(question: Question, before: Sketch): readonly Change[] {
  if (before.kind !== 'aggregate' || before.dimensions.length === 0 || (before.computed ?? []).length > 0) return [];
  const { measures, dimensions } = before;
  const sketches = [
    { name: 'limited', measures, measure: 0 },
    // How many rows there are is shown, too.
    ...(measures[0]?.column == null
      ? []
      : [{ name: 'limitedcount', measures: [...measures, ROW_COUNT], measure: measures.length }]),
  ];
  return question.linked.numbers.slice(0, 2).flatMap((mention) => {
    const cls = comparisonAround(question, mention.from, mention.to);
    const operator = OPERATORS.find((one) => one === SIGN_OF[cls] && cls !== 'none');
    if (operator === undefined || measures.length === 0) return [];
    const part = havingPart(question, mention, `${operator}|${cls}`);
    return sketches.map(({ name, measures: shown, measure }) => ({
      edit: { name, sketch: { ...before, measures: shown, having: [{ measure, operator, value: mention.value }] } },
      parts: [part],
      extra: [feature(`having|scale|${scaleOf(question, shown[measure], dimensions[0], mention.value)}`)],
    }));
  });
}

function rankFeatures(question: Question, { name }: Edit): Features {
  if (!name.startsWith('rank:')) return [];
  return directionFeatures(question, name.startsWith('rank:desc') ? 'desc' : 'asc', 'none');
}

function addEdit(
  question: Question,
  heads: Heads,
  { edit, parts, extra, was, keeps }: Change & { readonly was: string; readonly keeps: boolean },
): void {
  const { name, sketch } = edit;
  const change = question.shared(`edit|${name}|${keeps}`, () => [
    feature(`edit|${name}`),
    feature(`edit|${name}|${was}`),
    feature(`edit|keeps|${keeps}`),
    ...question.tag(`edit:${name}`),
    ...question.tag(`edit|keeps|${keeps}`),
  ]);
  heads.add('edit', {
    parts: [change, ...parts],
    extra,
    facts: sketchFacts(sketch),
    key: `${name}|${JSON.stringify(sketch)}|${keeps}`,
    build: (filters, derived) => edited(sketch, keeps ? withFilters(sketch.filters, filters) : filters, derived),
  });
}

function sketchFacts(sketch: Sketch): Partial<HeadFacts> {
  if (sketch.kind === 'statistic') return {};
  if (sketch.kind === 'rows') return { shown: sketch.columns, limit: sketch.limit };
  return {
    groups: sketch.dimensions.length,
    isTimed: sketch.dimensions.some(({ kind }) => kind === 'bucket'),
    aggregates: new Set(sketch.measures.map(({ aggregate }) => aggregate)),
    order: sketch.rank === null ? '' : 'figure',
    limit: sketch.rank?.limit ?? null,
  };
}

function edited(sketch: Sketch, filters: readonly Filter[], derived: readonly DerivedColumn[]): Sketch {
  const known = new Set((sketch.derived ?? []).map(({ name }) => name));
  const all = [...(sketch.derived ?? []), ...derived.filter(({ name }) => !known.has(name))];
  return { ...sketch, filters, ...(all.length > 0 ? { derived: all } : {}) };
}
