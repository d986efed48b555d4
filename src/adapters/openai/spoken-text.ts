import type { ModelDelta, ToolCall } from '../../ports/chat-model.js';
import { isRecord, parsedJson } from '../../shared/json.js';

const THOUGHTS = ['think', 'thinking', 'thought', 'reasoning'];
const OPENINGS = new Map(THOUGHTS.map((name) => [`<${name}>`, `</${name}>`]));
OPENINGS.set('[THINK]', '[/THINK]');
const CLOSINGS = [...OPENINGS.values()];
const CALL = '<tool_call>';
const CALL_END = '</tool_call>';
const MARKS = [...OPENINGS.keys(), ...CLOSINGS, CALL];

/** What comes between two marks: it goes out, or it is a thought, or a call, or it waits for the end. */
type Part = 'spoken' | 'whole' | 'thought' | 'call';

/**
 * Tells what a model says from what it thinks, and from calls that it wrote as text, as small models do and as servers leave it that
 * were not told how their model writes. Works on a stream: text waits only as long as it may be the begin of a mark.
 */
export class SpokenText {
  private part: Part;
  private closing = '';
  private pending = '';
  private hasSpoken = false;
  private calls = 0;
  /** Its thoughts had an end and no begin: their begin is part of the prompt that the server makes. */
  unmarked = false;

  /**
   * @param tools Names of the tools on offer; a call of anything else is text.
   * @param waits Nothing goes out before the end, or before the end of thoughts whose begin had no mark.
   */
  constructor(
    private readonly tools: readonly string[],
    private readonly waits: boolean,
  ) {
    this.part = this.waits ? 'whole' : 'spoken';
  }

  *passed(deltas: Iterable<ModelDelta>): Generator<ModelDelta> {
    for (const delta of deltas) {
      if (delta.kind === 'text') yield* this.push(delta.text);
      else yield delta;
    }
  }

  /** What is left when nothing follows. */
  *rest(): Generator<ModelDelta> {
    const text = this.pending;
    this.pending = '';
    if (this.part === 'call') yield* this.call(text, CALL + text);
    else if (this.part === 'whole') yield* this.call(text, text);
    else if (this.part === 'spoken') yield* this.say(text);
  }

  /** Goes from mark to mark, as far as they are there. */
  private *push(text: string): Generator<ModelDelta> {
    this.pending += text;
    for (let mark = this.nextMark(); mark !== null; mark = this.nextMark()) {
      const before = this.pending.slice(0, mark.at);
      this.pending = this.pending.slice(mark.at + mark.text.length);
      yield* this.enter(mark.text, before);
    }
    yield* this.release();
  }

  /** What can end this part. */
  private get marks(): readonly string[] {
    return this.part === 'thought' ? [this.closing] : this.part === 'call' ? [CALL_END] : MARKS;
  }

  private nextMark(): { readonly text: string; readonly at: number } | null {
    const found = this.marks.map((text) => ({ text, at: this.pending.indexOf(text) })).filter(({ at }) => at >= 0);
    return found.sort((one, other) => one.at - other.at)[0] ?? null;
  }

  private *enter(mark: string, before: string): Generator<ModelDelta> {
    if (mark === CALL_END) yield* this.call(before, CALL + before + CALL_END);
    else if (CLOSINGS.includes(mark)) this.unmarked ||= this.part !== 'thought';
    else if (this.part === 'whole' && before.trim() !== '') yield* this.call(before, before);
    else yield* this.say(before);
    this.part = mark === CALL ? 'call' : OPENINGS.has(mark) ? 'thought' : 'spoken';
    this.closing = OPENINGS.get(mark) ?? '';
  }

  /** What can't be part of a mark any more goes out. */
  private *release(): Generator<ModelDelta> {
    if (this.part === 'whole' || this.part === 'call') return;
    const opens = this.part === 'spoken' && !this.hasSpoken && this.tools.length > 0;
    if (opens && /^\s*[[{`]/.test(this.pending)) {
      this.part = 'whole';
      return;
    }
    const kept = begunOf(this.marks, this.pending);
    const text = this.pending.slice(0, this.pending.length - kept);
    this.pending = this.pending.slice(this.pending.length - kept);
    if (this.part === 'spoken') yield* this.say(text);
  }

  private *say(text: string): Generator<ModelDelta> {
    const told = this.hasSpoken ? text : text.trimStart();
    if (told === '') return;
    this.hasSpoken = true;
    yield { kind: 'text', text: told };
  }

  /** The calls that a text consists of; a text that is none goes out as it was written. */
  private *call(text: string, written: string): Generator<ModelDelta> {
    const calls = callsIn(text, this.tools);
    if (calls.length === 0) yield* this.say(written);
    for (const call of calls) yield { kind: 'call', key: `text ${++this.calls}`, id: null, ...call };
  }
}

/** How much of the text's end may be the begin of a mark. */
function begunOf(marks: readonly string[], text: string): number {
  const most = Math.min(text.length, Math.max(...marks.map(({ length }) => length)) - 1);
  for (let length = most; length > 0; length -= 1) {
    if (marks.some((mark) => mark.startsWith(text.slice(-length)))) return length;
  }
  return 0;
}

type WrittenCall = Pick<ToolCall, 'name' | 'arguments'>;

/** Without a pattern for the whole, whose time would grow with the third power of the spaces in a row. */
function unfenced(text: string): string {
  const isFenced = text.startsWith('```') && text.endsWith('```');
  return isFenced ? text.slice(3, -3).replace(/^\w*/, '') : text;
}

function callsIn(text: string, tools: readonly string[]): readonly WrittenCall[] {
  const parsed = parsedJson(unfenced(text.trim()));
  const calls = (Array.isArray(parsed) ? parsed : [parsed]).map(callOf);
  const known = calls.filter((call) => call !== null).filter(({ name }) => tools.includes(name));
  return known.length === calls.length ? known : [];
}

function callOf(value: unknown): WrittenCall | null {
  if (!isRecord(value) || typeof value['name'] !== 'string') return null;
  const given = value['arguments'] ?? value['parameters'];
  if (typeof given === 'string') return { name: value['name'], arguments: given };
  return isRecord(given) ? { name: value['name'], arguments: JSON.stringify(given) } : null;
}
