/** A number as it stands in a text. */
export interface WrittenFigure {
  readonly text: string;
  /** What it may mean: `1.234` is one and a bit, or more than a thousand. */
  readonly values: readonly number[];
  /** Half of its last digit: what rounding may have taken. */
  readonly tolerance: number;
  readonly isPercent: boolean;
}

const NUMBER =
  /(?<![\p{L}\d_.,/-]|\p{L}\d*[-_])[-−–+]?(?:\d{1,3}(?:[,.’'\u00A0\u202F ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?:e[+-]?\d+)?(?![\d_]|[.,]\d|-\d)(?:\s?(%|percent\b|per cent\b|k\b|thousand\b|million\b|m\b(?!\/)|billion\b|bn\b))?/giu;
/** Dates and times name a moment, not a figure; so do numbers of lists, headings, sources, weeks and quarters, and what is code. */
const NOT_FIGURES: readonly RegExp[] = [
  /```[\s\S]*?(?:```|$)/g,
  /`[^`\n]*`/g,
  /!\[[^\]\n]{0,300}\]\([^)\n]{0,300}\)/g,
  /\{chart \d+\}/g,
  /\b\d{4}-\d{2}(?:-\d{2})?(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?Z?)?/g,
  /\b\d{1,2}:\d{2}(?::\d{2})?\b/g,
  /\b\d{1,2}(?:st|nd|rd|th)?\.? (?:of )?(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?(?:,? \d{4})?/gi,
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.? (?:\d{1,2}(?:st|nd|rd|th)?(?:, \d{4})?|\d{4})\b/gi,
  /\bQ[1-4](?: \d{4})?\b/gi,
  /^\s*(?:#{1,6} .*?)?\d{1,3}[.)](?=\s)/gm,
  /(?<!\\)\[\d{1,3}(?:, ?\d{1,3}){0,9}\]/g,
  /\b\d+(?:st|nd|rd|th)\b/gi,
];
const FACTORS: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};

/** The figures that a Markdown text names, dates and numbering left out. Pure. */
export function writtenFigures(markdown: string): readonly WrittenFigure[] {
  const text = NOT_FIGURES.reduce((rest, pattern) => rest.replace(pattern, ' '), markdown);
  return [...text.matchAll(NUMBER)].map(([whole, unit = '']) => figureFrom(whole, unit.toLowerCase()));
}

function figureFrom(whole: string, unit: string): WrittenFigure {
  const digits = whole
    .slice(0, whole.length - unit.length)
    .trim()
    .replace(/^[−–]/, '-')
    .replace(/^\+/, '');
  const factor = FACTORS[unit] ?? 1;
  const readings = readingsOf(digits);
  return {
    text: whole.trim(),
    values: readings.map(({ value }) => value * factor),
    tolerance: Math.max(...readings.map(({ decimals }) => 0.5 * 10 ** -decimals)) * factor,
    isPercent: /^(?:%|per)/.test(unit),
  };
}

interface Reading {
  readonly value: number;
  readonly decimals: number;
}

/** `1,234.5` and `1.234,5` say what they mean; `1.234` and `1,234` may mean two things. */
function readingsOf(digits: string): readonly Reading[] {
  const bare = digits.replace(/(?<=\d)[’'\u00A0\u202F ](?=\d)/g, '');
  const last = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  if (last < 0) return [{ value: Number(bare), decimals: 0 }];
  const mark = bare.charAt(last);
  const marks = bare.split(mark).length - 1;
  const whole = Number(bare.replace(/[.,]/g, ''));
  const isBoth = bare.includes('.') && bare.includes(',');
  const after = bare.length - last - 1;
  const fraction = {
    value: Number(`${bare.slice(0, last).replace(/[.,]/g, '')}.${bare.slice(last + 1)}`),
    decimals: /e/i.test(bare) ? 0 : after,
  };
  if (marks > 1) return [{ value: whole, decimals: 0 }];
  if (isBoth || after !== 3) return [fraction];
  return [{ value: whole, decimals: 0 }, fraction];
}
