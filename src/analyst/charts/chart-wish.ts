import type { ChartKind } from '../../ports/chart-renderer.js';

/** What a question says about its picture. */
export interface ChartWish {
  /** The kind that is asked for by name; `none`: words alone. */
  readonly kind: ChartKind | 'none' | null;
  /** It is about how the values of a column spread. */
  readonly distribution: boolean;
  /** A kind that was named and is not to be had, such as `box plot`. */
  readonly unknown: string | null;
  /** The kind was named for an answer before: where it does not fit any more, another is taken without a word. */
  readonly isKept?: true;
}

const PICTURE = '(?:charts?|plots?|graphs?|graf|diagramm?s?|diagramme)';

/** A kind by its words: `bar chart`, `bargraph`, `as bars`, `make it bars`, `bar pls`, `bars: sales by region`, `sales by region, bar`. */
function named(words: string): RegExp {
  const kind = `(?:${words})s?`;
  const article = '(?:an? |the )?(?:(?:horizontal|vertical|simple|plain) )?';
  const forms = [
    `\\b${kind}[ -]?${PICTURE}\\b`,
    `\\b(?:as|als|into) ${article}${kind}\\b`,
    `\\bin (?:an? (?:${words})|(?:${words})s)\\b`,
    `\\b(?:make|draw|plot|put|turn|chart)(?: (?:me|it|that|this|them|in|into))* ${article}${kind}\\b(?![ -]?\\d)`,
    `\\b${kind} (?:pls|plz|please|bitte|instead|view)\\b`,
    `^${article}${kind}:`,
    `(?:^|[,;:(–-] ?)${article}${kind}[.!?)]*$`,
  ];
  return new RegExp(forms.join('|'));
}

/** In the order in which they are looked for: a stacked bar chart is no plain one. */
const KINDS: readonly (readonly [RegExp, Exclude<ChartWish['kind'], null>])[] = [
  [
    new RegExp(
      `\\b(?:no|without|w/o|kein|ohne) (?:an?y? )?(?:${PICTURE}|pictures?)\\b|\\bas (?:a )?table\\b|\\b(?:just|only) the (?:numbers?|figures?)\\b|\\b(?:numbers?|figures?) only\\b`,
    ),
    'none',
  ],
  [/\bhisto(?:gr\w*)?\b|\bhistgram\w*/, 'histogram'],
  [/\bscatter\w*|\bstreudiagramm\w*|\bxy[ -]?(?:chart|plot)\b/, 'scatter'],
  [/\bheat ?-?map\w*/, 'heatmap'],
  [/\bstacked\b|\bstack(?:ed)? ?-?(?:bar|column)s?\b|\bgestapelt\w*/, 'stacked_bar'],
  [/\b(?:grouped|clustered|side[ -]by[ -]side) ?-?(?:bar|column)s?\b/, 'grouped_bar'],
  [named('pie|donut|doughnut|ring|kreis|torten|kuchen'), 'pie'],
  [/^(?:an? )?(?:pie|donut)\b/, 'pie'],
  [named('area|fl[äa]chen'), 'area'],
  [named('line|linien?|trend ?line'), 'line'],
  [/^bars (?:of|with|by)\b/, 'bar'],
  [named('bar|column|balken|s[äa]ulen|saeulen'), 'bar'],
];
const UNKNOWN = new RegExp(
  `\\b(?:box(?:[ -]and[ -]whiskers?)?|whisker|violin|radar|spider|bubble|funnel|gauge|waterfall|candlestick|gantt|pareto|sunburst|map|tree|sankey) ?-?${PICTURE}\\b|\\btree ?maps?\\b|\\bsankey\\b|\\bas (?:an? )?(?:map|gauge|funnel)\\b`,
);
const DISTRIBUTION = /\bdistribut(?:ion|ions|ed)\b|\bspread (?:of|out)\b|\bverteilung\b/;

/** The words that name a kind of chart; empty where none does. */
export function chartWords(question: string): string {
  const asked = readable(question);
  return KINDS.flatMap(([words]) => words.exec(asked)?.[0] ?? []).join(' ');
}

function readable(question: string): string {
  return question.slice(0, 2000).toLowerCase().trim();
}

export function chartWishOf(question: string): ChartWish {
  const asked = readable(question);
  const unknown = UNKNOWN.exec(asked)?.[0].replace(/^as (?:an? )?/, '') ?? null;
  const kind = unknown === null ? (KINDS.find(([words]) => words.test(asked))?.[1] ?? null) : null;
  return { kind, distribution: kind === 'histogram' || DISTRIBUTION.test(asked), unknown };
}

/** What may stand beside the name of a kind, or how to round, where nothing else is asked for. */
const BESIDE = new Set(
  `a an the and it that this them these those of as in into to make show draw plot chart graph picture give me us i want would like see have
  please pls plz now instead again can could you same but just view turn put use better rather ok no horizontal vertical round rounded everything all bitte`.split(
    /\s+/,
  ),
);

/** Whether a message says nothing but how something is to be shown, if it says that. */
export function isOfShowingAlone(message: string): boolean {
  const rest = [UNKNOWN, ...KINDS.map(([words]) => words)].reduce(
    (text, words) => text.replace(words, ' '),
    readable(message),
  );
  return rest.split(/[^\p{L}]+/u).every((word) => word === '' || BESIDE.has(word));
}
