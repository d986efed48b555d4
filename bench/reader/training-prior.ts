import { readFileSync } from 'node:fs';
import { feature, WEIGHT_COUNT } from '../../src/analyst/reading/weights.js';

/** Weights to begin with, as `training-prior.txt` has them. A later line has its way. */
export function priorWeights(): Float32Array {
  const weights = new Float32Array(WEIGHT_COUNT);
  for (const line of readFileSync(new URL('training-prior.txt', import.meta.url), 'utf8').split('\n')) {
    const [, names, weight] = /^([^#]\S*) (\S+)$/.exec(line) ?? [];
    if (names !== undefined) for (const name of unfolded(names)) weights[feature(name)] = Number(weight);
  }
  return weights;
}

/** `a|{b,c}` is `a|b` and `a|c`. */
function unfolded(text: string): readonly string[] {
  const [all, before = '', choices = '', after = ''] = /^(.*?)\{(.*?)\}(.*)$/.exec(text) ?? [];
  return all === undefined ? [text] : choices.split(',').flatMap((choice) => unfolded(before + choice + after));
}
