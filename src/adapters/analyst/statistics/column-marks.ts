import type { Mark } from './marks.js';
import type { PatternBook } from './mark-patterns.js';

function addColumns1(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add(
      'zscore|zscore|standard score|zscores|zscore normalization/normalisation/standardization/standardisation?|z standardization/standardisation',
      { kind: 'scale', method: 'zscore' },
    )
    .add(
      'z standardize/standardise|z normalize/normalise|standardize|standardise|standardization|standardisation|standardizing|standardising|normalising|normalizing|standard scaling',
      { kind: 'scale', method: 'zscore' },
    )
    .add(
      'min max normalization/normalisation/scaling/scaler/scale/normalize/normalise?|minmax scaling/normalization/normalisation?|min max normalized/normalised/scaled',
      { kind: 'scale', method: 'minmax' },
    )
    .add(
      'to the? range/interval of/from? # to/and #|to a? # to/and # range|into the? range # to/and #|between # and # range',
      ([low = 0, high = 1]) =>
        low === 0 && high === 1
          ? { kind: 'scale', method: 'minmax' }
          : { kind: 'beyond', what: `scaling to ${low} to ${high}` },
    )
    .add('normalize|normalise|normalization|normalisation|rescale|scale to 0 1', { kind: 'scale', method: null })
    .add(
      'normalized/normalised/scaled/standardized/standardised/transformed/resulting/derived/new/computed/filled/imputed/completed/logged value/column/data/variable/feature/result?',
      { kind: 'reference' },
    )
    .add(
      'the? result|new column/feature/variable|it|its|this/that/the new/resulting/derived? column/feature/variable/quantity|transformed column|transformed values',
      { kind: 'reference' },
    )
    .add(
      'taking the? its? natural? log/logarithm of?|applying a? the? natural? log/logarithm transform/transformation?|a? log transform/transformation/transformed?|logarithm of?|natural logarithm/log of?|log of?|logarithmic transformation|ln',
      { kind: 'function', function: 'log' },
    );
}

function addColumns2(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add(
      'a? log 10 transform/transformation/transformed?|a? log10 transform/transformation?|base 10 log/logarithm|taking the? its? base 10 log/logarithm of?|taking the? its? log10 of?|common logarithm',
      {
        kind: 'function',
        function: 'log10',
      },
    )
    .add('log 2|log2|base 2 log/logarithm', { kind: 'function', function: 'log2' })
    .add('log 1 p|log1p', { kind: 'function', function: 'log1p' })
    .add('square root transform/transformation? of?|taking the? its? square root of?|sqrt', {
      kind: 'function',
      function: 'sqrt',
    })
    .add('absolute value of?', { kind: 'function', function: 'abs' })
    .add('square of|squared', { kind: 'function', function: 'square' })
    .add('plus|added to', { kind: 'arithmetic', operator: '+' })
    .add('minus|less the', { kind: 'arithmetic', operator: '-' })
    .add('times|multiplied by|multiplied with', { kind: 'arithmetic', operator: '*' })
    .add('divided by', { kind: 'arithmetic', operator: '/' })
    .add('openbracket', { kind: 'bracket', open: true })
    .add('closebracket', { kind: 'bracket', open: false })
    .add(
      'difference between/in/of?|gap/disparity/discrepancy/distance between|disparity/discrepancy in/of|subtracting|spread between|differ between',
      {
        kind: 'combine',
        operator: '-',
      },
    )
    .add('ratio of/between?|quotient of', { kind: 'combine', operator: '/' })
    .add('product of|multiplying', { kind: 'combine', operator: '*' })
    .add('adding|adding up|adding together|combining|summing', { kind: 'combine', operator: '+' })
    .add(
      'into # equal width/sized? bin/interval/group/part/range/bucket/category|# equal width bin/interval/group/range|# bins of equal width|# equally wide/spaced bin/interval|# equal bins/intervals|into # bin/interval|# bins',
      ([count = 4]) => ({ kind: 'bins', count, equal: 'width' }),
    );
}

function addColumns3(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add(
      '# quantile bin/group|# bins/groups of equal size/frequency/count|into # bins/groups/parts of equal size/frequency|# equally sized/large/populated bin/group|# equal frequency bin/group|into # quantiles|# quantiles|into # bin/group/part/class/category with equal number/count of row/value/observation/record/member/sample|into # bin/group/part/class/category with the? same number of row/value/observation/record/member/sample|into # bin/group with equal count/frequency/number',
      ([count = 4]) => ({ kind: 'bins', count, equal: 'rows' }),
    )
    .add('into? tercile/tertile|tercile/tertile group/bin', { kind: 'bins', count: 3, equal: 'rows' })
    .add('into quartiles|quartile group/bin', { kind: 'bins', count: 4, equal: 'rows' })
    .add('into deciles|decile group/bin', { kind: 'bins', count: 10, equal: 'rows' })
    .add('into quintiles|quintile group/bin', { kind: 'bins', count: 5, equal: 'rows' })
    .add('fill|fill in|filling|impute|imputing|replace|replacing', { kind: 'fill' })
    .add('biased|uncorrected|population|population formula|ddof = 0|ddof 0|divide by n', {
      kind: 'population',
      population: true,
    })
    .add('unbiased|bias corrected|excess|sample|sample formula|ddof = 1|ddof 1|n 1 denominator', {
      kind: 'population',
      population: false,
    })
    .add('percentage of?|percent of?|what percent|per cent of', { kind: 'share', as: 'percent' })
    .add('share of?', { kind: 'share', as: 'percent' })
    .add('proportion of?|fraction of?', { kind: 'share', as: 'ratio' })
    .add(
      'in/of/for/per/by/within each/every of? them? these? bin/group/label/category/class/interval/bucket/range/type?|each bin/group/label/category/class/interval/bucket/range|of each|in each|per bin/group/label/category/class/interval/bucket/band|by bin/group/label/class|each',
      { kind: 'each' },
    )
    .add(
      '# day/point/row/period moving/rolling average/mean|moving/rolling average/mean over # day/row/period|# day moving average',
      ([window = 7]) => ({ kind: 'series', series: 'moving_average', window }),
    )
    .add('cumulative sum/total|running total/sum', { kind: 'series', series: 'cumulative', window: null });
}

function addSpans(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add('number of? days between/from|days between/from|difference in days between', { kind: 'span', unit: 'days' })
    .add('number of? hours between/from|hours between/from|difference in hours between', {
      kind: 'span',
      unit: 'hours',
    })
    .add('number of? minutes between/from|minutes between/from|difference in minutes between', {
      kind: 'span',
      unit: 'minutes',
    });
}

/** Adds new columns, shares and references. */
export function withColumns(book: PatternBook<Mark>): PatternBook<Mark> {
  return addSpans(addColumns3(addColumns2(addColumns1(book))));
}
