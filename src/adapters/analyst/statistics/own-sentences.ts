const LEFT_OUT = String.raw`(?:left out|left aside|ignored|excluded|disregarded|dropped|removed|skipped|omitted|discarded|filtered out|not (?:be )?(?:counted|considered|included|used|taken into account|to be considered|to be counted))`;
/** `… before the analysis`. */
const BEFOREHAND = String.raw`(?:\s+(?:beforehand|first|entirely|completely|(?:before|prior to) [^.;,)]{3,40}|from (?:the|this|all|any|your) (?:\p{L}+ )?(?:analysis|analyses|calculations?|tests?|data ?set|data|computation|average|mean)))?`;
const IS = String.raw`(?:is|are|was|were|should be|must be|shall be|can be|have to be|has to be|need to be)`;
/** `…; cancelled flights are to be left out`, `(huts without a price are ignored)`. */
const PASSIVE = new RegExp(
  String.raw`(?<before>^|[.;?!(]\s*|,\s+(?:and|but|where|while)\s+)(?<what>(?:\d\.\d|[^.;,()?])(?:\d\.\d|[^.;()?]){2,90}?) (?:${IS}(?: to be)? (?:simply |just )?${LEFT_OUT}|(?:should|must|shall|may|can) ${LEFT_OUT.replace('not (?:be )?', 'not be ')}|do(?:es)? not count)${BEFOREHAND}(?<after>\s*(?:[.;),]|$))`,
  'giu',
);
/** `cancelled flights have no delay and are to be left out`. */
const TELLS = /\s+(?:has|have|had|is|are|was|were)\s[^.;]*\band$/iu;
/** What is done first, or asked. */
const NOT_ALONE =
  /^\s*(?:how|what|which|who|where|whether|once|after|before|if|when|until|unless|as|because|since|outliers?\b)/iu;
const MAKES =
  /^(?:(?:please|then|first|next|now|also|and)\b,?\s*)*(?:add|create|make|compute|calculate|derive|define)\b/iu;
/** `add a column … = …, only for rides whose tip is above 0`. */
const ONLY_FOR =
  /(?:,?\s+(?:but )?only (?:for|of|where there are)|,\s+for) (?:the )?(?<who>\p{L}+ (?:whose|where|who|that|which|with|having)\b[^;]*?)(?=[.;]?$)/iu;
const BOTH_KINDS =
  /\b(?:(?:pearson(?:[’']?s)?(?: correlation)? and (?:the )?spearman(?:[’']?s)?)|(?:spearman(?:[’']?s)?(?: correlation)? and (?:the )?pearson(?:[’']?s)?))(?: rank)?(?: correlations?)?(?: coefficients?)?(?= (?:of|between|for))/iu;
/** `… (treat missing tips as 0)`. */
const IN_BRACKETS =
  /\s*\((?:please )?(?<what>(?:treat|ignore|exclude|drop|skip|omit|assume|replace|fill|count|consider only|use only)\b[^()]{4,90})\)/giu;
/** `(a value is an outlier when it lies more than 1.5 IQR below …)`: says again how far from the rest outliers are. */
const OUTLIER_IS =
  /\s*\((?:i\.e\.,? |that is,? )?(?:(?:an?|any|every|each|all)\s+)?(?:value|point|data point|observation|row|record)s?\s+(?:is|are|counts?)\s+(?:considered\s+|regarded\s+as\s+|treated\s+as\s+|as\s+)*(?:an?\s+)?outliers?\s+(?:if|when|whenever|where)\b(?<how>[^()]*)\)/giu;
const TIMES_IQR = /(?<factor>\d+(?:\.\d+)?)\s*(?:\*|×|x|times)?\s*(?:the\s+)?(?:iqr|interquartile)/iu;
const NAME = String.raw`("[^"]{1,80}"|\p{L}[\p{L}\p{N}_]*(?:[./][\p{L}\p{N}_]+)*)`;
const CONSTANT = String.raw`(?:a|b_?0|beta_?0|β_?0|alpha|intercept|const(?:ant)?)`;
const FACTOR = String.raw`(?:b|b_?1|m|beta(?:_?1)?|β(?:_?1)?|slope)`;
/** `y = a + b * x`, `y ~ x`. */
const LINE = new RegExp(
  String.raw`(?:\b(?:the|an?) )?(?:\b(?:straight |linear )?(?:line|model|equation) )?${NAME}\s*(?:=\s*${CONSTANT}\s*\+\s*${FACTOR}\s*(?:\*|×|·|x\b)?\s*|~\s*)${NAME}(?<more>(?:\s*\+\s*${NAME.replace('(', '(?:')})*)`,
  'giu',
);
/** `standardise a (subtract the mean, divide by the standard deviation)`. */
const SCALE_AGAIN =
  /\s*\((?:i\.\s?e\.,? |that is,? )?(?:by )?(?:subtract(?:ing)? (?:the |its )?mean[^()]{0,30}divid(?:e|ing) by (?:the |its )?(?:sample )?(?:standard deviation|std|sd)|(?:\(?(?:x|value) ?[-−–] ?(?:mean|min)[^()]{0,10}\)? ?\/ ?(?:\([^()]{3,20}\)|std|sd|standard deviation)))[^()]*\)/giu;
/** `kurtosis (fourth central moment over …)`. */
const SHAPE_AGAIN =
  /(?<=\b(?:kurtosis|skewness|form|formula|version)\b[^?.;()]{0,40})\s*\([^()]*\b(?:moments?|m[234])\b[^()]*\)/giu;
/** `area (km²)`, where that is no column's name. */
const UNIT_BEHIND =
  /"[^"]{0,200}"|(?<=\p{L})\s\((?:in )?(?:km²|km2|m²|m2|m³|m|km|cm|mm|kg|g|mg|t|s|sec|min|h|hrs?|hours?|minutes?|seconds?|days?|years?|months?|°C|°|%|€|EUR|USD|\$|kW|kWh|MW|MWh|GWh|l|ml)\)/gu;
/** `the average of the three marks (a, b, c)`. */
const LISTED =
  /\b(average|mean|sum|total) of (?:the |all |all the )?(?:two|three|four|five|six|\d) (?:\p{L}+ ){0,2}\p{L}+ \(((?:[^(),]{1,40}, ?)+(?:and )?[^(),]{1,40}|[^(),]{1,40} and [^(),]{1,40})\)/giu;
/** `delay in days (a minus b)`. */
const UNIT_BEFORE =
  /\s+in (?:days|hours|minutes|seconds|percent|%|euros?|dollars?|\p{L}+ per \p{L}+)(?=\s*\((?:[^()]|\([^()]*\))*(?:[-+*/×−–]|\bminus\b|\bplus\b|\bdivided by\b|\btimes\b))/giu;
/** `coefficient of variation (standard deviation over mean)`: what a figure is, said again. */
const SAID_AGAIN =
  /(?<=\b(?:coefficient of variation|relative standard deviation|cv|standard error)\b[^?.;()]{0,60})\s*\([^()]*\b(?:sd|std|standard deviation|mean|square root|sqrt)\b[^()]*\)/giu;

const RELATES = /\b(?:correlat\w+|pearson\w*|spearman\w*|covariance|rho)\b/iu;
const LINKS = /\b(?:and|with|to|versus|vs|against|minus|between)\b/iu;
/** `correlation height – weight`. */
const DASH = /(?<=["\p{L}\p{N}_]) [–—-] (?=["\p{L}])/gu;

/** A message in which what leaves rows out, or asks two things at once, stands in sentences of its own. */
export function withOwnSentences(message: string): string {
  const exclusions: string[] = [];
  const rest = message
    .replace(SAID_AGAIN, '')
    .replace(SCALE_AGAIN, '')
    .replace(SHAPE_AGAIN, '')
    .replace(LISTED, (_whole, figure: string, list: string) => `${figure} of ${listOf(list)}`)
    .replace(UNIT_BEFORE, '')
    .replace(UNIT_BEHIND, (said: string) => (said.startsWith('"') ? said : ''))
    .replace(OUTLIER_IS, (whole, how: string) => {
      const factor = TIMES_IQR.exec(how)?.groups?.['factor'];
      return factor === undefined ? whole : ` with a factor of ${factor}`;
    })
    .replace(IN_BRACKETS, (_whole, what: string) => {
      exclusions.push(`${what.charAt(0).toUpperCase()}${what.slice(1)}.`);
      return '';
    })
    .replace(PASSIVE, (whole, before: string, what: string, after: string) => {
      if (NOT_ALONE.test(what)) return whole;
      exclusions.push(`Exclude ${what.replace(TELLS, '').trim()}.`);
      return joint(before, after);
    })
    .replace(
      LINE,
      (_whole, y: string, x: string, more: string) =>
        `a linear regression of ${y} on ${x}${more.replaceAll(/\s*\+\s*/gu, ' and ')}`,
    );
  const sentences = rest.split(/(?<=[.?!])\s+(?=["\p{Lu}])/u).flatMap(apart);
  return [...exclusions, ...sentences].filter((one) => one.trim().length > 0).join(' ');
}

function listOf(list: string): string {
  const names = list.split(/\s*,\s*(?:and\s+)?|\s+and\s+/u).map((name) => name.trim());
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** The punctuation that stays where a stretch was taken out. */
function joint(before: string, after: string): string {
  if (before.startsWith('(')) return after.startsWith(')') || after.trim() === ')' ? ' ' : '(';
  return after.trim().startsWith(')') ? ')' : '. ';
}

function apart(said: string): readonly string[] {
  const sentence = RELATES.test(said) && !LINKS.test(said) ? said.replace(DASH, ' and ') : said;
  const limited = MAKES.test(sentence) ? ONLY_FOR.exec(sentence) : null;
  if (limited !== null) {
    const end = `${sentence.slice(0, limited.index)}.`;
    return [`Consider only ${limited.groups?.['who'] ?? ''}.`, end];
  }
  if (!BOTH_KINDS.test(sentence)) return [sentence];
  return ['Pearson correlation', 'Spearman correlation'].map((kind) => ended(sentence.replace(BOTH_KINDS, kind)));
}

function ended(sentence: string): string {
  return /[.?!]$/u.test(sentence) ? sentence : `${sentence}.`;
}
