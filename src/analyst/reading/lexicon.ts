import { readFileSync } from 'node:fs';
import { keptIn, root, stem } from './words.js';

/** Groups of words for one thing, by word: the numbers of the groups that a word is in. */
export type Groups = ReadonlyMap<string, readonly number[]>;

interface Lexicon {
  readonly byWord: Groups;
  readonly lines: readonly (readonly string[])[];
}

/** The groups in a file, a line each, read when they are first looked at. */
class WordGroups {
  private read: Lexicon | null = null;

  constructor(private readonly file: string) {}

  get byWord(): Groups {
    return (this.read ??= lexiconIn(this.file)).byWord;
  }

  get lines(): Lexicon['lines'] {
    return (this.read ??= lexiconIn(this.file)).lines;
  }
}

/** Words of columns that mean the same, in several languages; the first of a line names its group. */
export const COLUMN_WORDS = new WordGroups('./synonyms.txt');
/** Words that people say and codes that cells hold for the same thing. */
export const VALUE_WORDS = new WordGroups('./values.txt');

function lexiconIn(file: string): Lexicon {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim().split(/\s+/)]));
  const byWord = new Map<string, number[]>();
  for (const [group, words] of lines.entries())
    for (const word of words.flatMap((one) => [one, stem(one)])) {
      const known = keptIn(byWord, word, () => []);
      if (known.at(-1) !== group) known.push(group);
    }
  return { byWord, lines };
}

/** The groups of a word and of its singular; of a word that is in none those of its root. */
export function groupsOf({ byWord }: WordGroups, word: string): readonly number[] {
  const [own, single] = [byWord.get(word), byWord.get(stem(word))];
  if (own === single || single === undefined) return own ?? byWord.get(root(word)) ?? [];
  return own === undefined ? single : [...new Set([...own, ...single])];
}

const SHORTEST_PART = 4;

/** The groups of a word that may mean a column: those of columns, and for longer words those of values, such as `yellow` for Gelbe. */
export function groupsOfWord(word: string): readonly number[] {
  const own = groupsOf(COLUMN_WORDS, word);
  if (word.length < SHORTEST_PART) return own;
  return [...own, ...groupsOf(VALUE_WORDS, word).map((group) => group + COLUMN_WORDS.lines.length)];
}

/** The groups of a word of a header; of a compound such as Tagesumsatz those of its last part that is known. */
export function groupsOfName(word: string): readonly number[] {
  const own = groupsOfWord(word);
  for (let at = 3; own.length === 0 && at <= word.length - SHORTEST_PART; at++) {
    const part = COLUMN_WORDS.byWord.get(word.slice(at));
    if (part !== undefined) return part;
  }
  return own;
}

/** The two words of a compound such as Angebotssumme, where both are known. */
export function partsOfCompound(word: string): readonly string[] {
  if (!/^\p{L}+$/u.test(word)) return [];
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
    const [first, second] = [word.slice(0, at), word.slice(at)];
    if (!COLUMN_WORDS.byWord.has(second)) continue;
    const known = [first, first.replace(/(?:s|n|en|es)$/, '')].find(
      (part) => part.length >= SHORTEST_PART && groupsOfWord(part).length > 0,
    );
    if (known !== undefined) return [known, second];
  }
  return [];
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Small words, which are nothing by themselves. */
export const SMALL = wordSet(`
  a an the of in on at for to from with by and or is are was were be been do does did has have had that which who whose what how many much
  all any each every per this these those there their its it as than me my our us i we you your he she they them give show list find tell
  return please pls plz display s not no out about into over under can could would like want need get let see just also so then if when where
  whats whos hows wheres thats theres heres lets ive weve am pm vs via but only too some such one ones same more most less least very up down off be being will should shall may might im id
  der die das den dem des ein eine von und oder mit pro je nach im am zum zur wie viele fur was welche alle ist sind
  le la les de du des et par un une pour el los las por y en , . ? ! ; : ( ) / - & + = * # " _ % $ € £ ° < > <= >= != [ ] … – —`);

/** What stands between a preposition and its noun. */
export const DETERMINERS = wordSet(
  'a an the all its their his her our my your s any some these those this that der die das den dem',
);

/** Classes of words whose meaning is known; what they are worth in a question is learned. */
export const CLASSES = {
  each: wordSet('each per every by different various across pro je nach split broken breakdown grouped group'),
  distinct: wordSet('distinct different unique various'),
  order: wordSet(
    'order ordered sort sorted alphabetical alphabetically ascending descending rank ranked ranking arrange chronological chronologically desc asc',
  ),
  desc: wordSet('descending decreasing reverse desc backwards highest largest biggest'),
  neg: wordSet(
    'not except excluding exclude other without never isnt arent dont doesnt didnt wasnt werent no neither nor nobody none nothing skip skipping ohne nicht kein keine non apart ignore ignoring but',
  ),
  or: wordSet('or either oder'),
  gt: wordSet(
    'more over above greater exceeds exceeding exceed exceeded after older larger higher longer bigger since least later heavier taller beyond past uber mehr > >=',
  ),
  lt: wordSet(
    'less under below fewer before smaller lower shorter younger earlier most lighter cheaper until unter weniger < <=',
  ),
  between: wordSet('between from to zwischen'),
  like: wordSet(
    'contains contain containing includes include including substring starting starts start begin begins beginning ends ending end letter letters word like called named',
  ),
  null: wordSet(
    'null missing empty unknown blank blanks without no any lack lacks lacking know known recorded yet filled unfilled undefined nan na gaps gap nobody none nothing skip fehlt fehlen leer',
  ),
  avg: wordSet(
    'average averages mean avg typical averaged typically durchschnitt durchschnittlich mittel moyenne schnitt',
  ),
  sum: wordSet('total sum overall altogether combined totals summed summe gesamt insgesamt totalling'),
  max: wordSet(
    'maximum max highest largest greatest biggest most longest oldest latest best top heaviest tallest maximal peak record hochste hottest priciest dearest costliest fastest strongest longest tallest warmest richest newest widest deepest',
  ),
  min: wordSet(
    'minimum min lowest smallest least shortest youngest earliest fewest lightest worst minimal coldest coolest cheapest slowest',
  ),
  count: wordSet('many number count counts amount anzahl viele # no often frequency combien'),
  median: wordSet('median middle'),
  stddev: wordSet(
    'deviation stddev std sd standard spread variability scatter dispersion vary varies varied consistent',
  ),
  variance: wordSet('variance var'),
  percentile: wordSet('percentile percentiles quantile quartile quartiles p90 p95 p99 p50 p75 p25 decile'),
  range: wordSet('range span'),
  iqr: wordSet('iqr interquartile'),
  mode: wordSet('mode common frequent frequently commonest usual'),
  skewness: wordSet('skewness skew skewed'),
  kurtosis: wordSet('kurtosis'),
  correlation: wordSet(
    'correlation correlated correlate correlates corr relationship related relation association depend depends linked connected affect affects influence pearson spearman',
  ),
  regression: wordSet(
    'regression regress slope predict predicts predictor trendline linear fit r2 squared intercept coefficient',
  ),
  test: wordSet('test significant significantly significance ttest welch mann whitney anova hypothesis'),
  normal: wordSet('normal normally normality gaussian bell shapiro'),
  outlier: wordSet('outlier outliers unusual anomaly anomalies anomalous extreme abnormal odd weird strange'),
  share: wordSet(
    'share percentage percent proportion fraction % pct portion ratio anteil prozent rate mix split distribution pie quote',
  ),
  change: wordSet(
    'change changes changed difference increase increased decrease decreased differ delta diff versus vs compared compare comparison gap gained rise rose drop dropped fell',
  ),
  growth: wordSet('growth grew grow growing yoy mom growths wachstum'),
  cumulative: wordSet('cumulative running cumulated accumulated cum ytd kumuliert'),
  moving: wordSet('moving rolling smoothed'),
  trend: wordSet(
    'trend trends trending over time timeline development develop developed evolution evolve evolved history verlauf course entwicklung',
  ),
  hi: wordSet(
    'deepest strongest noisiest loudest widest busiest wealthiest hardest steepest brightest most highest largest greatest biggest maximum max longest oldest tallest heaviest latest newest best top richest fastest furthest hottest warmest recent expensive greater popular common last frequent frequently priciest windiest wettest worst strictest peak leading leader bestselling record meiste meisten hochste grosste',
  ),
  lo: wordSet(
    'shallowest weakest narrowest quietest softest least lowest smallest fewest minimum min shortest youngest lightest earliest worst cheapest bottom slowest closest nearest coldest first rarest minimal driest calmest weakest wenigsten niedrigste kleinste lowest',
  ),
  most: wordSet('most least fewest top best worst highest lowest'),
  times: wordSet('times multiplied x * product'),
  minus: wordSet('minus difference less subtract - profit margin net after'),
  plus: wordSet('plus sum together combined + and total added'),
  over: wordSet('per divided ratio by / over each'),
  duration: wordSet(
    'long duration days hours time took take takes between until turnaround delay late waiting wait lead lasted last elapsed weeks minutes fast faster fastest quick quickly quicker quickest slow slower slowest behind ahead',
  ),
  chart: wordSet(
    'chart charts graph plot plots plotted pie bar bars line lines histogram scatter heatmap diagram draw visualize visualise donut area graphic picture boxplot box',
  ),
  yes: wordSet('yes true is are was were has have did do does active'),
} as const;
export type WordClass = keyof typeof CLASSES;

const DRAWN = /^(?:chart|graph|plot|diagram)s?$/;

/** Whether a word tells how to draw, and nothing of the table: `pie chart`, `box plot`, `plot of`. */
export function isOfDrawing(tokens: readonly { readonly word: string }[], at: number): boolean {
  const [before = '', word = '', after = ''] = [at - 1, at, at + 1].map((place) => tokens[place]?.word);
  if (/^(?:pie|bar|line|box|scatter|area|donut)$/.test(word)) return DRAWN.test(after);
  if (!/^plots?$/.test(word)) return /^(?:charts?|boxplots?|histograms?)$/.test(word);
  return at === 0 || after === 'of' || /^(?:box|scatter|line|bar)$/.test(before);
}

/** Numbers in words, from two on: `one` is too often no number. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, index) => [word, index + 2] as const),
  ...'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, 10 * (index + 2)] as const),
]);
export const FACTORS: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['k', 1000],
  ['thousand', 1000],
  ['grand', 1000],
  ['tsd', 1000],
  ['million', 1_000_000],
  ['millions', 1_000_000],
  ['mio', 1_000_000],
  ['m', 1_000_000],
  ['billion', 1_000_000_000],
]);
export const ORDINALS: ReadonlyMap<string, number> = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth'
    .split(' ')
    .flatMap((word, index) => [
      [word, index + 1] as const,
      [`${index + 1}${['st', 'nd', 'rd'][index] ?? 'th'}`, index + 1] as const,
    ]),
);

/** Words of degree: what they may be about, and which way they order it. */
export const DEGREES: ReadonlyMap<string, { readonly about: readonly string[]; readonly direction: 'asc' | 'desc' }> =
  new Map(
    (
      [
        ['desc', 'oldest eldest older', 'age birth founded year built date'],
        ['asc', 'youngest younger', 'age birth founded year built date'],
        ['asc', 'earliest earlier', 'date'],
        ['desc', 'latest newest recent recently newer', 'date'],
        ['desc', 'tallest taller highest', 'height'],
        ['asc', 'shortest shorter', 'length duration height'],
        ['desc', 'longest longer', 'length duration distance'],
        ['desc', 'heaviest heavier', 'weight'],
        ['asc', 'lightest lighter', 'weight'],
        ['desc', 'expensive priciest costliest dearest pricier', 'price cost fee amount'],
        ['asc', 'cheapest cheaper inexpensive', 'price cost fee amount'],
        ['desc', 'largest biggest larger bigger', 'size area population capacity amount quantity'],
        ['asc', 'smallest smaller', 'size area population capacity amount quantity'],
        ['desc', 'populous populated', 'population'],
        ['desc', 'fastest faster quickest', 'speed'],
        ['asc', 'fastest quickest', 'duration time'],
        ['asc', 'slowest slower', 'speed'],
        ['desc', 'richest wealthiest', 'income salary balance'],
        ['desc', 'furthest farthest', 'distance'],
        ['asc', 'closest nearest', 'distance'],
        ['desc', 'hottest warmest hotter warmer', 'temperature'],
        ['asc', 'coldest colder coolest', 'temperature'],
        ['desc', 'wettest rainiest', 'rain'],
        ['asc', 'driest', 'rain'],
        ['desc', 'windiest', 'wind'],
        ['desc', 'deepest', 'depth'],
        ['desc', 'strongest', 'strength magnitude'],
        ['desc', 'loudest noisiest', 'noise'],
        ['desc', 'widest', 'width'],
        ['desc', 'popular busiest', 'popularity visitors'],
        ['desc', 'best', 'score rating grade'],
        ['asc', 'worst', 'score rating grade'],
        ['desc', 'paid earning', 'salary'],
      ] as const
    ).flatMap(([direction, words, about]) =>
      words.split(' ').map((word) => [word, { about: about.split(' '), direction }] as const),
    ),
  );

/** Words for the days of the week: 1 for Monday to 7 for Sunday. */
export const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  'mon monday|tue tues tuesday|wed weds wednesday|thu thur thurs thursday|fri friday|sat saturday|sun sunday'
    .split('|')
    .flatMap((names, index) =>
      names.split(' ').flatMap((name) => [name, `${name}s`].map((word) => [word, index + 1] as const)),
    ),
);
/** Those that are written out. */
export const DAY_NAMES: readonly string[] = [...WEEKDAYS.keys()].filter((word) => /days?$/.test(word));

/** Words that have a meaning of their own wherever they stand. */
export const KNOWN_WORDS: ReadonlySet<string> = new Set([
  ...Object.values(CLASSES).flatMap((words) => [...words]),
  ...DEGREES.keys(),
  ...FACTORS.keys(),
  ...NUMBER_WORDS.keys(),
  ...ORDINALS.keys(),
  ...'hour hours hourly day days daily date week weeks weekly month months monthly quarter quarters quarterly year years yearly annual annually weekday weekdays weekend weekends today yesterday tomorrow last previous past this current next'.split(
    ' ',
  ),
  ...DAY_NAMES,
  ...'january february march april june july august september october november december'.split(' '),
]);
