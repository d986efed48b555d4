const GREETING =
  /^\s*(?:(?:hi|hello|hey|dear|good (?:morning|afternoon|evening|day)|greetings|thanks?(?: you)?(?: (?:so|very) much| in advance| a lot)?|cheers|please|ok(?:ay)?|well|so|sorry|regards|best regards|kind regards)\b[\s,!.]*(?:there|all|team|everyone|assistant|sir|madam)?[\s,!.:-]*)+/iu;
/** `Value at risk: what is …`. */
const TOPIC =
  /^(?![^:]*(?:test|anova|regress|correl|square|method|outlier|score))[^:?.,;]{3,40}:\s+(?=(?:the|what|which|how|is|are|use|compute|calculate|find|does|do|determine|test|perform|using)\b)/iu;
const REQUEST =
  /^(?:(?:could|can|would|will) you (?:please |kindly |maybe )?|i(?:'d| would) (?:like|love|want) (?:you )?to (?:know |see |find out )?|i (?:want|need)(?: you)? to (?:know |see |find out )?|i(?:'m| am) (?:interested in|curious about|wondering about|wondering)\s+|(?:please |kindly )?(?:tell|let) (?:me|us) (?:know )?(?:about )?|do you know |please |kindly |help me (?:to )?|your task is to |the task is to |we (?:want|need|would like) to (?:know )?)+/iu;
const CONNECTS =
  /^(?:(?:then|next|finally|(?:after|following|having done) (?:this|doing (?:so|this|that))|with (?:this|that)(?: done)?|based on (?:this|that)|also|and|secondly|thirdly|firstly|first,|afterwards|after that|now|lastly|furthermore|additionally|moreover|in addition)(?![\p{L}])[\s,]+)+/iu;
/** `as manager I would like to know`. */
const IN_A_ROLE = /^as (?:an? |the |your |our )?(?:[\p{L}-]+ ){0,3}?[\p{L}-]+,? (?=(?:i|we)\b)/iu;
const THANKS =
  /[\s,.;!]*(?:\b(?:thanks?(?: you)?(?: (?:so|very) much| in advance| a lot)?|please|pls|plz|cheers|many thanks|if possible|if you can)\b[\s,.!]*)+$/iu;

/** `also by channel` adds to what was asked before; elsewhere the word says nothing. */
function connectionOf(said: string, rest: string): string {
  if (/^and\b/iu.test(said)) return 'and ';
  return /\balso\b/iu.test(said) && /^(?:by|per|split|for each)\b/iu.test(rest) ? 'also ' : '';
}

/** A sentence without greetings, thanks and roundabout requests; empty when it is nothing else. What a colon announces stays where it chooses rows. */
export function withoutPoliteness(sentence: string, isChoice: (topic: string) => boolean): string {
  const bare = sentence
    .replace(GREETING, '')
    .replace(IN_A_ROLE, '')
    .replace(THANKS, '')
    .replace(CONNECTS, (said, _at, whole: string) => connectionOf(said, whole.slice(said.length)));
  const asked = bare.replace(TOPIC, (topic) => (isChoice(topic) ? topic : '')).replace(REQUEST, '');
  return asked.trim().length > 0 ? asked.trim() : bare.trim();
}
