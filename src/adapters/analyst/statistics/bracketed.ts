import type { Clause } from './clause.js';
import { wholeCondition } from './group-definitions.js';
import type { Script } from './script.js';

const BRACKET = /\((?<inside>[^()]{3,80})\)/gu;
const LEADS = /^(?:i\.\s?e\.,?|that is,?|namely|where|with|meaning|so|=>)\s+/iu;
const LEAVES_OUT =
  /\b(?:exclud\w+|ignor\w+|omit\w*|drop\w*|remov\w+|discard\w*|disregard\w*|skip\w*|leav\w+ out|without)\b[^,;]*$/iu;
/** `bookings which were not cancelled`, `days on which it rained`. */
const RELATIVE = /\s+(?:(?:on|at|in|for|of)\s+)?\b(?:that|which|who|where|when|whose)\b[^,;:()=<>]{0,60}$/iu;
/** `had at least one defect`. */
const VERB =
  /\s+\b(?<verb>had|have|has|with|having)\b(?!.*\b(?:had|have|has|with|having|is|are|was|were)\b)[^,;:()=<>]{0,50}$/iu;
/** `of rainy days`. */
const NOUN =
  /\b(?<link>of|for|in|on|at|among|from|than|between|and|only)\s+(?:the\s+|all\s+|those\s+)?(?:(?!(?:and|or|with|having|is|are|was|were)\b)[\p{L}\d.-]+\s*){1,6}$/iu;
/** `the cancellation rate (share of rows with …)`. */
const FIGURE =
  /^(?:the )?(?:share|percentage|proportion|fraction|mean|average|median|number|count|sum|total|ratio|standard deviation)\b.*\b(?:of|in|with|between|where)\b/iu;
const NAMED =
  /\b(?<opens>the|an?|of|is|what|their|its|calculate|compute|determine|report|give)\s+(?:[\p{L}-]+\s*){1,4}$/iu;

/**
 * What stands in brackets behind rows says exactly which they are: `the bookings which were not cancelled (IsCancelled = 0)` are those with
 * `IsCancelled = 0`, whatever the words before mean. Words that name a figure stay.
 */
export function withExactConditions(text: string, script: Script): string {
  if (!text.includes('(')) return text;
  for (const found of text.matchAll(BRACKET)) {
    const inside = (found.groups?.['inside'] ?? '').replace(LEADS, '').trim();
    const head = text.slice(0, found.index).trimEnd();
    const before = LEAVES_OUT.test(head) ? null : headBefore(head, inside, script);
    if (before === null) continue;
    const rest = text.slice(found.index + found[0].length);
    return withExactConditions(`${before} ${inside} ${rest}`.replace(/\s+(?=[?.;,]|$)/gu, ''), script);
  }
  return text;
}

/** The words before what is said exactly; `null` where the brackets say neither a condition nor a figure. */
function headBefore(head: string, inside: string, script: Script): string | null {
  if (isCondition(inside, script)) return headFor(head, script.clauseOf(inside), script);
  const named = FIGURE.test(inside) ? NAMED.exec(head) : null;
  if (named === null || script.clauseOf(named[0]).columns.length > 0 || asks(script.clauseOf(named[0]))) return null;
  return `${head.slice(0, named.index)}${named.groups?.['opens'] ?? 'the'}`;
}

function isCondition(inside: string, script: Script): boolean {
  return /\p{L}/u.test(inside) && wholeCondition(inside, script) !== null;
}

/** The words before, up to where they choose the rows. */
function headFor(head: string, exact: Clause, script: Script): string {
  const known = new Set(exact.columns.map(({ name }) => name));
  const choosesOnly = (words: string): boolean => isChoice(script.clauseOf(words), known);
  for (const { pattern, instead } of CHOOSING) {
    const found = pattern.exec(head);
    if (found !== null && choosesOnly(found[0])) return `${head.slice(0, found.index)}${instead(found.groups ?? {})}`;
  }
  return `${head} with`;
}

interface Choosing {
  readonly pattern: RegExp;
  /** What stands before the exact words then. */
  readonly instead: (groups: Readonly<Partial<Record<string, string>>>) => string;
}

const CHOOSING: readonly Choosing[] = [
  { pattern: RELATIVE, instead: () => ' with' },
  { pattern: VERB, instead: ({ verb = 'with' }) => ` ${verb}` },
  { pattern: NOUN, instead: ({ link = 'of' }) => `${link} rows with` },
];

/** It names no figure and no column of numbers but those of the exact words. */
function isChoice(clause: Clause, known: ReadonlySet<string>): boolean {
  return clause.columns.every(({ role, name }) => role !== 'figure' || known.has(name)) && !asks(clause);
}

function asks(clause: Clause): boolean {
  return clause.has(
    'figure',
    'relation',
    'regression',
    'test',
    'share',
    'outliers',
    'missing',
    'normality',
    'quartiles',
  );
}
