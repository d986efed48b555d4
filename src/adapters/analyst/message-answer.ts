import type { AnswerKind } from '../../ports/assistant-answer.js';
import type { ModelRequest, TableBriefing } from '../../ports/chat-model.js';
import type { QueryResult } from '../../ports/table.js';
import { answerChart, type Ran } from './answer-chart.js';
import { answerWords } from './answer-words.js';
import type { ChartCall } from './chart-call.js';
import { hasCalled, offers, outcomeOf, problemOf, resultIdOf } from './exchange-reading.js';
import { inline } from './markdown.js';
import type { Part } from './message/understanding.js';
import { capital, joined } from './number-words.js';
import { callsOf, plannedParts, type PlannedCall, type PlannedPart } from './part-calls.js';
import { quotesFor } from '../../analyst/passages/passages.js';
import { boundsFrom } from '../../analyst/charts/outlier-bounds.js';
import { factsOf } from './table-facts.js';
import { knownWords, offersFor, problemWords, unclearWords } from './unclear-words.js';

/** Of one message so many questions are answered. */
export const MAX_PARTS = 6;

const LONG_QUESTION = 160;

/** What a round comes to: calls, or words. */
export type Turn =
  | { readonly kind: 'queries'; readonly calls: readonly PlannedCall[] }
  | { readonly kind: 'chart'; readonly chart: ChartCall }
  | { readonly kind: 'words'; readonly paragraphs: readonly string[]; readonly verdict: AnswerKind };

/** The answer to the questions of one message, round by round: first their queries, then the picture, then the words. */
export class MessageAnswer {
  private readonly planned: readonly PlannedPart[];
  private readonly answered: readonly Part[];

  constructor(
    private readonly request: ModelRequest,
    private readonly table: TableBriefing,
    private readonly parts: readonly Part[],
  ) {
    this.answered = parts.slice(0, MAX_PARTS);
    this.planned = plannedParts(this.answered, factsOf(table));
  }

  turn(): Turn {
    const { request, planned } = this;
    if (planned.length > 0 && !hasCalled(request.exchanges, 'analyze')) {
      return offers(request, 'analyze')
        ? { kind: 'queries', calls: callsOf(planned) }
        : words(['I can’t look at the rows any more in this answer.'], 'cannot');
    }
    const mayDraw = offers(request, 'make_chart') && !hasCalled(request.exchanges, 'make_chart');
    const chart = mayDraw ? answerChart(planned, (id) => this.ranOf(id)) : null;
    return chart === null ? this.words() : { kind: 'chart', chart };
  }

  private words(): Turn {
    const told = this.answered.map((part) => this.partWords(part));
    if (told.length === 0) return words(['I could not read that as a question about this table.'], 'clarify');
    const [only] = told;
    if (only !== undefined && this.parts.length === 1) return words(only.paragraphs, only.verdict);
    const numbered = told.flatMap(({ paragraphs }, index) => [
      `**${index + 1}. ${headingOf(this.answered[index]?.question ?? '')}**`,
      ...paragraphs,
    ]);
    const verdicts = told.map(({ verdict }) => verdict);
    const state = stateOf(verdicts);
    const verdict = verdicts.includes('answer') ? 'answer' : verdicts.includes('clarify') ? 'clarify' : 'cannot';
    return words([...state, ...numbered, ...this.helpWords(), ...this.restWords()], verdict);
  }

  private partWords(part: Part): { readonly paragraphs: readonly string[]; readonly verdict: AnswerKind } {
    const planned = this.planned.find((one) => one.part === part);
    if (planned !== undefined) return this.answerOf(planned);
    const read = part.understanding;
    if (read.kind !== 'unclear') return { paragraphs: [], verdict: 'cannot' };
    const quotes = quotesFor(part.question, this.request.briefing.passages);
    if (quotes !== null) return { paragraphs: quotes, verdict: 'answer' };
    const paragraphs =
      this.parts.length === 1 ? unclearWords(read, part.question, this.table) : [problemWords(read, this.table)];
    return { paragraphs, verdict: read.verdict };
  }

  private answerOf(planned: PlannedPart): { readonly paragraphs: readonly string[]; readonly verdict: AnswerKind } {
    const { read, part, main, bounds } = planned;
    const result = this.resultOf(main);
    if (result === null) {
      const problem = problemOf(outcomeOf(this.request.exchanges, main.id));
      const sentence = `I understood the question (${inline(read.purpose, 600)}), but it could not be worked out: ${inline(problem, 400)}.`;
      return { paragraphs: [sentence], verdict: 'cannot' };
    }
    const limits = bounds === null ? null : this.resultOf(bounds);
    const paragraphs = answerWords(read, {
      result,
      facts: factsOf(this.table),
      format: part.format,
      bounds: limits === null ? null : boundsFrom(read.plan, limits),
      offers: read.confidence < 1 && this.parts.length === 1 ? offersFor(part.question, this.table) : [],
    });
    return { paragraphs, verdict: 'answer' };
  }

  /** What the table has to ask about, once for all questions that were not read. */
  private helpWords(): readonly string[] {
    const unclear = this.answered.flatMap(({ understanding }) =>
      understanding.kind === 'unclear' ? [understanding.unread] : [],
    );
    return unclear.length === 0 ? [] : knownWords(unclear.flat(), this.table);
  }

  private restWords(): readonly string[] {
    const rest = this.parts.slice(MAX_PARTS).map(({ question }) => `“${inline(question, LONG_QUESTION)}”`);
    if (rest.length === 0) return [];
    return [`I answer at most ${MAX_PARTS} questions at a time. Ask me again: ${rest.slice(0, MAX_PARTS).join(', ')}.`];
  }

  private resultOf({ id }: PlannedCall): QueryResult | null {
    return this.ranOf(id)?.result ?? null;
  }

  private ranOf(callId: string): Ran | null {
    const outcome = outcomeOf(this.request.exchanges, callId);
    return outcome?.ok === true && outcome.result !== null ? { id: resultIdOf(outcome), result: outcome.result } : null;
  }
}

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** Before anything else, which questions of several were answered, where not all were. */
function stateOf(verdicts: readonly AnswerKind[]): readonly string[] {
  const places = (isWanted: (verdict: AnswerKind) => boolean): string =>
    joined(verdicts.flatMap((verdict, place) => (isWanted(verdict) ? [PLACES[place] ?? 'last'] : [])));
  const [open, done] = [places((one) => one !== 'answer'), places((one) => one === 'answer')];
  return open === '' || done === '' ? [] : [`I could not answer the ${open} of these questions, but the ${done}.`];
}

/** The question itself, as far as it has room. */
function headingOf(question: string): string {
  return capital(inline(question, LONG_QUESTION));
}

export function words(paragraphs: readonly string[], verdict: AnswerKind): Turn {
  return { kind: 'words', paragraphs, verdict };
}
