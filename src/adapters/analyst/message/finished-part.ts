import { withoutArithmeticWords } from '../statistics/prepared-text.js';
import { shortened, withSigns } from './sign-words.js';
import type { AnswerFormat, Grades, Part } from './understanding.js';

/** What was said around the questions of a message. */
export interface Surroundings {
  /** The message as it was written. */
  readonly message: string;
  /** What was said about the answers of the whole message. */
  readonly format: Partial<AnswerFormat>;
  /** Of sentences that became no question. */
  readonly loose: Partial<AnswerFormat>;
  /** Sentences that could not be read and could change every figure. */
  readonly blocks: readonly string[];
  readonly background: readonly string[];
  /** What the message calls figures of a size. */
  readonly grades: Grades | null;
}

/** Without the quotes and brackets that were put in to read it. */
export function asWritten(said: string, message: string): string {
  const bare = said.replace(/"([^"]+)"/gu, (quoted, name: string) => (message.includes(quoted) ? quoted : name));
  return withoutArithmeticWords(bare, message);
}

/** A part with what was said about the answers of the whole message. */
export function finishedPart(given: Part, around: Surroundings): Part {
  const part = graded(given, around.grades);
  const format = formatOf(part, around);
  const told = (text: string): string => `“${shortened(asWritten(text, around.message))}”`;
  if (around.blocks.length > 0 && part.understanding.kind === 'plan') {
    const reasons = around.blocks.map((text) => `I couldn’t read ${told(text)}, which could change the figure.`);
    return { ...part, format, understanding: { kind: 'unclear', verdict: 'clarify', reasons, unread: [] } };
  }
  if (part.understanding.kind === 'unclear')
    return { ...part, format, understanding: withSigns(part.understanding, around.message) };
  if (around.background.length === 0) return { ...part, format };
  const notes = [...part.understanding.notes, `I took this as background: ${around.background.map(told).join(' ')}.`];
  return { ...part, format, understanding: { ...part.understanding, notes } };
}

/** Whether a figure of the plan can be called by its size. */
export function suitsGrades({ understanding }: Part): boolean {
  if (understanding.kind !== 'plan') return false;
  const { plan } = understanding;
  if (plan.kind === 'statistic') return plan.method === 'pearson' || plan.method === 'spearman';
  const first = plan.kind === 'aggregate' && plan.dimensions.length === 0 ? plan.measures[0] : undefined;
  return (
    first !== undefined && /^(?:correlation|rank_correlation|skewness|skewness_pop|r_squared)$/u.test(first.aggregate)
  );
}

function graded(part: Part, grades: Grades | null): Part {
  if (grades === null || part.understanding.kind !== 'plan' || !suitsGrades(part)) return part;
  return { ...part, understanding: { ...part.understanding, grades } };
}

function formatOf(part: Part, { format, loose }: Surroundings): AnswerFormat {
  return {
    ...loose,
    ...part.format,
    ...format,
    decimals: part.format.decimals ?? format.decimals ?? loose.decimals ?? null,
  };
}
