import { setImmediate } from 'node:timers/promises';
import {
  ChatModel,
  type Briefing,
  type ModelDelta,
  type ModelRequest,
  type ToolOutcome,
} from '../../ports/chat-model.js';
import type { AnswerKind } from '../../ports/assistant-answer.js';
import { isRecord } from '../../shared/json.js';
import { answerWords } from './answer-words.js';
import { chartFor } from './chart-choice.js';
import { inline } from './markdown.js';
import { isAboutNothing, nearestQuote, quotesFor } from './passages.js';
import { factsOf } from './table-facts.js';
import { unclearWords } from './unclear-words.js';
import { understand, type Understanding } from './understand.js';

/** What a round comes to: one call, or words. */
type Turn =
  | { readonly kind: 'call'; readonly tool: 'analyze' | 'make_chart'; readonly arguments: object }
  | { readonly kind: 'words'; readonly paragraphs: readonly string[]; readonly verdict: AnswerKind };

/**
 * Answers questions about one table without any model outside: it reads the question with a grammar, lets the plan run, and puts the
 * figures into words. What it does not understand it says, and it never guesses.
 */
export class BuiltInAnalyst extends ChatModel {
  override readonly name = 'built-in analyst';
  override readonly writesFreely = false;

  override async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    signal.throwIfAborted();
    for (const delta of deltasOf(turnOf(request))) {
      yield delta;
      // Between the pieces others have their turn, and an abort is noticed.
      await setImmediate();
      signal.throwIfAborted();
    }
  }
}

function* deltasOf(turn: Turn): Generator<ModelDelta> {
  if (turn.kind === 'call') {
    yield {
      kind: 'call',
      key: turn.tool,
      id: `call_${turn.tool}`,
      name: turn.tool,
      arguments: JSON.stringify(turn.arguments),
    };
    yield { kind: 'end', reason: 'tool_calls', verdict: null, tokens: null };
    return;
  }
  for (const [index, paragraph] of turn.paragraphs.entries()) {
    yield { kind: 'text', text: index === 0 ? paragraph : `\n\n${paragraph}` };
  }
  yield { kind: 'end', reason: 'stop', verdict: turn.verdict, tokens: null };
}

function turnOf(request: ModelRequest): Turn {
  const { briefing } = request;
  if (briefing.table === null) return fromFiles(briefing);
  const read = understand(briefing.question, briefing.table, briefing.history, briefing.now);
  if (read.kind === 'unclear') return unclear(read, briefing);
  const outcome = outcomeOf(request, 'analyze');
  if (outcome !== null) return afterAnalysis(request, read, outcome);
  if (!offers(request, 'analyze')) return words(['I can’t look at the rows any more in this answer.'], 'cannot');
  return { kind: 'call', tool: 'analyze', arguments: { plan: read.plan, purpose: read.purpose } };
}

function afterAnalysis(request: ModelRequest, read: Understanding & { kind: 'plan' }, outcome: ToolOutcome): Turn {
  const { result } = outcome;
  const { table } = request.briefing;
  if (!outcome.ok || result === null || table === null) {
    return words(
      [
        `I understood the question (${inline(read.purpose, 600)}), but it could not be worked out: ${inline(problemOf(outcome), 400)}.`,
      ],
      'cannot',
    );
  }
  const chart =
    outcomeOf(request, 'make_chart') === null && offers(request, 'make_chart') ? chartFor(read.plan, result) : null;
  if (chart !== null) return { kind: 'call', tool: 'make_chart', arguments: chart };
  return words(answerWords(read, result, factsOf(table)), 'answer');
}

function unclear(read: Understanding & { kind: 'unclear' }, briefing: Briefing): Turn {
  const quotes = quotesFor(briefing.question, briefing.passages);
  if (quotes !== null) return words(quotes, 'answer');
  return briefing.table === null
    ? fromFiles(briefing)
    : words(unclearWords(read, briefing.question, briefing.table), read.verdict);
}

/** Context files alone: their own words, what comes nearest, or an honest no. */
function fromFiles({ question, passages, history }: Briefing): Turn {
  const before = history.at(-1)?.question ?? '';
  // “And for how long?” goes on with the question before it.
  const asked = isAboutNothing(question) ? `${before}\n${question}` : question;
  const quotes = quotesFor(asked, passages);
  if (quotes !== null) return words(quotes, 'answer');
  const nearest = nearestQuote(asked, passages);
  return nearest === null
    ? words(['I find no answer to that in the context files.'], 'cannot')
    : words(['I find no clear answer to that in the context files. What comes nearest is this:', nearest], 'cannot');
}

function words(paragraphs: readonly string[], verdict: AnswerKind): Turn {
  return { kind: 'words', paragraphs, verdict };
}

function offers({ tools }: ModelRequest, tool: string): boolean {
  return tools.some(({ name }) => name === tool);
}

/** What came of the last call of this tool. */
function outcomeOf({ exchanges }: ModelRequest, tool: string): ToolOutcome | null {
  for (const { calls, outcomes } of exchanges.toReversed()) {
    const call = calls.findLast(({ name }) => name === tool);
    const outcome = call === undefined ? undefined : outcomes.find(({ callId }) => callId === call.id);
    if (outcome !== undefined) return outcome;
  }
  return null;
}

function problemOf({ content }: ToolOutcome): string {
  try {
    const told: unknown = JSON.parse(content);
    if (isRecord(told) && typeof told['error'] === 'string') return told['error'].replace(/\.$/, '');
  } catch {
    // Content that was cut is no JSON any more; then there is nothing to tell but that it failed.
  }
  return 'the query failed';
}
