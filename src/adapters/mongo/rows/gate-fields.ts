import { type Extent, holding, SCALAR } from './gate-budget.js';
import { refused, shown } from './gate-json.js';

const LONGEST_NAME = 300;
const DEEPEST_PATH = 12;
const MOST_NAMED = 40;
/** Values that a document holds at least, whose fields nobody knows. */
const UNKNOWN = 100;

/** The fields that documents have between two stages; `open`: there may be others that nobody knows. */
export class GateFields {
  constructor(
    private readonly known: ReadonlyMap<string, Extent>,
    private readonly open = false,
  ) {}

  get names(): readonly string[] {
    return [...this.known.keys()];
  }

  has(name: string): boolean {
    return this.known.has(name);
  }

  /** All of a document. */
  get whole(): Extent {
    const all = holding([...this.known.values()]);
    return this.open ? { ...all, items: Math.max(UNKNOWN, all.items), inner: Math.max(UNKNOWN, all.inner) } : all;
  }

  /** What is found at a path. @throws AppError `invalid_input` when there is no such field. */
  at(path: string): Extent {
    const [root = ''] = partsOf(path);
    const extent = this.known.get(root);
    if (extent !== undefined) return extent;
    if (this.open) return this.whole;
    const names = this.names.slice(0, MOST_NAMED).map(shown).join(', ');
    throw refused(`there is no field ${shown(root)} at this stage; there are ${names === '' ? 'none' : names}`);
  }

  with(name: string, extent: Extent): GateFields {
    const [root = '', ...rest] = partsOf(name);
    const before = this.known.get(root);
    const after = rest.length === 0 ? extent : holding(before === undefined ? [extent] : [before, extent]);
    return new GateFields(new Map([...this.known, [root, after]]), this.open);
  }

  without(name: string): GateFields {
    const parts = partsOf(name);
    if (parts.length > 1) return this;
    return new GateFields(new Map([...this.known].filter(([known]) => known !== name)), this.open);
  }

  static of(fields: Iterable<readonly [string, Extent]>): GateFields {
    return new GateFields(new Map(fields));
  }

  /** Whatever an expression gave: its names are not known. */
  static unknown(extent: Extent): GateFields {
    return new GateFields(new Map([['_id', { ...extent, chars: Math.max(extent.chars, SCALAR.chars) }]]), true);
  }
}

/** The names along a path. @throws AppError `invalid_input` when one of them can be none. */
export function partsOf(path: string): readonly string[] {
  const parts = path.split('.');
  if (path.length > LONGEST_NAME || parts.length > DEEPEST_PATH) throw refused(`the name ${shown(path)} is too long`);
  for (const part of parts) {
    if (part === '') throw refused(`${shown(path)} is no name of a field: a part of it is empty`);
    if (part.startsWith('$') || part.includes('\0')) throw refused(`${shown(path)} is no name of a field`);
  }
  return parts;
}

/** The name of a new field. @throws AppError `invalid_input` when it can be none. */
export function fieldName(name: string): string {
  const parts = partsOf(name);
  if (parts.length > 1) throw refused(`the name ${shown(name)} of a new field has a dot in it`);
  return name;
}
