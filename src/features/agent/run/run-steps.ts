import type { NumberedTaskStep, TaskStep } from '../../../ports/task-step.js';

const LONGEST_TEXT = 8_000;
const LONGEST_TITLE = 300;
const MOST_STEPS = 200;
const IMAGE = /\/visualizations\/([A-Za-z0-9][A-Za-z0-9._-]*)/g;

/** The step with its place in the run and its texts cut to what is kept; null when the run has as many as are kept. */
export function nextStep(steps: readonly NumberedTaskStep[], step: TaskStep): NumberedTaskStep | null {
  if (steps.length >= MOST_STEPS) return null;
  const index = steps.length + 1;
  if (index === MOST_STEPS) return { ...step, ...MORE, index };
  return {
    index,
    type: step.type,
    title: cut(step.title, LONGEST_TITLE),
    content: cut(step.content, LONGEST_TEXT),
    dbquery: cut(step.dbquery, LONGEST_TEXT),
    visualization: step.visualization,
    startedAt: step.startedAt,
    finishedAt: step.finishedAt,
  };
}

/** A step that says what went wrong. */
export function troubleStep(title: string, content: string, at: Date): TaskStep {
  return { type: 'error', title, content, dbquery: '', visualization: '', startedAt: at, finishedAt: at };
}

/** File names of the charts that stand in steps and in an answer. */
export function imagesOf(steps: readonly TaskStep[], answer: string): readonly string[] {
  const shown = steps.map(({ visualization }) => visualization);
  const written = [...answer.matchAll(IMAGE)].map(([, name]) => name ?? '');
  return [...new Set([...shown, ...written])].filter((name) => name !== '');
}

const MORE = {
  type: 'check',
  title: 'Further steps are not recorded',
  content: `A run keeps its first ${MOST_STEPS - 1} steps.`,
  dbquery: '',
  visualization: '',
} as const;

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
