import type { ColumnFacts } from './column-facts.js';

/** Years that tables tell of. */
const [EARLIEST, LATEST] = [1000, 2300];
/** Where the header does not say year. */
const [FIRST_TOLD, LAST_TOLD] = [1400, 2100];

/** Words of headers under which whole numbers between those are years: `opened`, `first_flight`, `founded`. */
const HAPPENED =
  /^(?:since|season|vintage|debut|flight|flew|death|died|birth|born|built|made|began|start|end|edition|opening|launch|release|completion|construction|foundation|introduction|discovery|publication|[a-z]{3,}ed)$/;

type YearLike = Pick<ColumnFacts, 'role' | 'words' | 'profile' | 'additive'>;

/** Whether a column of whole numbers holds years. */
export function isYear({ role, words, profile, additive }: YearLike): boolean {
  if (role !== 'figure' || additive) return false;
  if (words.some((word) => YEAR.test(word))) return isWithin(profile, EARLIEST, LATEST);
  const isWhole = profile.type === 'integer' && profile.distinct > 1;
  return isWhole && isWithin(profile, FIRST_TOLD, LAST_TOLD) && words.some((word) => HAPPENED.test(word));
}

const YEAR = /^(?:years?|yr|yrs)$/;

function isWithin({ min, max }: ColumnFacts['profile'], low: number, high: number): boolean {
  return typeof min === 'number' && typeof max === 'number' && min > low && max < high;
}
