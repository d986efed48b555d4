import type { Mark, MarkOf } from './marks.js';
import type { PatternBook } from './mark-patterns.js';

function levelOf(share: number): number {
  return share > 0.5 ? Math.round((1 - share) * 1e6) / 1e6 : share;
}

function addTests1(book: PatternBook<Mark>): PatternBook<Mark> {
  const test = (method: MarkOf<'test'>['method']): Mark => ({ kind: 'test', method });
  return book
    .add(
      'independent? samples? t test|independent two sample t test|two sample t test|unpaired t test|ttest|t test|students t test|student t test|independent two samples t test',
      test('t_test'),
    )
    .add(
      'welch t test|welchs t test|welch test|welchs test|welch|welch two sample t test|welchs two sample t test',
      test('welch_t_test'),
    )
    .add('paired t test|paired samples? t test|dependent t test|matched pairs t test', test('paired_t_test'))
    .add('one sample t test|single sample t test|1 sample t test', test('one_sample_t_test'))
    .add(
      'not assume/assuming equal variance|unequal variance|without assuming equal variance|does not assume equal variance',
      test('welch_t_test'),
    )
    .add('give/report/state/quote/return t/f/r/p/u/w/h/rho/z|t/f/u/test statistic|t/f/u value', { kind: 'present' })
    .add('one sided|one tailed|one tail', { kind: 'beyond', what: 'a one-sided test' })
    .add('two sided|two tailed|2 sided|2 tailed|two tail', { kind: 'present' })
    .add('equal variance|pooled variance|assuming equal variance|homogeneous variance', { kind: 'equal variances' })
    .add('mann whitney u? test?|wilcoxon rank sum test?|rank sum test|u test', test('mann_whitney'))
    .add(
      'one? way? anova test?|one way anova test?|one way analysis of variance|analysis of variance|anova f? test?|f test',
      test('anova'),
    )
    .add('kruskal wallis h? test?|kruskal test', test('kruskal_wallis'))
    .add(
      'chi square/squared test? of? independence?|chisquare test?|chi2 test?|chi 2 test?|test of independence',
      test('chi_square'),
    )
    .add('shapiro wilk test?|shapiro wilks test?|shapiro test?', { kind: 'normality', method: 'shapiro_wilk' })
    .add(
      'dagostino pearson test?|dagostino k squared test?|dagostino and pearson test?|dagostino test?|dagostinos k squared test?|omnibus test',
      { kind: 'normality', method: 'normality' },
    );
}

function addTests2(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add('jarque bera test?|jarquebera test?|jarque bera normality test?', {
      kind: 'normality',
      method: 'jarque_bera',
    })
    .add(
      'normally distributed|normal distributed|normal distribution|gaussian distribution?|normality test?|follow/follows/adhere/adheres/conform/conforms to? a? the? normal/gaussian distribution|test for normality|test of normality|normality',
      { kind: 'normality', method: null },
    )
    .add('significant|significantly|statistically significant|statistical significance|significance', {
      kind: 'significant',
    })
    .add(
      'significance/alpha level of/is/=/at? #|alpha value? of/is/=? #|alpha = #|level of significance of/is/=/at? #|at/with/using? a/an/the? # significance level?|# level of significance|# level',
      ([value = 0.05]) => ({ kind: 'level', level: value >= 1 ? value / 100 : value }),
    )
    .add('# percent significance? level', ([value = 5]) => ({ kind: 'level', level: levelOf(value / 100) }))
    .add('# percent confidence level?|confidence level of/is/=? # percent?|# confidence level?', ([value = 95]) => ({
      kind: 'level',
      level: levelOf(value >= 1 ? value / 100 : value),
    }))
    .add('p value? is? </less/below/under than? #|p value threshold of? #', ([value = 0.05]) => ({
      kind: 'level',
      level: value,
    }))
    .add('confidence interval', { kind: 'beyond', what: 'a confidence interval' })
    .add('outlier|outlying value/row?|anomalous value|anomaly|extreme value', { kind: 'outliers' })
    .add('outlier detection', { kind: 'outliers' })
    .add(
      'iqr method/rule/criterion/approach|interquartile range method/rule/criterion/approach|1 5 iqr rule|inter quartile range method/rule|tukey method/fence/rule|tukeys method/fence/rule|boxplot rule/method',
      { kind: 'method', method: 'iqr', threshold: null },
    )
    .add('zscore method/rule/approach/criterion/threshold|zscore method/rule/approach/threshold', {
      kind: 'method',
      method: 'zscore',
      threshold: null,
    });
}

function addTests3(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add(
      'absolute? zscore threshold? cutoff? of/above/over/greater/exceeding/beyond/is/=/>/larger/higher/at/more than? #|absolute zscore threshold? of/above/over/greater/exceeding/>/= than? #|zscore threshold? of/above/over/greater/exceeding/>/=/is than? #|zscore greater than or equal to #|zscore whose? absolute value? above/over/greater/exceeding/exceeds/> than? #',
      ([value = 3]) => ({ kind: 'method', method: 'zscore', threshold: value }),
    )
    .add(
      'more/further than? # sample/population? standard deviation away? from? the? mean?|# sample/population? standard deviation from/away/above/below/or from? the? mean?|# sigma|# standard deviations away from the mean|# standard deviations',
      ([value = 3]) => ({ kind: 'method', method: 'zscore', threshold: value }),
    )
    .add('# times the? iqr|# times the? interquartile range|# x iqr|# iqr', ([value = 1.5]) => ({
      kind: 'method',
      method: 'iqr',
      threshold: value,
    }))
    .add(
      'beyond/outside/above/below/from of? the? quartiles|below the? first/lower quartile or/and above the? third/upper quartile|below q 1 or above q 3',
      { kind: 'present' },
    )
    .add(
      'iqr method/rule/criterion # times the? interquartile range|iqr method/rule/criterion # times the? iqr|iqr method/rule/criterion # x iqr|# times iqr|# x iqr rule|# iqr rule/method|# interquartile ranges',
      ([value = 1.5]) => ({ kind: 'method', method: 'iqr', threshold: value }),
    )
    .add(
      'iqr method/rule/criterion/approach #|iqr method/rule/criterion/approach ( # )|interquartile range method/rule/criterion #|# iqr outside|iqr method/rule with? a? factor of? #',
      ([value = 1.5]) => ({ kind: 'method', method: 'iqr', threshold: value }),
    )
    .add('in absolute value/terms|absolute terms|by magnitude|in size', { kind: 'present' })
    .add(
      'where/with/that/have/has/for both/all values? are? present/known/available/recorded?|both are? present/known/available|both/all values are? present/known/available|with both values|have all values|non missing values?|values are available|complete rows/cases/records only|no value missing',
      { kind: 'present' },
    );
}

function addTests4(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add(
      'factor of/is/=? #|multiplier of/is/=? #|threshold of/is/=/at? #|cutoff of/is/=? #|cut off of? #|k = #',
      ([value = 1.5]) => ({ kind: 'factor', value }),
    )
    .add(
      'lower and upper bound/fence/limit|upper and lower bound/fence/limit|outlier bounds/limits/fences|lower bound|upper bound|lower fence|upper fence|cutoff value',
      { kind: 'bounds' },
    )
    .add('with and without|before and after|including and excluding', { kind: 'both ways' })
    .add(
      'missing value/entry/data?|unknown value/entry?|unrecorded value/entry?|null value/entry?|nan value?|nans|empty value/cell|na value|absent value|blank value/cell|nulls|missing|gap',
      { kind: 'missing' },
    )
    .add('null hypothesis', { kind: 'significant' })
    .add(
      'at least one missing value?|at least one value/entry/cell/field is? missing/empty/null/blank|at least one value/entry/cell/field missing/empty/null/blank|any missing value?|one or more missing values?|at least one null value?|at least one empty cell',
      { kind: 'any missing' },
    )
    .add(
      'complete row/record/case|without any missing values?|no missing values?|no null values?|no missing values? at all',
      { kind: 'complete' },
    )
    .add(
      'describe|description of|descriptive statistic|summary statistic|statistical summary|summary of statistics|summarize|summarise|five number summary|summary statistics|basic statistics|key statistics',
      { kind: 'describe' },
    )
    .add(
      'all? numeric/numerical column/variable/feature/field|all columns|each column|every column|each numeric column|every numeric column|all of the columns|all variables|all the columns',
      { kind: 'all columns' },
    )
    .add(
      'which column/variable/feature/field|what column/field|column/variable/feature/field with/having/has/contains the? most/fewest/highest/lowest/least/largest/biggest/smallest/greatest number/count/amount? of?',
      { kind: 'which column', of: null },
    );
}

/** Adds tests, outliers and missing values. */
export function withTests(book: PatternBook<Mark>): PatternBook<Mark> {
  return addTests4(addTests3(addTests2(addTests1(book))));
}
