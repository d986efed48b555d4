import { mongo } from 'mongoose';
import { AppError } from '../../../shared/app-error.js';

/** A value of a written pipeline. Documents are maps: they keep their order, and no name in them means anything to JavaScript. */
export type GateValue = null | boolean | number | string | Date | mongo.Long | readonly GateValue[] | GateDocument;
export type GateDocument = ReadonlyMap<string, GateValue>;

/** Characters that a pipeline may have. */
export const LONGEST_PIPELINE = 20_000;
/** As a shell is told it, and as a query of ours is shown. */
const SHELL = /^\s*db\.data\.aggregate\((.*)\)\s*;?\s*$/s;
const DEEPEST = 60;
const MOST_VALUES = 4000;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const TEXT = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const SPACE = /[ \t\r\n]*/y;
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;
const WORDS = new Map<string, GateValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads a pipeline as it was written: JSON, with `{"$date": …}` for times, and nothing else. No name may stand twice in a document,
 * because two readers could mean two different ones.
 *
 * @throws AppError `invalid_input` with a sentence for its writer.
 */
export function readPipelineText(text: string): GateValue {
  if (text.length > LONGEST_PIPELINE) throw refused(`it is longer than ${LONGEST_PIPELINE} characters`);
  const [, stages = text] = SHELL.exec(text) ?? [];
  return new JsonReader(stages).whole();
}

export function isDocument(value: GateValue): value is GateDocument {
  return value instanceof Map;
}

export function isList(value: GateValue): value is readonly GateValue[] {
  return Array.isArray(value);
}

class JsonReader {
  private at = 0;
  private values = 0;

  constructor(private readonly text: string) {}

  whole(): GateValue {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) throw this.unexpected();
    return value;
  }

  private value(depth: number): GateValue {
    if (depth > DEEPEST) throw refused('it is nested too deeply');
    if (++this.values > MOST_VALUES) throw refused(`it has more than ${MOST_VALUES} values`);
    this.space();
    const sign = this.text[this.at];
    if (sign === '{') return fromExtended(this.document(depth));
    if (sign === '[') return this.list(depth);
    return sign === '"' ? this.string() : this.plain();
  }

  private document(depth: number): GateDocument {
    const fields = new Map<string, GateValue>();
    this.between('}', () => {
      this.space();
      const name = this.string();
      if (fields.has(name)) throw refused(`the name ${shown(name)} stands twice in one document`);
      this.expect(':');
      fields.set(name, this.value(depth + 1));
    });
    return fields;
  }

  private list(depth: number): readonly GateValue[] {
    const items: GateValue[] = [];
    this.between(']', () => items.push(this.value(depth + 1)));
    return items;
  }

  /** From the sign that opens to the one that closes, with commas between. */
  private between(end: string, one: () => void): void {
    this.at += 1;
    this.space();
    if (this.text[this.at] === end) {
      this.at += 1;
      return;
    }
    for (;;) {
      one();
      this.space();
      if (this.text[this.at] !== ',') break;
      this.at += 1;
    }
    this.expect(end);
  }

  private string(): string {
    const text = this.next(TEXT);
    if (text === null) throw this.unexpected();
    return String(JSON.parse(text));
  }

  private plain(): GateValue {
    const number = this.next(NUMBER);
    if (number !== null) return finite(Number(number));
    const word = this.next(/true|false|null/y) ?? '';
    const value = WORDS.get(word);
    if (value === undefined) throw this.unexpected();
    return value;
  }

  private next(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? [];
    if (found === undefined) return null;
    this.at += found.length;
    return found;
  }

  private space(): void {
    this.next(SPACE);
  }

  private expect(sign: string): void {
    this.space();
    if (this.text[this.at] !== sign) throw this.unexpected();
    this.at += 1;
  }

  private unexpected(): AppError {
    const rest = this.text.slice(this.at, this.at + 20);
    return refused(
      `it is no JSON at character ${this.at + 1}${rest === '' ? ', where it ends' : `: ${shown(rest)}`}; ${adviceOn(rest)}`,
    );
  }
}

function adviceOn(rest: string): string {
  if (/^(?:new |ISODate|Date)/.test(rest)) return 'write times as {"$date": "2024-01-31T00:00:00Z"}';
  if (/^(?:Number|Decimal)/.test(rest)) return 'write numbers as they are';
  if (rest.startsWith('/')) return 'write patterns as {"$regex": "…", "$options": "i"}, and no comments';
  return 'names and texts stand in double quotes, and nothing follows the closing bracket';
}

/** What MongoDB's extended JSON says by documents with one name. */
function fromExtended(document: GateDocument): GateValue {
  const [entry] = document;
  if (entry === undefined || document.size > 1) return document;
  const [name, value] = entry;
  if (name === '$date') return dateFrom(value);
  if (name === '$numberLong') return longFrom(value);
  if (['$numberInt', '$numberDouble', '$numberDecimal'].includes(name)) return finite(numberFrom(value));
  return document;
}

function dateFrom(value: GateValue): Date {
  const date =
    typeof value === 'string' ? dateOf(value) : new Date(value instanceof mongo.Long ? value.toNumber() : NaN);
  const millis = typeof value === 'number' ? new Date(value) : date;
  if (Number.isNaN(millis.getTime())) throw refused('a $date is no time; write {"$date": "2024-01-31T00:00:00Z"}');
  return millis;
}

/** Without a zone it is UTC, as all times are. */
function dateOf(text: string): Date {
  if (!DATE.test(text)) return new Date(NaN);
  return new Date(!text.includes('T') || /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
}

function longFrom(value: GateValue): mongo.Long {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !/^-?\d{1,18}$/.test(text)) throw refused('a $numberLong is no whole number');
  return mongo.Long.fromString(text);
}

function numberFrom(value: GateValue): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value) ? Number(value) : NaN;
}

function finite(number: number): number {
  if (!Number.isFinite(number)) throw refused('a number is too large');
  return number;
}

/** A name or a text of the pipeline, for a sentence. */
export function shown(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short);
}

export function refused(problem: string): AppError {
  return new AppError('invalid_input', `the pipeline can't be run: ${problem}`);
}
