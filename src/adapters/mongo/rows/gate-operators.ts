/** What a written pipeline may use. What is not here does not exist for it. */

const words = (text: string): readonly string[] => text.trim().split(/\s+/);
const operators = (text: string): ReadonlySet<string> => new Set(words(text).map((word) => `$${word}`));

/** Expressions whose result is a number, a time, a truth or a short text, whatever they are given. */
export const SCALAR_EXPRESSIONS = operators(`
  abs add ceil divide exp floor ln log log10 mod multiply pow round sqrt subtract trunc
  sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh degreesToRadians radiansToDegrees
  bitAnd bitOr bitXor bitNot and or not cmp eq gt gte lt lte ne
  dateAdd dateDiff dateFromParts dateFromString dateSubtract dateTrunc dayOfMonth dayOfWeek dayOfYear hour isoDayOfWeek
  isoWeek isoWeekYear millisecond minute month second week year
  in indexOfArray isArray size indexOfBytes indexOfCP strLenBytes strLenCP strcasecmp allElementsTrue anyElementTrue
  setEquals setIsSubset isNumber toBool toDate toDouble toInt toLong toDecimal type rand sum avg stdDevPop stdDevSamp median`);

/** Expressions whose result is one of the things they are given, or a part of one. */
export const CHOOSING_EXPRESSIONS = operators(`
  cond ifNull switch first last arrayElemAt max min firstN lastN maxN minN getField reverseArray sortArray
  setDifference setIntersection percentile dateToParts arrayToObject`);

/** Expressions that write new texts. */
export const TEXT_EXPRESSIONS = operators(`
  concat replaceOne replaceAll substr substrBytes substrCP toUpper toLower trim ltrim rtrim toString dateToString convert
  split regexFind regexFindAll`);

/** Expressions that make new lists or documents of what they are given. */
export const GATHERING_EXPRESSIONS = operators('concatArrays setUnion zip mergeObjects objectToArray slice range');

/** Expressions with variables or with rules of their own. */
export const SPECIAL_EXPRESSIONS = operators('let map filter reduce literal regexMatch');

export const ACCUMULATORS = operators(`
  sum avg count min max first last push addToSet stdDevPop stdDevSamp mergeObjects median percentile top topN bottom bottomN
  firstN lastN maxN minN`);

/** Accumulators that keep every value, so that nobody knows how long their lists become. */
export const KEEPING_ACCUMULATORS = operators('push addToSet');

export const WINDOW_OPERATORS: ReadonlySet<string> = new Set([
  ...ACCUMULATORS,
  ...operators(
    'rank denseRank documentNumber shift derivative integral expMovingAvg covariancePop covarianceSamp linearFill locf minMaxScaler',
  ),
]);

export const COMPARISONS = operators('eq ne gt gte lt lte');
export const REGEX_OPERATORS = operators('regexMatch regexFind regexFindAll');
export const SYSTEM_VARIABLES: ReadonlySet<string> = new Set(['NOW', 'ROOT', 'CURRENT', 'REMOVE']);

export const STAGES = words(`
  match project addFields set unset group sort limit skip unwind count bucket bucketAuto facet sortByCount setWindowFields
  densify fill replaceRoot replaceWith sample`).map((word) => `$${word}`);
