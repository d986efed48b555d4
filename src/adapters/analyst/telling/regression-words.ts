import { joined, numberWords } from '../number-words.js';
import { said, type Row, type Statistic, type Telling } from './telling.js';

const COEFFICIENT = 'coefficient';
const INTERCEPT = 'intercept';
const R_SQUARED = 'r-squared';
const PREDICTION = 'prediction';

/** More terms than these are a table, not an equation. */
const IN_AN_EQUATION = 5;

/** The equation, how much of the variation it explains, and what it predicts. */
export function regressionSentence(telling: Telling<Statistic>): string {
  const [outcome = '', ...predictors] = telling.plan.columns;
  const focused = focusSentence(telling, predictors[0] ?? '');
  const equation = equationOf(telling, said(outcome), predictors);
  if (equation === null) {
    return `There are too few different values to set ${said(outcome)} against ${said(joined(predictors))}${telling.where}.`;
  }
  const line = `${equation}${explainedOf(telling)}.`;
  const prediction = predictionOf(telling, said(outcome), predictors);
  return focused === null ? `${prediction}${line}` : `${focused} ${line}`;
}

function rowOf(telling: Telling<Statistic>, term: string): Row | undefined {
  return telling.rows.find((row) => telling.cell(row, 'term') === term);
}

/** A single row or cell, where the question asks for that alone. */
function focusSentence(telling: Telling<Statistic>, predictor: string): string | null {
  const { focus } = telling.told;
  const [outcome = '', ...predictors] = telling.plan.columns;
  if (focus?.term === undefined || focus.term === null) return null;
  if (focus.term === PREDICTION) return predictionOf(telling, said(outcome), predictors).trim() || null;
  return focus.on === 'row'
    ? cellSentence(telling, { term: focus.term, column: COEFFICIENT })
    : cellSentence(telling, { term: predictor, column: focus.term });
}

/** `The slope of age is **2.5**.`, `The standard error of age is **0.1**.` */
function cellSentence(
  telling: Telling<Statistic>,
  { term, column }: { readonly term: string; readonly column: string },
): string | null {
  const row = rowOf(telling, term);
  const figure = telling.number(row, column);
  if (figure === null) return null;
  const isSlope = telling.plan.columns.slice(1).includes(term);
  if (column !== COEFFICIENT)
    return `The ${said(`${column} of ${term}`)} is ${telling.bold(row, column)}${telling.where}.`;
  // It is written as it was asked for, whatever is left of it.
  const words = `**${telling.format.number(figure)}**`;
  return `The ${said(isSlope ? `slope of ${term}` : term)} is ${words}${telling.where}.`;
}

function equationOf(telling: Telling<Statistic>, outcome: string, predictors: readonly string[]): string | null {
  const write = writerOf(telling);
  const intercept = telling.number(rowOf(telling, INTERCEPT), COEFFICIENT);
  const slopes = predictors.map((name) => ({ name, slope: telling.number(rowOf(telling, name), COEFFICIENT) }));
  if (intercept === null || slopes.some(({ slope }) => slope === null)) return null;
  if (predictors.length > IN_AN_EQUATION) {
    return `The linear regression of ${outcome} on ${predictors.length} columns${telling.where} has the coefficients below`;
  }
  const terms = slopes.map(({ name, slope }) => {
    const size = write(Math.abs(slope ?? 0));
    return ` ${(slope ?? 0) < 0 ? '−' : '+'} ${size} × ${said(name)}`;
  });
  return `The line is **${outcome} = ${write(intercept)}${terms.join('')}**${telling.where}`;
}

/** How a prediction is to be rounded says nothing about the equation behind it. */
function writerOf(telling: Telling<Statistic>): (value: number) => string {
  const isAsked = telling.plan.at === undefined && telling.told.focus === undefined;
  return isAsked ? (value) => telling.writeNumber(value, COEFFICIENT) : numberWords;
}

/** r² is 0.71: it explains 71 % of the variation. */
function explainedOf(telling: Telling<Statistic>): string {
  const row = rowOf(telling, R_SQUARED);
  const squared = telling.number(row, COEFFICIENT);
  if (squared === null) return '';
  return `, which explains ${telling.format.percent(Number((squared * 100).toPrecision(12)))} of the variation (r² = ${telling.bold(row, COEFFICIENT)})`;
}

function predictionOf(telling: Telling<Statistic>, outcome: string, predictors: readonly string[]): string {
  const row = rowOf(telling, PREDICTION);
  const { at = [] } = telling.plan;
  const predicted = telling.number(row, COEFFICIENT);
  if (predicted === null || at.length < predictors.length) return '';
  const point = joined(predictors.map((name, index) => `a ${said(name)} of ${at[index] ?? 0}`));
  return `For ${point} the predicted ${outcome} is **${telling.format.number(predicted)}**. `;
}
