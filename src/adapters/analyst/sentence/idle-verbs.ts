import { loosePhrases, type Line } from './line.js';
import type { Sentence } from './sentence.js';

/** Verbs of several words that only lead to what is said of the rows: a condition, a count or a value follows. */
const IDLE = loosePhrases(
  'ended up being|ended up as|ended up with|ended up in|ended up|end up being|end up as|end up with|end up in|end up|turned out to be|turned out|turn out to be|happen to be|happens to be|happened to be|was found to be|were found to be|are said to be|are known to be|are considered|are classified as|classified as|are labelled as|labelled as|labeled as|marked as|are marked as|flagged as|tagged as|listed as|recorded as|registered as|described as|counted as|categorised as|categorized as|came in by|came in with|came in|look after|looks after|looked after|looking after|account for|accounts for|accounted for|deal with|deals with|dealt with|are in charge of|is in charge of|consist of|consists of|make use of|makes use of|made use of|ended in|ends in|ended with|resulted in|result in|led to|went through|go through|goes through|carried out|took place|take place|takes place|worked out|because of|due to|owing to|on account of|set off|sets off|brought about|brings about|brought in|brings in|gave rise to|show up with|showed up with|picked up',
);

/** `and ended up being admitted`, `agencies that look after four singers`: nothing but what follows is said. */
export function idleVerbAt({ line }: Sentence, at: number): number | null {
  const next = at === 0 ? at : pastIdleVerb(line, at);
  return next === at ? null : next;
}

/** The place after such a verb, where something follows it. */
export function pastIdleVerb(line: Line, at: number): number {
  const next = line.phrase(at, IDLE);
  return next === null || next >= line.end ? at : next;
}
