import { rephrased } from './phrasings.js';
import { reordered } from './word-order.js';

const FACTOR = String.raw`(?<factor>\d+(?:\.\d+)?)`;
const END = String.raw`\s*(?:[*×x·]|times)?\s*(?:the\s+)?IQR\b\s*(?:\)|closebracket)?`;
/** `outside of Q1 - 1.5*IQR to Q3 + 1.5*IQR`. */
const FENCES = new RegExp(
  String.raw`(?:\b(?:that\s+(?:are|lie|fall)\s+)?(?:outside|beyond)\s+(?:of\s+)?)?(?:\b(?:the\s+)?(?:interval|range|limits?|bounds?)\s+)?(?:\b(?:below|under|less than|from|between|<)\s*)?(?:[[(]|openbracket)?\s*\bQ\s?1\s*(?:[-−–]|minus)\s*${FACTOR}${END}\s*(?:,|to|and|or)*\s*(?:(?:above|over|greater than|more than|>)\s*)?(?:\(|openbracket)?\s*Q\s?3\s*(?:\+|plus)\s*\k<factor>${END}\s*\]?`,
  'giu',
);
const LARGER = String.raw`(?:higher|lower|more|less|larger|smaller|greater|longer|shorter|older|younger|taller|heavier|lighter|cheaper|dearer|better|worse|above|below)`;
const LINK = String.raw`(?:in|for|of|among|at|on|with|from|by)`;
/** `how much higher is the mean fee of dogs than of cats?` */
const CONTRAST = new RegExp(
  String.raw`\b(?:by )?how much ${LARGER} (?:is|are|was|were) (?<what>(?:the )?(?:mean|average|median|total|maximum|minimum|sum|highest|lowest)\b[^?.,]{1,80}?) (?<link>${LINK}) (?<one>[^?.,]{1,60}?) than (?:(?:the one|that|those|it is) )?(?:${LINK} )?(?<other>[^?.,]{1,60})`,
  'iu',
);

const FIGURE = String.raw`(?:the )?(?:mean|average|median|total|maximum|minimum|sum)\b`;
/** `how much higher is the mean fee than the median fee?` */
const CONTRAST_OF_TWO = new RegExp(
  String.raw`\b(?:by )?how much ${LARGER} (?:is|are|was|were) (?<one>${FIGURE}[^?.,]{1,60}?) than (?<other>${FIGURE}[^?.,]{1,60})`,
  'iu',
);

/** `the difference between the means of a and b (a minus b)`. */
const SAME_WAY = /(\bdifference\b[^?.;()]{3,200}?)\s*\(\s*([^()?.;]{1,40}?) minus ([^()?.;]{1,40}?)\s*\)/giu;

/** `the range (maximum minus minimum)`. */
const RANGE_AGAIN =
  /(?<=\brange\b[^?.;()]{0,80})\s*\(\s*(?:the )?(?:max(?:imum)?|highest|largest) (?:minus|-|–|−) (?:the )?(?:min(?:imum)?|lowest|smallest)\s*\)/giu;

/** A text without brackets that only say again which of two is taken from which. */
export function withoutOrder(text: string): string {
  return text
    .replace(RANGE_AGAIN, '')
    .replace(SAME_WAY, (whole, said: string, one: string, other: string) =>
      isInOrder(said, one, other) ? said : whole,
    );
}

function isInOrder(said: string, one: string, other: string): boolean {
  const place = (name: string): number => ` ${said} `.toLowerCase().indexOf(` ${name.trim().toLowerCase()} `);
  return place(one) >= 0 && place(other) > place(one);
}

/** `Remove the outliers first.`: an order to do something; `oldest first` orders rows. */
export const DONE_FIRST =
  /^((?:please |but |and )*(?:remove|exclude|drop|discard|omit|ignore|filter|eliminate|fill|impute|replace|treat|set|cap|clip|trim|round|convert|scale|rescale|standardi[sz]e|normali[sz]e|transform|log|take|create|make|add|compute|calculate|derive|build|define|bin|group|clean|delete|keep|restrict|limit|use|consider|extract|parse|split|select|find|determine|apply|perform|handle)\b[^?]{3,}?)\s+first\s*([.!]?)$/iu;

/** `clean the data by removing …`. */
const CLEANS =
  /\b(?:clean|cleanse|prepare|preprocess|pre-process|tidy)(?: up)? (?:the )?(?:data ?set|data|table|column|rows|records) by (?:removing|dropping|excluding|deleting|discarding|eliminating) /giu;
/** `within the whole company`. */
const WITHIN_ALL =
  /\s+(?:within|across|over) the (?:whole|entire|full|complete) (?!sum|total)\p{L}+(?=\s*(?:[.?,;]|$)|\s+and\b)/giu;
/** `which site has the most variable level, measured by the coefficient of variation`. */
const MOST_VARIABLE =
  /\b(?:has|had|shows|with) the ((?:most|least) (?:variable|volatile|dispersed|consistent|stable|inconsistent|unstable)) ([^?.,;()]{2,50}?)(?:(?:,? (?:as )?(?:measured|judged|quantified|expressed|assessed|told) by|,? (?:that is|i\.e\.),?(?: with)?) (?:the |its )?(?:smallest |lowest |largest |highest |greatest )?((?:coefficient of variation|standard deviation|variance|interquartile range|range|relative standard deviation))(?:\s*\([^()]*\))?)?(?=\s*[?.,;]|$)/giu;
/** `which lake is it, and how big is it?` */
const HOW_LARGE =
  /(?<=\b(?:highest|lowest|largest|smallest|greatest|biggest|most|least|maximum|minimum)\b[^?.]{0,80}),? and how (?:big|large|high|low|small|much|many|long|great|strong) (?:is|was|are) (?:it|that|they|this)(?=\s*[?.,]|$)/giu;
/** `use the IQR rule to find outliers in a`. */
const FINDS_BY =
  /^(?:please |then |first )?(?:using|use|apply|with|by) (?:the |a )?((?:\d\.\d|[^?.;,]){3,120}?),? (?:to )?(?:find|detect|identify|flag|locate|determine) (?:the |all |any )?outliers? (?:in|of|for|among) ([^?.;]{2,60}?)(?=[.;]|$| and )/iu;
const EXPECTED =
  /\bhow (?:many|much) ([^?.,;]{2,40}?) (?:would|do|does|should|can|will) (?:you|we|one|the (?:model|line|regression|equation)) (?:expect|predict|estimate|forecast|anticipate)\b/iu;
const OF_AGE = /\bbetween (\d+) and (\d+) years? (?:of age|old)\b/iu;
const OPERAND = String.raw`((?:the )?(?:"[^"]{1,60}"|[\p{L}\p{N}_]+(?: [\p{L}\p{N}_]+){0,2}?))`;
/** `in how many months did a exceed b?` */
const IN_HOW_MANY = new RegExp(
  String.raw`\b(?:in|on|for) how many \p{L}+ (?:did|was|were|is|are|does|do|has|have) ${OPERAND} (?:(?:higher|larger|greater|bigger|more|lie) (?:than|above)|exceed(?:ed)?|outperform(?:ed)?|beat|surpass(?:ed)?|above|top) ${OPERAND}(?=\s*\?|$)`,
  'giu',
);

/** Orders, verbs and distances that are said in more words than they need. */
function withoutDetours(text: string): string {
  return text
    .replace(CLEANS, 'exclude ')
    .replace(/\bdata sets?\b/giu, 'dataset')
    .replace(/,?\s*\b(?:afterwards|thereafter|subsequently)(?=\s*[?.]|$)/giu, '')
    .replace(HOW_LARGE, '')
    .replace(FINDS_BY, 'find the outliers of $2 by the $1 ')
    .replace(EXPECTED, 'what $1 is predicted')
    .replace(OF_AGE, 'with age between $1 and $2')
    .replace(/(\bbetween [\w.]+ and [\w.]+(?: \p{L}+)?),? \(?inclusive(?:ly)?\)?/giu, '$1')
    .replace(WITHIN_ALL, '')
    .replace(
      MOST_VARIABLE,
      (_whole, most: string, of: string, by: string | undefined) =>
        `has the ${/most|least consistent|least stable/iu.test(most) && !/most (?:consistent|stable)/iu.test(most) ? 'highest' : 'lowest'} ${by ?? 'standard deviation'} of ${of}`,
    )
    .replace(IN_HOW_MANY, 'how many rows have $1 above $2')
    .replace(/\b(?:in|for|during) (?:the )?years? (?=\d{4}\b)/giu, 'in ')
    .replace(
      /\b(which|what) ((?:\p{L}+ )?\p{L}+) (?:shows?|showed|exhibits?|exhibited|displays?|displayed|records?|recorded|achieves?|achieved|experiences?|experienced|registers?|registered|boasts?|yields?|yielded|attains?|attained|presents?|reaches|reached|sees|saw|enjoys?|pays|paid|offers|charges|earns) (?=the (?:highest|lowest|largest|smallest|greatest|biggest|least)\b)/giu,
      '$1 $2 has ',
    );
}

/** What is said in a roundabout way. */
function inFewerWords(text: string): string {
  return withoutDetours(text)
    .replace(
      /\s*\(?\s*\|\s*z(?:score)?\s*\|\s*(?:>=?|≥|greater than|above|over|exceed(?:s|ing)?)\s*(\d+(?:\.\d+)?)\s*\)?/giu,
      ' with a threshold of $1 ',
    )
    .replace(/\bby means of\b/giu, 'with')
    .replace(
      /\b(?:the )?(?:natural )?log(?:arithm)?(?: \(natural\))? of ("[^"]{1,60}"|[\p{L}_][\p{L}\p{N}_]*)(?: values)?,? (?:after adding|plus) (?:1|one)\b/giu,
      'log1p of $1',
    )
    .replace(DONE_FIRST, '$1$2')
    .replace(
      /\bwhat (?:part|share|portion|fraction|proportion|percentage) of (?:all |the )*(?:\p{L}+ )?(?:is|are) (?:that|this|those|these|they)\b/giu,
      'what percentage is that',
    )
    .replace(HIGHER_OF_TWO, 'what is $<what> $<link> $<one> and $<link> $<other>?')
    .replace(
      /\b(of|for) (?:the )?("[^"]{1,60}"|[\p{L}_][\p{L}\p{N}_]*)(?: values)? and (?:of|for) (?:their|its|the) ((?:natural |base[- ]10 |common )?log(?:arithm)?s?|square roots?)\b(?! of)/giu,
      '$1 $2 and $3 of $2',
    );
}

/** Signs, verbs of two words and short forms as the grammar knows them. */
function inPlainWords(text: string): string {
  return inFewerWords(text.replace(/\bz[- ]scores?\b/giu, 'zscore'))
    .replace(/\bi\.\s?e\.,?/giu, 'namely')
    .replace(/\bz[- ](?=standardi[sz]|normali[sz])/giu, '')
    .replace(PRESENT_ALL, ' ')
    .replace(/\bR\s?²/gu, 'r squared')
    .replace(/(?:χ|\bchi)\s?²/giu, 'chi square')
    .replace(/\bx²/giu, 'chi square')
    .replace(/ (?:of|for|in|over) what (?:remains|is left)(?: over)?\b/giu, '')
    .replace(/^(?:work|figure|find) out\b/iu, 'calculate')
    .replace(
      /\b(?:leav(?:e|ing) (?:out|aside)|skip(?:ping)?|disregarding|not (?:counting|considering|including))\b(?! (?:every|\d))/giu,
      'excluding',
    )
    .replace(/^out of (?=[^?.;]*\b(?:which|what)\b)/iu, 'among ')
    .replace(/\b(?:slope|intercept) (?:\+|plus) (?=slope|intercept)/giu, (said) => said.replace(/\+|plus/iu, 'and'))
    .replace(/\b(and|then|,) average (?=its?\b|the\b|their\b|them\b)/giu, '$1 give the average of ')
    .replace(
      /\band express (?:them|it|this|that|these) as (?:a )?(?:percentage|share)(?: of (?:all|the) \p{L}+)?/giu,
      'and what percentage is that',
    )
    .replace(/\bgap in (?=(?:the )?(?:mean|average|median|total)\b)/giu, 'difference in ')
    .replace(/\bhow many (?=(?:percent|per cent|%))/giu, 'what ')
    .replace(/\bover (?=(?:the |all )?(?:complete|remaining) )/giu, 'of ')
    .replace(/\b(largest|highest|biggest|smallest|lowest) (?:one|of (?:them|these))\b/giu, '$1 value')
    .replace(/\badds? up to\b(?=\s*\??$)/iu, 'sum to')
    .replace(/\bforecasts?\b/giu, (said) => (/regress|least squares|line/iu.test(text) ? 'predict' : said))
    .replace(
      /[,(]\s*(?:at )?(?:the )?(\d+(?:\.\d+)?) ?(?:%|percent|per cent)(?=\s*[),.;:?]|$)/giu,
      (said, level: string) => (TESTS.test(text) ? ` at the ${level} percent significance level` : said),
    )
    .replace(
      /(\biqr\b[^.;()]{0,12}?(?:method|rule|criterion|approach|fences?))\s*[,(]\s*(\d+(?:\.\d+)?)(?![\d.]|\s*(?:times|x|\*|×))\s*\)?/giu,
      '$1 with a factor of $2 ',
    )
    .replace(/\blacking (?:an? |the |any )?/giu, (said) => (REMOVES.test(text) ? 'with missing ' : said));
}

/** `using all rows with no missing value in any of the three columns`: what a fit does anyway. */
const PRESENT_ALL =
  /,?\s*\b(?:using|on|over|with|for|from|based on)\s+(?:only\s+)?(?:all\s+|the\s+|those\s+)*(?:rows|records|observations|cases)\s+(?:(?:that have |which have |with |having )(?:no missing|non-missing|complete|valid)|without (?:any )?missing)(?: (?:values?|data|entries))?\s+(?:in|for|of)\s+(?:any|all|both|each|either)(?:\s+of)?(?:\s+(?:the|these|those))?(?:\s+(?:two|three|four|five|\d))?\s+(?:columns|variables|features|fields)\b/giu;
/** `is the default rate higher for men or for women?` */
const HIGHER_OF_TWO =
  /^(?:is|are|was|were) (?<what>(?:the )?[^?.,]{0,30}?\b(?:mean|average|median|rate|share|percentage|proportion|standard deviation|variance)\b[^?.,]{0,40}?) (?:higher|lower|larger|smaller|greater|bigger|more|less) (?<link>for|in|among|at|on|of) (?<one>[^?.,]{2,40}?) or (?:\k<link> )?(?<other>[^?.,]{2,40}?)\s*\?$/iu;
const TESTS = /\b(?:test|anova|signific\w+)\b/iu;
const REMOVES = /\b(?:exclud|leav\w+ out|drop|ignor|omit|remov)/iu;

/** `aggregate by a: mean of b, sum of c`, `group the rows by a and compute the mean of b for each group`. */
const GROUPED =
  /^(?:aggregate|group|summari[sz]e|break down)(?: (?:the |all (?:the )?)?\p{L}+)? (?:by|per|on) (?<by>[^:,.;?]{2,60}?)(?:\s*:\s*|,?\s+(?:and|then|and then)\s+)(?:(?:calculate|compute|find|give|report|determine|show|obtain|get|take)\s+)?(?<what>[^?;]{4,200}?)(?:\s+(?:for|of|in|per|within) (?:each|every)(?: \p{L}+)?)?\s*[.?;]?$/iu;

function ungrouped(text: string): string {
  const { by, what } = GROUPED.exec(text)?.groups ?? {};
  return by === undefined || what === undefined || /["“\d]/u.test(what) ? text : `give ${what} for each ${by}`;
}

/** Common formulations in the words that the grammar of statistics knows. */
export function reworded(text: string): string {
  return reordered(inPlainWords(rephrased(ungrouped(text))))
    .replace(FENCES, (_whole, factor: string) =>
      /\boutl/iu.test(text)
        ? ` by the IQR rule with a factor of ${factor} `
        : ` outliers by the IQR rule with a factor of ${factor} `,
    )
    .replace(CONTRAST_OF_TWO, 'what is the difference between $<one> and $<other>')
    .replace(CONTRAST, 'what is the difference between $<what> $<link> $<one> and $<other>')
    .replace(
      /\b(?:largest|highest|greatest|biggest) (?=(?:z-?\s?scores?|(?:standardi[sz]ed|normali[sz]ed|scaled) values?)\b)/giu,
      'maximum ',
    )
    .replace(
      /\b(?:smallest|lowest) (?=(?:z-?\s?scores?|(?:standardi[sz]ed|normali[sz]ed|scaled) values?)\b)/giu,
      'minimum ',
    )
    .replace(
      /\bskewed (?:positively|negatively|to the (?:right|left))|(?:right|left|positively|negatively)[- ]skewed\b/giu,
      'skewed',
    )
    .replace(/\b(?:percent|percentage|per cent|%) (?=of the variance|of variance|of the variation)/giu, 'share ');
}
