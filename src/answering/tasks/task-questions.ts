import type { PromptQuestion, PromptReading } from './prompt-reader.js';
import { addressed, type AddressedQuestion } from './subject-choice.js';
import { DEFAULT_STEPS, DEFAULT_TOOL_CALLS } from '../question.js';
import type { TaskSubject } from './task-assignment.js';
import type { TaskQuestion } from './task-run.js';

/** Rounds that a question needs at least: one to query, one to draw, one to speak. */
const FEWEST_STEPS = 3;
/** Kept for the last word and its repair. */
const KEPT_STEPS = 2;
const MAX_PROMPT = 4000;
const OF_THE_PROMPT = { origin: 'prompt', plan: null } as const;

/** What is to be asked, and what can't be for want of steps. */
export interface QuestionPlan {
  readonly questions: readonly Omit<TaskQuestion, 'steps' | 'toolCalls'>[];
  /** Datasources that nobody has the steps to ask. */
  readonly unasked: readonly TaskSubject[];
}

/** Every question of the prompt for every datasource that it is for. With a billed model as many as its steps allow. Pure. */
export function questionsFor(
  { prompt, subjects }: { readonly prompt: string; readonly subjects: readonly TaskSubject[] },
  reading: PromptReading,
  model: { readonly writesFreely: boolean; readonly stepsLeft: number },
): QuestionPlan {
  const single = singleQuestions(reading, subjects);
  if (!model.writesFreely) return { questions: single, unasked: [] };
  const steps = model.stepsLeft - KEPT_STEPS;
  const known = single.filter((question) => !question.perhaps || single.every(({ perhaps }) => perhaps));
  if (known.length > 0 && known.length * FEWEST_STEPS <= steps) {
    return { questions: known.map((question) => ({ ...question, text: inContext(question, prompt) })), unasked: [] };
  }
  const most = Math.max(1, Math.floor(steps / FEWEST_STEPS));
  const asked =
    known.length === 0 ? subjects : subjects.filter((subject) => known.some((one) => one.subject === subject));
  return {
    questions: asked.slice(0, most).map((subject) => together(subject, { prompt, known })),
    unasked: asked.slice(most),
  };
}

type Single = Omit<TaskQuestion, 'steps' | 'toolCalls'> & { readonly perhaps: boolean };

function singleQuestions({ questions }: PromptReading, subjects: readonly TaskSubject[]): readonly Single[] {
  let before: readonly AddressedQuestion[] = [];
  return questions.flatMap((question) => {
    before = addressedOf(question, subjects, before);
    return before.map((own) => ({ ...question, ...own, asked: question.text, ...OF_THE_PROMPT }));
  });
}

/** `And in New York?` is for those that the question before was for. */
function addressedOf(
  { text, refersBack }: PromptQuestion,
  subjects: readonly TaskSubject[],
  before: readonly AddressedQuestion[],
): readonly AddressedQuestion[] {
  const own = addressed(text, subjects);
  if (!refersBack || before.length === 0 || own.length < subjects.length) return own;
  return before.map(({ subject }) => ({ subject, text: own.find((one) => one.subject === subject)?.text ?? text }));
}

function inContext({ text }: Single, prompt: string): string {
  if (prompt.trim() === text) return text;
  return `${text}\n\nThis is one question of a larger task, for your understanding only; answer just the question above:\n${prompt.slice(0, MAX_PROMPT)}`;
}

/** All that is asked of one datasource in one go, where there are not enough steps to ask one by one. */
function together(
  subject: TaskSubject,
  { prompt, known }: { readonly prompt: string; readonly known: readonly Single[] },
): Omit<TaskQuestion, 'steps' | 'toolCalls'> {
  const own = known.filter((one) => one.subject === subject).map(({ text }) => text);
  const list = own.map((text, index) => `${index + 1}. ${text}`).join('\n');
  const asked = own.length === 0 ? prompt : own.join(' ');
  const text =
    own.length === 0
      ? prompt.slice(0, MAX_PROMPT)
      : `Answer each of these from this table, in order; several tool calls may go in one message:\n${list}`;
  return { subject, asked, text, ...OF_THE_PROMPT };
}

/** The part of what is left that the next of so many questions may use. */
export function shareOf(
  model: { readonly writesFreely: boolean; readonly stepsLeft: number; readonly callsLeft: number },
  questionsLeft: number,
): { readonly steps: number; readonly toolCalls: number } {
  if (!model.writesFreely) {
    return {
      steps: Math.min(DEFAULT_STEPS, model.stepsLeft),
      toolCalls: Math.min(DEFAULT_TOOL_CALLS, model.callsLeft),
    };
  }
  const steps = Math.floor((model.stepsLeft - KEPT_STEPS) / questionsLeft);
  const calls = Math.ceil(model.callsLeft / questionsLeft);
  return { steps: Math.min(DEFAULT_STEPS, Math.max(2, steps)), toolCalls: Math.min(DEFAULT_TOOL_CALLS, calls) };
}
