import { GROUPINGS } from '../phrases.js';
import { aggregatesAt } from './aggregates.js';
import { COUNT } from './count-at.js';
import type { Sentence } from './sentence.js';

/** `monthly count of episodes`: the span before what is counted or worked out in each. */
export function spanFirstAt(sentence: Sentence, at: number): number | null {
  const { line, facts } = sentence;
  const span = GROUPINGS.get(line.key(at));
  if (span?.kind !== 'bucket' || span.noun || facts.time === null || sentence.groups.length > 0) return null;
  if (line.phrase(at + 1, COUNT) === null && aggregatesAt(line, at + 1) === null) return null;
  sentence.addGroup({ kind: 'bucket', column: facts.time.name, bucket: span.bucket });
  return at + 1;
}
