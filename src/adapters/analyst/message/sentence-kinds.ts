import type { Unit } from './message-units.js';
import type { Understanding } from './understanding.js';

const NARRATES =
  /^(?:i|we|our|my|this|some|many|several|not all|you(?:'re| are| have| will)|there (?:is|are)|as an?|it|these|imagine|suppose|given|the (?:data ?set|data|table|file|csv|columns?|goal|aim|objective|purpose|company|study|researchers?)|each row|every row|in this|background|context)\b/iu;
/** `I need its variance`. */
const WANTS = /^(?:i|we)(?:['’]d| would| am| are)? (?:also )?(?:need|want|like|interested in|looking for|require)\b/iu;
/** Begins or ends as a question or a request does. */
export const ASKS =
  /\?\s*$|^(?:what|which|how|who|when|where|why|is|are|was|were|does|do|did|has|have|can|calculate|compute|give|report|find|determine|tell|state|say|show|list|count|plot|perform|conduct|run|test|fit|apply|create|derive|estimate|assess|evaluate|identify|check|normali[sz]e|standardi[sz]e|fill|predict|describe|summari[sz]e|train|build|cluster|forecast|draw|compare|analy[sz]e|examine|explore|investigate|detect|list|define|divide|bin|group|label|replace|impute)\b/iu;

/** Asks for something that an answer before may have told. */
export const AGAIN =
  /^(?:report|give|quote|state|say|provide|present|write|return|output|show|answer|include|tell|also|both|are the|is (?:it|this|the (?:difference|correlation|result|relationship|association))|(?:is|was) there (?:an? |any )?(?:statistically )?significant)\b/iu;
/** `is there a significant difference?`, behind the test itself. */
export const JUDGED_AGAIN = /\bsignifican(?:t|ce)\b/iu;
/** `report both rates`. */
export const BOTH_AGAIN =
  /^(?:report|give|quote|state|say|provide|show|tell)(?: me)? (?:both|the two|all|all three)(?: of them| (?:rates?|values?|figures?|numbers?|results?|percentages?|shares?|averages?|means?|medians?|totals?|sums?|counts?))?\s*[.]?$/iu;
/** Of the rows that the question before was about. */
export const HOW_MANY =
  /^(?:and )?how many\s*\?*$|^(?:and )?(?:say |tell |report |give |state )?how many (?:of (?:them|these|those) )?(?:are|were) (?:there|they|found|those|detected|identified)\b/iu;
/** Of all rows those that the question before counted. */
export const WHAT_SHARE =
  /^(?:and )?(?:what|which) (?:percentage|percent|share|part|proportion|fraction) (?:is|are|does|do) (?:that|this|they|those|these)\b[^?]{0,30}\??\s*$/iu;
/** Compares nothing named with a number. */
export const COMPARES_ALONE =
  /^how many (?:of (?:them|these|those|the values) )?(?:are|is|lie|fall) (?=(?:below|above|less|more|greater|under|over|at least|at most|larger|smaller|higher|lower)\b)/iu;
/** Leaves rows out, before something is asked. */
export const REMOVES = /^(?:first |then )?(?:remove|exclude|drop|discard|omit|ignore|filter out|eliminate)\b/iu;
/** Goes on from the question before. */
export const SAME_AGAIN = /^(?:and|also|only|what about|how about|same|the same|by|per|now|instead)\b/iu;
/** `what causes a high fare?`: figures tell what is, and not why. */
export const CAUSE =
  /^(?:and |so |but )*(?:what|who)(?: is|'s| are| was| were)? (?:(?:causes?|caused|causing|drives?|drove|driving|leads? to|led to|makes|made)\b(?! (?:the )?(?:most|more|up))|(?:really )?behind\b|(?:the )?(?:main |most likely |root )?(?:causes?|reasons?) (?:of|for|behind)\b)/iu;
export const NO_CAUSE: Understanding = {
  kind: 'unclear',
  verdict: 'cannot',
  reasons: ['I can show figures, but not say why they are so.'],
  unread: [],
};
/** `taller than the mean height of their street`: for each row another figure. */
export const OF_OWN_GROUP =
  /\b(?:than|above|below|over|under|exceed\w*)\b[^?.;]{0,20}\b(?:mean|average|median)\b[^?.;]{0,60}\b(?:of|for|in|within) (?:their|its|his|her|the same|the respective) (?:own )?\p{L}+/iu;
export const NOT_OF_GROUPS: Understanding = {
  kind: 'unclear',
  verdict: 'cannot',
  reasons: ['I can compare with a figure over all rows that are asked about, but not with another one for each group.'],
  unread: [],
};
/** For plans whose conditions leave no row between them. */
export const UNSURE: Understanding = {
  kind: 'unclear',
  verdict: 'clarify',
  reasons: ['No row can fit all conditions as I read them.'],
  unread: [],
};

export const NOTHING_TO_COMPARE: Understanding = {
  kind: 'unclear',
  verdict: 'clarify',
  reasons: ['I can’t tell which groups, columns or periods to compare.'],
  unread: [],
};

/** A sentence that tells something and asks nothing. */
export function isTold({ text, said }: Unit, read: Understanding): boolean {
  if (read.kind === 'unclear' && !ASKS.test(text)) return true;
  if (read.kind === 'plan' && WANTS.test(text)) return false;
  return NARRATES.test(text) && !said.trim().endsWith('?');
}

/** `which year had the most?`: it asks, though it names no more than kinds of times. */
export const ASKS_WHICH = /^(?:and )?(?:(?:in|on|for|at) )?(?:which|who|when|where)\b/iu;
