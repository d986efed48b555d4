/** A number that a phrasing keeps. */
const NUMBER = String.raw`(\d+(?:\.\d+)?)`;
/** What it is measured in, which may be said behind it. */
const UNIT = String.raw`(?:\s?(?:%|percent|per cent|°?c|mm|cm|m|km|kg|g|mg|l|ml|eur|usd|euros?|dollars?|years?|days?|hours?|minutes?|months?|weeks?|nights?|knots?|kts|mph|kw|mw)(?![\p{L}\d]))?`;

const SCALES = /\b(?:scal\w+|normali[sz]\w+|min-?\s?max)\b/iu;
const TESTS =
  /\b(?:tests?|anova|chi|signific\w+|shapiro|welch|mann|kruskal|correlat\w+|pearson|spearman|associat\w+|hypothes\w+)\b/iu;
const GROUPS =
  /\b(?:bins?|groups?|class\w*|categor\w*|divide|split|bands?|intervals?|ranges?|brackets?|buckets?|label\w*|cut|into)\b/iu;
const LEVEL = String.raw`0?\.(?:1|10|05|025|01|005|001)`;
const FIGURE = String.raw`(?:mean|average|median|total|sum|maximum|minimum|standard deviation|variance|number)`;
const EXTREME = String.raw`(?:highest|lowest|largest|smallest|greatest|biggest)`;
const GROUP = String.raw`(?:bin|group|class|category|band|interval|bucket|range|label)`;
const GROWS = String.raw`(?:rise|increase|change|grow|go up|climb|fall|decrease|drop|decline|go down)s?`;

interface Phrasing {
  readonly said: RegExp;
  readonly meant: string;
  /** Only where the text speaks of this. */
  readonly about?: RegExp;
  /** Not where it speaks of this. */
  readonly except?: RegExp;
}

/** Levels of significance, however short they are written. */
const LEVELS: readonly Phrasing[] = [
  {
    said: new RegExp(String.raw`\balpha\s*(?:=|of|is|at)?\s*${NUMBER}\s*(?:%|percent|per cent)`, 'giu'),
    meant: '$1 percent significance level',
  },
  { said: new RegExp(String.raw`\b(?:alpha|α)\s*(?:=|of|is|at|:)?\s*(${LEVEL})(?!\d)`, 'giu'), meant: 'alpha = $1' },
  {
    said: new RegExp(String.raw`[,(]\s*(?:at\s+)?(?:the\s+)?(${LEVEL})(?=\s*(?:[),;?]|\.(?!\d)|$))`, 'giu'),
    meant: ' with a significance level of $1 ',
    about: TESTS,
  },
  {
    said: new RegExp(String.raw`\bat (?:the )?(${LEVEL})(?=\s*(?:[).,;?]|$|and\b))`, 'giu'),
    meant: 'at the $1 level',
    about: TESTS,
  },
];

/** Figures of one column. */
const FIGURES: readonly Phrasing[] = [
  {
    said: new RegExp(
      String.raw`\b(${EXTREME}|most|least) (?:variability|dispersion|volatility|spread)\b(?! between)`,
      'giu',
    ),
    meant: '$1 standard deviation',
  },
  {
    said: /\bhow (?:widely )?(?:spread out|dispersed|variable|volatile) (?:is|are)\b/giu,
    meant: 'what is the standard deviation of',
  },
  {
    said: /\b(\d{1,2})(?:st|nd|rd|th)((?:\s*,\s*(?:the\s+)?\d{1,2}(?:st|nd|rd|th))*)\s*,?\s+and\s+(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)\s+(?:per)?centiles?\b/giu,
    meant: 'percentile $1$2 and percentile $3',
  },
  { said: /(?<=\bpercentile \d[^.?;]*?),\s*(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)(?=[\s,])/giu, meant: ', percentile $1' },
  {
    said: /\b(absolute deviation[^.?;,()]{0,60}?)\s+(?:around|about|from)\s+(?:the|its|their)\s+mean\b/giu,
    meant: '$1',
  },
  {
    said: /\b(mean|average|median) difference (?=(?:the )?(?:"[^"]{1,60}"|[\p{L}\p{N}_]+) minus )/giu,
    meant: '$1 of ',
  },
  { said: /\bH_?0\s*:\s*(?:that )?/gu, meant: 'that ' },
  {
    said: /\b(any of the (?:columns|variables|features|fields)) ([^?.;]{3,120}?) or (?=["\p{L}])/giu,
    meant: '$1 $2 and ',
  },
  { said: /\bmost (?:frequent|common|frequently occurring) (?:number|count) of (?=\p{L}|")/giu, meant: 'mode of ' },
  {
    said: new RegExp(
      String.raw`\b(?:by )?how much (?:do|does|did) (?:the )?((?:${FIGURE})\b[^?.;]{1,100}?) (?:differ|vary)\b`,
      'giu',
    ),
    meant: 'what is the difference in the $1',
  },
  {
    said: new RegExp(
      String.raw`\bin (?:which|what) (${GROUP}) (?:is|was|are) (?:the )?(${FIGURE}\b[^?.;,]{1,60}?) (?:the )?(${EXTREME})\b(?:,? and (?:how (?:much|high|large|big|low) is it|what is it|which is it))?`,
      'giu',
    ),
    meant: 'which $1 has the $3 $2 in each $1',
  },
  {
    said: new RegExp(
      String.raw`\b(of|in|for|from) (?:both|all|the (?:two|three|four|five)|all (?:two|three|four|five)) (?:of the )?(?:${GROUP}(?:e?s)|categories|classes)\b`,
      'giu',
    ),
    meant: '$1 each group',
  },
];

/** Distances from the mean that look one way only. */
const DISTANCES: readonly Phrasing[] = [
  {
    said: new RegExp(
      String.raw`(?:\b(?:that|which|who) (?:is|are|lies?) )?\b(?:more|further|greater|higher|larger) than ${NUMBER} (?:sample )?(?:standard deviations?|sds?|sigmas?) (?:above|over|higher than) (?:the |its |their )?(?:mean|average)\b`,
      'giu',
    ),
    meant: 'with a zscore above $1',
  },
  {
    said: new RegExp(
      String.raw`(?:\b(?:that|which|who) (?:is|are|lies?) )?\b(?:more|further|lower|less|smaller) than ${NUMBER} (?:sample )?(?:standard deviations?|sds?|sigmas?) (?:below|under|lower than) (?:the |its |their )?(?:mean|average)\b`,
      'giu',
    ),
    meant: 'with a zscore below -$1',
  },
  {
    said: /\bso that (?:it|they|the values?|all values?) (?:lies?|lie|are|is|falls?|ranges?) (?:between|from|in|within) 0 (?:and|to) 1\b/giu,
    meant: 'to the range 0 to 1',
    about: SCALES,
  },
  { said: /\bmin-max\b(?!\s*-?\s*(?:scal|normal|rescal))/giu, meant: 'min-max scaling' },
  {
    said: /\b(?:to|onto|into|on)\s+(?:the\s+)?(?:(?:interval|range)\s+)?(?:from\s+|between\s+|of\s+)?[[(]?\s*0\s*(?:\.\.+|…|to|-|–|and|,)\s*1\s*[\])]?(?![\d.])/giu,
    meant: 'to the range 0 to 1 ',
    about: SCALES,
  },
];

/** Conditions that come without a number or without a column. */
const CONDITIONS: readonly Phrasing[] = [
  {
    said: /(?<=\b(?:where|when|if|whose|with|that|which|who|only)\b[^.?;,]{0,60}?)\b(is|are|was|were|a|an?)? ?(?:strictly )?(positive|negative)\b(?= *(?:[.?;,)]|$|and\b|or\b|\p{L}+$))/giu,
    meant: '$1 $2-sign',
  },
  { said: /\b(?:is|are|was|were) (?:strictly )?positive-sign\b/giu, meant: 'is above 0' },
  { said: /\b(?:is|are|was|were) (?:strictly )?negative-sign\b/giu, meant: 'is below 0' },
  { said: /-sign\b/giu, meant: '' },
  {
    said: new RegExp(
      String.raw`\b(?:of |is |are |was |were )?${NUMBER}${UNIT} or (?:more|above|over|higher|older|longer|greater|larger|later)\b(?!\s*(?:than\s+)?-?\d)`,
      'giu',
    ),
    meant: 'at least $1',
    except: GROUPS,
  },
  {
    said: new RegExp(
      String.raw`\b(?:of |is |are |was |were )?${NUMBER}${UNIT} or (?:less|fewer|below|under|lower|younger|shorter|smaller|earlier)\b(?!\s*(?:than\s+)?-?\d)`,
      'giu',
    ),
    meant: 'at most $1',
    except: GROUPS,
  },
  { said: /\b(is|are|was|were) not (?:equal to )?(?=\d)/giu, meant: '$1 != ' },
  { said: /\b(is|are|was|were) (?:not (?:equal to )?zero|non-?\s?zero|different from zero)\b/giu, meant: '$1 != 0' },
  {
    said: /("[^"]{1,80}"|\b\p{L}[\p{L}\p{N}_]*) where (?:it|they|this|these) (?=(?:is|are|was|were)\b)/giu,
    meant: '$1 where $1 ',
  },
];

/** A number that is measured in percent, where it is compared. */
const PERCENTS: readonly Phrasing[] = [
  {
    said: /\b(from|against|than|above|below|exceeds?|least|most|equals?|exceeding) (\d+(?:\.\d+)?) ?(?:percent|per cent)\b(?! (?:of|confidence|significance|level))/giu,
    meant: '$1 $2',
  },
];

/** Lines and correlations. */
const LINES: readonly Phrasing[] = [
  {
    said: /\btrain(?:ing|ed)? (?=(?:an? )?(?:simple |multiple |ordinary )?(?:linear|least)\b)/giu,
    meant: 'fit ',
  },
  {
    said: /\b(?:does|do|would|will) (?:this|the|that|your|our) (?:fitted |regression |linear )*(?:model|line|fit|equation|regression) (?:predict|give|yield|return|expect|estimate|imply)\b/giu,
    meant: 'is predicted',
  },
  {
    said: new RegExp(
      String.raw`\b(?:by )?how (?:much|many \p{L}+) (?:does|do|will|would) (?:the )?([^?.,;]{1,50}?) ${GROWS}(?: on average)? (?:per|for each|for every|with each|with every) (?:(?:additional|extra|further|more|one|1|single|unit|increase|rise|of|in) )*([^?.,;]{1,50})`,
      'giu',
    ),
    meant: 'what is the slope of the linear regression of $1 on $2',
  },
];

/** What was left out, and what stays. */
const LEFT: readonly Phrasing[] = [
  {
    said: /\b(?:once|after|when) (?:they|these|those|the outliers?(?: values)?) (?:have been|has been|are|were|had been|is) (?:taken out|removed|excluded|dropped|eliminated|discarded|left out)\b/giu,
    meant: 'of the remaining values',
  },
  {
    said: /\b(?:after|when|by) (?:removing|excluding|dropping|eliminating|discarding) (?:them|these|those)\b/giu,
    meant: 'of the remaining values',
  },
  { said: /\bwithout (?:them|these|those)\b/giu, meant: 'of the remaining values' },
  {
    said: /\bhow many (?:values|rows|records|observations|points|outliers|entries|of them) (?:are|were|have been|get|is) (?:dropped|removed|excluded|left out|discarded|eliminated)\b/giu,
    meant: 'how many outliers are there',
  },
  {
    said: /\b(how many outliers(?: are there)?|number of outliers[^?.,;]{0,40}?),? and (?:what )?(?=(?:the |a )?(?:mean|average|median|standard deviation|maximum|minimum|sum|total)\b)/giu,
    meant: '$1, and give ',
  },
  {
    said: /\b(?:of|for|among|in) the (?:remaining|other|rest of the) (?:ones|values|rows|records|observations|points|data|entries)\b/giu,
    meant: 'of the remaining values',
  },
  {
    said: /\bwith (?:an? |the )?(?:known|recorded|available|valid|non-missing|documented) (?=\p{L}|")/giu,
    meant: 'with non-missing ',
  },
];

/** What was taken out, told after it was done. */
const REMOVED = String.raw`(?:removed|dropped|excluded|deleted|eliminated|discarded|left out|detected|identified|found|flagged)`;
const ITEMS = String.raw`(?:outliers?|values?|rows?|records?|observations?|data points?|points?)`;
const REMOVALS: readonly Phrasing[] = [
  {
    said: /\bhow many (?:rows|records|samples|observations|cases|entries) (?:remain|are left(?: over)?|stay|survive)\b/giu,
    meant: 'how many rows are there of the remaining rows',
  },
  {
    said: /\b(how many rows are there of the remaining rows),? and (?=(?:the |their )?(?:mean|average|median|standard deviation|variance|maximum|minimum|sum|total)\b)/giu,
    meant: '$1, and give ',
  },
  {
    said: /^(?:then |now |next )?(?:remove|drop|exclude|eliminate|discard|delete) (?:them|these|those)(?: (?:outliers|values|rows))?,? and (?:then )?([^?.]+?)(?: (?:again|anew|once more))?\s*(?=[?.]|$)/giu,
    meant: '$1 of the remaining values',
  },
  {
    said: new RegExp(
      String.raw`\bnumber of (?:${ITEMS}(?: values?)? (?:(?:that|which) (?:were|are|was|have been|has been|got) )?${REMOVED}|${REMOVED} ${ITEMS}(?: values?)?)\b`,
      'giu',
    ),
    meant: 'number of outliers',
    about: /\boutl|\bremov|\bz-?\s?score|\biqr\b|^(?:report|state|give|tell|provide|return|what|how)/iu,
  },
  {
    said: /\b(?:state|report|give|provide|return|tell(?: me)?|what (?:is|are|was)|determine|indicate|show)\s+(?:me )?(?:the )?number of outliers(?: there are)?,?\s+(?:and|as well as|together with|plus)\s+(?=(?:the |its |both |a )?(?:new |resulting )?(?:mean|average|median|standard deviation|std|variance|maximum|minimum|sum|total|skewness))/giu,
    meant: 'how many outliers are there, and give ',
  },
  {
    said: /\bboth (mean|average|median|standard deviation|variance)s?\s*\(?\s*(?:before and after|with and without)(?: (?:the )?(?:removal|removing)(?: (?:of )?(?:them|the outliers|outliers))?)?\s*\)?/giu,
    meant: 'the $1 with and without outliers',
  },
  {
    said: /\b(?:after|following|upon|once)\s+(?:the |their |this |its |that |such )?(?:outliers?[’']?s? )?(?:removal|exclusion|elimination)(?: of (?:the |all )?(?:outliers|them|these|those))?\b/giu,
    meant: 'of the remaining values',
  },
];

/** Values that are missing and count as something. */
const GAPS: readonly Phrasing[] = [
  {
    said: /\b(?:treat|count|regard|consider|take|handle|set|assume)(?:ing)? (?:all |any |the )*(?:missing|blank|empty|null|absent) ((?:values? (?:of|in|for) )?[^?.;,]{1,50}?) (?:values? |entries |cells )?(?:as|to be|to|=|equal to|are|being) (?=(?:zeros?|0|the (?:mean|median|mode|average)|\d))/giu,
    meant: 'replace missing $1 by ',
  },
  {
    said: /\bif (?:all |the |all the )?missing ([^?.;,]{1,50}?) (?:were|was|are|is|had been) (?=(?:zeros?|0|the (?:mean|median|mode|average)|\d))/giu,
    meant: 'if missing $1 are replaced by ',
  },
  {
    said: /\b(?:is|are|was|were|has|have|had) not (?:yet )?(?:been )?(?:recorded|known|given|available|reported|stated|specified|documented|noted|measured)\b/giu,
    meant: 'is missing',
    about: /\b(?:exclud|ignor|drop|omit|remov|discard|disregard|skip|leav)/iu,
  },
  { said: /^((?:what|how)\b[^?]*?),? (if missing [^?]+?)\s*\?$/iu, meant: '$2, $1?' },
];

const ALL: readonly Phrasing[] = [
  ...LEVELS,
  ...FIGURES,
  ...DISTANCES,
  ...CONDITIONS,
  ...PERCENTS,
  ...LINES,
  ...REMOVALS,
  ...LEFT,
  ...GAPS,
];

/** Short and indirect formulations in the words that the grammar of statistics knows. */
export function rephrased(text: string): string {
  return ALL.reduce(
    (said, { said: pattern, meant, about, except }) =>
      about?.test(text) === false || except?.test(text) === true ? said : said.replace(pattern, meant),
    text,
  );
}
