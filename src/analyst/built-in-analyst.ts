import { setImmediate } from 'node:timers/promises';
import { ChatModel, type Briefing, type GivenPlan, type ModelDelta, type ModelRequest } from '../ports/chat-model.js';
import { purposeOf } from '../plan/wording.js';
import { inline } from '../shared/markdown.js';
import { capital } from '../shared/number-words.js';
import { untilAborted } from '../shared/until-aborted.js';
import { MessageAnswer, words, type Turn } from './message-answer.js';
import type { Part } from './understanding.js';
import { isAboutNothing, nearestQuote, quotesFor } from './passages/passages.js';
import { type AskedMessage, type AskedTable, readMessage } from './asked-table.js';
import { readHere, type ReadMessage } from './reading-process.js';

/**
 * Answers questions about one table without any model outside. What a question asks is found by weights that were learned from examples;
 * the plans run, and the figures are put into words. What it is not sure of it offers to choose from, and what it does not understand it says.
 */
export class BuiltInAnalyst extends ChatModel {
  override readonly name = 'built-in analyst';
  override readonly writesFreely = false;
  /** An answer has several rounds, and its questions are read in the first. */
  private readonly known = new WeakMap<Briefing, AskedMessage>();

  constructor(private readonly read: ReadMessage = readHere) {
    super();
  }

  override async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    signal.throwIfAborted();
    const asked = await this.askedIn(request, signal);
    const turn =
      asked === null ? fromFiles(request.briefing) : new MessageAnswer(request, asked.asked, asked.parts).turn();
    for (const delta of deltasOf(turn, asked?.asked ?? null)) {
      yield delta;
      // Between the pieces others have their turn, and an abort is noticed.
      await setImmediate();
      signal.throwIfAborted();
    }
  }

  /** Null: there is no table. */
  private async askedIn({ briefing, companyId }: ModelRequest, signal: AbortSignal): Promise<AskedMessage | null> {
    const { table, given, isUnattended = false } = briefing;
    if (table === null) return null;
    const known = this.known.get(briefing);
    if (known !== undefined) return known;
    const reading = readMessage(briefing, table, (message) => this.read({ companyId, ...message }, signal));
    const { asked, parts } = await untilAborted(reading, signal);
    const read = isUnattended ? parts.map(decided) : parts;
    const message = { asked, parts: given == null ? read : [givenPart(given)] };
    this.known.set(briefing, message);
    return message;
  }
}

function* deltasOf(turn: Turn, asked: AskedTable | null): Generator<ModelDelta> {
  const datasource = asked?.datasource == null ? {} : { datasource: asked.datasource };
  const join = asked?.join == null ? {} : { join: asked.join };
  switch (turn.kind) {
    case 'queries':
      for (const { id, plan, purpose } of turn.calls)
        yield callOf(id, 'analyze', { ...datasource, plan: { ...plan, ...join }, purpose });
      break;
    case 'chart':
      yield callOf('call_make_chart', 'make_chart', turn.chart);
      break;
    case 'words':
      for (const [index, paragraph] of turn.paragraphs.entries()) {
        yield { kind: 'text', text: index === 0 ? paragraph : `\n\n${paragraph}` };
      }
      yield { kind: 'end', reason: 'stop', verdict: turn.verdict, tokens: null };
      return;
  }
  yield { kind: 'end', reason: 'tool_calls', verdict: null, tokens: null };
}

function callOf(id: string, name: 'analyze' | 'make_chart', given: object): ModelDelta {
  return { kind: 'call', key: id, id, name, arguments: JSON.stringify(given) };
}

/** A plan needs no reading. */
function givenPart({ plan, chart }: GivenPlan): Part {
  const purpose = purposeOf(plan);
  return {
    question: purpose,
    understanding: { kind: 'plan', plan, purpose, unread: [], notes: [], confidence: 1 },
    wish: { kind: chart, distribution: false, unknown: null },
    format: { decimals: null },
  };
}

/** The likeliest of several readings as if it had been chosen, with the others told; what has words that nobody knows here stays a choice. */
function decided(part: Part): Part {
  const { understanding } = part;
  if (understanding.kind !== 'choice') return part;
  const { readings, unread, unknown } = understanding;
  const [first, ...others] = readings;
  if (first === undefined || unknown !== null) return part;
  const also = others.map(({ purpose }) => `“${capital(inline(purpose, MAX_READING))}”`);
  const rest = also.length === 0 ? '' : ` It may also ask for ${also.join(' or ')}.`;
  const note = `The question was not clear to me; this is its likeliest meaning.${rest}`;
  return { ...part, understanding: { kind: 'plan', ...first, unread, notes: [note], confidence: 0 } };
}

const MAX_READING = 160;

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
