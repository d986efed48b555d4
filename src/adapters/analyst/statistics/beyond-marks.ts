import type { Mark } from './marks.js';
import type { PatternBook } from './mark-patterns.js';

const beyond = (what: string): Mark => ({ kind: 'beyond', what });

function addBeyond(book: PatternBook<Mark>): PatternBook<Mark> {
  return book
    .add(
      'train|random forest|neural network|gradient boosting|xgboost|svm|support vector|decision tree|naive bayes|k nearest neighbor/neighbour|knn|deep learning|machine learning|classifier|lasso|ridge regression|lasso regression|polynomial regression|elastic net',
      beyond('training a model'),
    )
    .add(
      'train test split|test set|training set|cross validation|hyperparameter',
      beyond('training and testing a model on parts of the rows'),
    )
    .add('logistic regression|auc|roc', beyond('a logistic regression'))
    .add('cluster|clustering|k means|kmeans|dbscan', beyond('clustering'))
    .add(
      'forecast|arima|sarima|prophet|exponential smoothing|seasonal decomposition|stationarity|dickey fuller|autocorrelation',
      beyond('a forecast or a time series model'),
    )
    .add('principal component analysis?|pca|factor analysis|t sne', beyond('a principal component analysis'))
    .add('on a map|choropleth|geographic map|heat map of the world', beyond('drawing on a map'))
    .add(
      'feature importance|shap|sentiment analysis?|word cloud|survival analysis|kaplan meier|granger causality|bootstrap|monte carlo|bayesian',
      beyond('that method'),
    )
    .add('kendall tau?|kendalls tau?', beyond('Kendall’s correlation'))
    .add('two way anova|manova|ancova|tukey hsd|post hoc', beyond('that kind of analysis of variance'))
    .add(
      'kolmogorov smirnov test?|anderson darling test?|levene test?|levenes test?|bartlett test?',
      beyond('that test'),
    )
    .add('fisher exact test?|fishers exact test?|mcnemar test?|wilcoxon signed rank test?', beyond('that test'))
    .add('isolation forest|local outlier factor|mahalanobis', beyond('that way of finding outliers'))
    .add(
      'correlation ratio|point biserial|partial correlation|mutual information|cramers v',
      beyond('that kind of correlation'),
    )
    .add('one hot encode/encoding?|label encode/encoding', beyond('encoding categories as numbers'));
}

/** Adds what no plan can say, by its name. */
export function withBeyond(book: PatternBook<Mark>): PatternBook<Mark> {
  return addBeyond(book);
}
