import type { Grades, Grade } from '../message/understanding.js';

const NUMBER = String.raw`[-−]?\d*\.?\d+`;
const LABEL = String.raw`(?:"[^"]{2,30}"|“[^”]{2,30}”|'[^']{2,30}'|(?:(?:very|fairly|moderately|extremely|no|approximately|practically|nearly)\s+)?(?:strong|weak|moderate|negligible|positive|negative|none|high|low|medium|mild|substantial|small|large|perfect|symmetric(?:al)?|right-skewed|left-skewed|skewed|normal|correlation|relationship)(?:\s+(?:positive|negative))?)`;
const SUBJECT = String.raw`(?:(?:its|the|their)\s+)?(?:absolute\s+)?(?:\|?\s*(?:r|rho|value|coefficient|correlation|magnitude|size|skewness|it)\s*\|?\s*)?(?:of (?:r|it|the coefficient)\s+)?(?:is|lies|falls|are|=)?\s*`;
const RANGE = String.raw`(?:(?:between|from)?\s*(?<low>${NUMBER})\s*(?:-|–|to|and|minus|≤?\s*\|?r\|?\s*[<≤])\s*(?<high>${NUMBER})|(?<more>>=|≥|at least|>|above|over|more than|greater than|exceeds|higher than|exceeding)\s*(?<over>${NUMBER})|(?<less><=|≤|at most|up to|<|below|under|less than|smaller than|lower than)\s*(?<under>${NUMBER})|(?<plus>${NUMBER})\s*(?:or (?:more|above|higher|greater)|\+))`;
const LABEL_FIRST = new RegExp(
  String.raw`(?<label>${LABEL})\s*(?:correlation\s*)?(?:if|when|for|where|:|=|\()\s*${SUBJECT}${RANGE}`,
  'giu',
);
const RANGE_FIRST = new RegExp(
  String.raw`${RANGE}\s*(?:is|are|:|=|means|as|→|->|,)?\s*(?:considered |regarded as |called |an? )?(?<label>${LABEL})`,
  'giu',
);
const OTHERWISE = new RegExp(
  String.raw`(?:(?<before>${LABEL})\s+(?:otherwise|in all other cases|else)|(?:otherwise|else)\s*,?\s*(?:as\s+|it is\s+|is\s+)?(?<after>${LABEL}))`,
  'iu',
);
const OF_SIZE = /\babsolute|\|\s*(?:r|rho|correlation|coefficient)?\s*\||magnitude|regardless of (?:the )?sign/iu;

/** What a text says about how a figure is to be called, and the text without that. */
export interface GradesRead {
  readonly grades: Grades;
  readonly rest: string;
}

/** Reads `strong if |r| is at least 0.7, moderate if it lies between 0.3 and 0.7, weak otherwise`; `null` where there are no such limits. */
export function gradesIn(text: string): GradesRead | null {
  const found = [...text.matchAll(LABEL_FIRST)];
  const matches = found.length > 0 ? found : [...text.matchAll(RANGE_FIRST)];
  const rest = OTHERWISE.exec(text);
  const all = rest === null ? matches : [...matches, rest];
  const [first] = matches;
  if (first === undefined || all.length < 2) return null;
  const classes = matches.flatMap((match) => gradeOf(match.groups ?? {}));
  const end = Math.max(...all.map((match) => match.index + match[0].length));
  return {
    grades: { classes, otherwise: otherwiseIn(rest), ofSize: OF_SIZE.test(text) },
    rest: withoutFrame(text.slice(0, first.index), text.slice(end)),
  };
}

function otherwiseIn(rest: RegExpExecArray | null): string | null {
  const label = rest?.groups?.['before'] ?? rest?.groups?.['after'];
  return label === undefined ? null : bare(label);
}

function bare(label: string): string {
  return label
    .replace(/["“”']/gu, '')
    .toLowerCase()
    .trim();
}

type Groups = Readonly<Record<string, string | undefined>>;

function gradeOf(groups: Groups): readonly Grade[] {
  const { label } = groups;
  return label === undefined ? [] : [{ label: bare(label), low: lowOf(groups), high: highOf(groups) }];
}

function lowOf({ low, more = '', over, plus }: Groups): Grade['low'] {
  return limit(low ?? plus, true) ?? limit(over, /^(?:>=|≥|at least)$/iu.test(more));
}

function highOf({ high, less = '', under }: Groups): Grade['high'] {
  return limit(high, true) ?? limit(under, /^(?:<=|≤|at most|up to)$/iu.test(less));
}

function limit(written: string | undefined, included: boolean): Grade['low'] {
  return written === undefined ? null : { value: Number(written.replace('−', '-')), included };
}

const FRAME =
  /(?:^|[,;:(–-]|\band\b)\s*(?:please\s+)?(?:consider|regard|call|classify|treat|count|take|interpret|label|grade|assess|judge|state|say|describe|evaluate|rate|a|the|its|as|with|correlation|relationship|coefficient|strength|is|are|was|r|rho|absolute|value|of|regarded|considered|called|where|here|follows|if|so|it|\||\s)*[,;:(–-]?\s*$/iu;

/** Without the words that announce the limits. */
function withoutFrame(head: string, tail: string): string {
  const before = head.replace(FRAME, '').trim();
  const after = tail.replace(/^[\s).,;]+/u, '').trim();
  return [before, after].filter((one) => /[\p{L}\p{N}]/u.test(one)).join('. ');
}
