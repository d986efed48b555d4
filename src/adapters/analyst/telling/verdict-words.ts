import type { Verdict } from '../message/understanding.js';

/** `very strong`, `moderate` … by the size of a correlation. */
export function strengthOf(correlation: number): string {
  const size = Math.abs(correlation);
  if (size < 0.1) return 'negligible';
  if (size < 0.3) return 'weak';
  if (size < 0.5) return 'moderate';
  return size < 0.8 ? 'strong' : 'very strong';
}

/** `a strong positive correlation`, `practically no correlation`. */
export function correlationWords(correlation: number): string {
  const strength = strengthOf(correlation);
  if (strength === 'negligible') return 'practically no correlation';
  return `a ${strength} ${correlation > 0 ? 'positive' : 'negative'} correlation`;
}

type ByProbability = Extract<Verdict, { by: 'p-value' }>;

/** What a p-value says at a level, as a sentence, and whether that is a yes. */
export interface Judged {
  readonly sentence: string;
  readonly isYes: boolean;
}

const SUBJECTS: Readonly<Record<Exclude<ByProbability['about'], 'normality'>, string>> = {
  correlation: 'the correlation',
  difference: 'the difference',
  association: 'the association',
  regression: 'the dependence',
};

/** `normality` is doubted by a small p-value; everything else is supported by it. */
export function judgedByProbability({ about, level }: ByProbability, probability: number): Judged {
  const isBelow = probability < level;
  if (about === 'normality') {
    return {
      isYes: !isBelow,
      sentence: isBelow
        ? `the values are not normally distributed, at the level of ${level}`
        : `the values can be taken as normally distributed, at the level of ${level}`,
    };
  }
  return {
    isYes: isBelow,
    sentence: `${SUBJECTS[about]} is ${isBelow ? '' : 'not '}significant at the level of ${level}`,
  };
}

/** By how far a figure is from zero. */
export function judgedBySize({ about, limit }: Extract<Verdict, { by: 'size' }>, figure: number): Judged {
  const isSmall = Math.abs(figure) <= limit;
  if (about === 'correlation') {
    return { isYes: !isSmall, sentence: `that is ${correlationWords(figure)}` };
  }
  const side = figure > 0 ? 'right' : 'left';
  return {
    isYes: isSmall,
    sentence: isSmall
      ? `the distribution is close to normal: the figure is at most ${limit} away from zero`
      : `the distribution is not close to normal: it is skewed to the ${side}, by more than ${limit}`,
  };
}
