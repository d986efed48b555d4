import type { Aggregate } from '../../../ports/analysis-plan.js';
import type { Mark } from './marks.js';
import type { PatternBook } from './mark-patterns.js';

const figure = (aggregate: Aggregate, parameter?: number): Mark =>
  parameter === undefined ? { kind: 'figure', aggregate } : { kind: 'figure', aggregate, parameter };
const percentile = ([value = 50]: readonly number[]): Mark =>
  value >= 0 && value <= 100
    ? figure('percentile', value / 100)
    : { kind: 'beyond', what: `a percentile of ${value}, which lies outside of 0 to 100` };

function addFigures1(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add('mean value?|arithmetic mean|average value?|averages|avg|on average|average value', figure('avg'))
    .add('median value?|50 th percentile|second quartile|middle value', figure('median'))
    .add('mode|modal value|most frequent/common value', figure('mode'))
    .add('total|sum|sum total|total sum', figure('sum'))
    .add('minimum value?|min|smallest/lowest value|minimal', figure('min'))
    .add('maximum value?|max|largest/highest/greatest value|maximal|peak value', figure('max'))
    .add(
      'range|value range|difference/distance/gap/spread between the? highest/largest/maximum/greatest/biggest and the? lowest/smallest/minimum value?|difference/distance/gap/spread between the? lowest/smallest/minimum and the? highest/largest/maximum/greatest/biggest value?|openbracket? max/maximum/highest/largest minus min/minimum/lowest/smallest closebracket?',
      figure('range'),
    )
    .add('variance', figure('variance'))
    .add('sample variance', figure('variance'))
    .add('population variance', figure('variance_pop'))
    .add('standard deviation|std dev?|stdev|stddev|sd|sigma|standard deviations', figure('stddev'))
    .add('sample standard deviation|sample std', figure('stddev'))
    .add('population standard deviation|population std', figure('stddev_pop'))
    .add('skewness coefficient?|skew|skewed|coefficient of skewness|sample skewness|asymmetry', figure('skewness'))
    .add('population skewness', figure('skewness_pop'))
    .add('kurtosis coefficient?|excess kurtosis|fisher kurtosis|sample kurtosis', figure('kurtosis'))
    .add('population kurtosis', figure('kurtosis_pop'))
    .add('standard error of? the? mean?|sem', figure('standard_error'))
    .add('mean absolute deviation|average absolute deviation', figure('mean_abs_deviation'))
    .add(
      'interquartile range|inter quartile range|iqr|quartile range|distance/difference/gap/range/spread between the? first/lower and the? third/upper quartile|distance/difference/gap/range/spread between the? third/upper and the? first/lower quartile',
      figure('iqr'),
    )
    .add('# th/st/nd/rd percentile|#/th percentile|percentile #|# percent quantile|p #', percentile)
    .add('# quantile|quantile #', ([value = 0.5]) => (value <= 1 ? figure('percentile', value) : percentile([value])))
    .add('first/lower quartile|quartile 1|q 1|1 st quartile', figure('percentile', 0.25))
    .add('third/upper quartile|quartile 3|q 3|3 rd quartile', figure('percentile', 0.75))
    .add('first and third quartile|lower and upper quartile|upper and lower quartile|q 1 and q 3', {
      kind: 'quartiles',
      parameters: [0.25, 0.75],
    })
    .add('quartiles|all quartiles|three quartiles', { kind: 'quartiles', parameters: [0.25, 0.5, 0.75] })
    .add('top decile|ninth decile', figure('percentile', 0.9))
    .add('coefficient of variation|cv|relative standard deviation', { kind: 'variation' });
}

function addFigures2(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add(
      'distinct/unique/different value? count?|number of distinct/unique/different values?|how many distinct/unique/different values?|cardinality',
      figure('count_distinct'),
    )
    .add('variability|dispersion|volatility|spread', figure('stddev'))
    .add('geometric mean', { kind: 'beyond', what: 'a geometric mean' })
    .add('harmonic mean', { kind: 'beyond', what: 'a harmonic mean' })
    .add('trimmed/truncated/winsorized mean', { kind: 'beyond', what: 'a trimmed mean' })
    .add('weighted mean/average|mean/average weighted|weighted by/with/using|as the? weights|as weight', {
      kind: 'weighted',
    })
    .add('median absolute deviation', { kind: 'beyond', what: 'a median absolute deviation' });
}

/** Adds figures of one column. */
export function withFigures(book: PatternBook<Mark>): PatternBook<Mark> {
  return addFigures2(addFigures1(book));
}
