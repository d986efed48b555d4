import type { Mark } from './marks.js';
import type { PatternBook } from './mark-patterns.js';

function addRelations1(book: PatternBook<Mark>): PatternBook<Mark> {
  const relation = (method: 'pearson' | 'spearman' | null, loose = false): Mark => ({
    kind: 'relation',
    method,
    loose,
  });
  return book
    .add(
      'correlation coefficient?|linear correlation coefficient?|correlate|correlated|correlation value|correlates|linearly related/associated/correlated/linked|more/most/less/least strongly? correlated|more/most/less/least correlated',
      relation(null),
    )
    .add(
      'pearson correlation? coefficient?|pearsons correlation? coefficient?|pearsons r|pearson r|pearson product moment correlation? coefficient?',
      relation('pearson'),
    )
    .add(
      'spearman rank? correlation? coefficient?|spearmans rank? correlation? coefficient?|rank correlation coefficient?|spearmans rho|spearman rho|rank order correlation',
      relation('spearman'),
    )
    .add(
      'linear? relationship/association/relation/connection/link/dependence|relate/relates/related to?|associated with?|linked to?|linear relationship',
      relation(null, true),
    )
    .add('correlation matrix|pairwise correlation|correlations between all', { kind: 'matrix' })
    .add('strongly correlated pair|which two/pair|which pair of?|strongest pair|most/highest correlated pair', {
      kind: 'matrix',
    })
    .add('covariance|sample covariance', { kind: 'covariance' })
    .add('population covariance', { kind: 'beyond', what: 'a population covariance' })
    .add(
      'simple? multiple? linear regression model?|simple? multiple? linear regression analysis?|regression model? analysis?|regress|regressed|regressing|straight line|linearly|least squares line? fit? regression?|ordinary least squares regression?|ols regression?|best fit line|line of best fit|regression line|linear model|trend line|simple linear regression model?|multiple linear regression model?|multivariate linear? regression model?|linear fit|regression equation',
      { kind: 'regression' },
    )
    .add('predict|predicted value?|prediction of?|predicts|predicting', { kind: 'predict' })
    .add('slope coefficient?|regression coefficient|gradient', { kind: 'term', term: 'slope' });
}

function addRelations2(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add('intercept|y intercept|constant term', { kind: 'term', term: 'intercept' })
    .add(
      'explained variance|share/proportion/fraction/percentage/percent/part of? the? variance/variation/variability|r squared value?|r 2 score? value?|r square|coefficient of determination|rsquared|r squared score|explained variance',
      { kind: 'term', term: 'r-squared' },
    )
    .add('root mean squared/square error|rmse', { kind: 'term', term: 'root mean squared error' })
    .add('p value', { kind: 'term', term: 'p-value' })
    .add('standard error of? the? slope/coefficient/regression', { kind: 'term', term: 'standard error' })
    .add(
      'as? a? the? independent variable|being the? independent variable?|as the? a? explanatory variable|as the? a? predictor variable?|as the? an? input variable?|as features|as a? the? only/single/sole? feature/predictor/regressor/input|as an? independent variable',
      { kind: 'role', role: 'predictor', leads: false },
    )
    .add(
      'as? the? dependent variable|being the? dependent variable?|as the? a? response variable?|as the? a? target variable?|as the? a? outcome variable?',
      { kind: 'role', role: 'response', leads: false },
    )
    .add(
      'independent variable is/are|predictor variable? is/are|explanatory variable is/are|as? a? function of|in terms of',
      {
        kind: 'role',
        role: 'predictor',
        leads: true,
      },
    )
    .add('dependent variable is|target variable is|response variable is', {
      kind: 'role',
      role: 'response',
      leads: true,
    });
}

/** Adds what is of two or more columns. */
export function withRelations(book: PatternBook<Mark>): PatternBook<Mark> {
  return addRelations2(addRelations1(book));
}
