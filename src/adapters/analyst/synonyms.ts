import type { Hint } from './column-facts.js';
import { stem } from './text.js';

/** Words for the same thing in tables of many trades. A name in the table always comes before a word from here. */
const SAME_THINGS: readonly (readonly string[])[] = [
  ['temp', 'temperature'],
  ['precipitation', 'rain', 'rainfall', 'precip'],
  ['revenue', 'sales', 'turnover', 'income'],
  ['quantity', 'qty'],
  ['salary', 'pay', 'wage', 'compensation', 'earnings'],
  ['age', 'ages'],
  ['employee', 'staff', 'person', 'people', 'worker'],
  ['population', 'pop', 'inhabitant', 'resident'],
  ['film', 'movie'],
  ['student', 'pupil', 'enrolled'],
  ['duration', 'length', 'runtime'],
  ['song', 'track'],
  ['flat', 'apartment'],
  ['store', 'shop', 'outlet'],
  ['match', 'game', 'fixture'],
  ['ship', 'vessel', 'boat'],
  ['doctor', 'physician'],
  ['painting', 'artwork'],
  ['stadium', 'ground', 'arena'],
  ['country', 'nation'],
  ['aircraft', 'plane', 'airplane'],
  ['lecturer', 'teacher', 'instructor', 'professor'],
  ['disk', 'storage'],
  ['artist', 'singer', 'musician', 'performer'],
  ['company', 'firm'],
  ['maker', 'manufacturer', 'brand', 'make'],
  ['supplier', 'vendor'],
  ['attendance', 'spectator'],
  ['nationality', 'citizenship'],
  ['car', 'vehicle', 'automobile'],
  ['animal', 'pet'],
  ['language', 'lang'],
  ['color', 'colour'],
  ['job', 'position', 'occupation', 'profession'],
  ['elevation', 'altitude'],
  ['owner', 'holder'],
  ['abbreviation', 'abbr'],
  ['nickname', 'alias'],
  ['product', 'item', 'article'],
  ['customer', 'client', 'buyer'],
  ['airline', 'carrier'],
  ['cpu', 'processor'],
  ['memory', 'ram'],
  ['response', 'latency', 'duration'],
  ['request', 'hits', 'traffic'],
  ['error', 'failure'],
  ['department', 'dept', 'team', 'division'],
  ['location', 'city', 'place', 'site', 'station'],
  ['category', 'type', 'kind'],
  ['host', 'server', 'machine', 'node'],
  ['region', 'zone', 'area'],
  ['speed', 'velocity'],
  ['gender', 'sex'],
  ['horsepower', 'hp', 'power'],
  ['weight', 'mass'],
  ['service', 'tenure', 'seniority'],
  ['max', 'maximum'],
  ['min', 'minimum'],
];

const GROUP_OF = new Map<string, readonly string[]>();
for (const group of SAME_THINGS) {
  for (const word of group)
    GROUP_OF.set(stem(word), [...new Set([...(GROUP_OF.get(stem(word)) ?? []), ...group.map(stem)])]);
}

/** Stems of the words that mean the same, the word itself among them. */
export function synonymsOf(wordStem: string): readonly string[] {
  return GROUP_OF.get(wordStem) ?? [wordStem];
}

export const SYNONYM_WORDS: readonly string[] = SAME_THINGS.flat();

const much = (...words: readonly string[]): readonly Hint[] =>
  words.map((word) => ({ word: stem(word), direction: 'desc' }));
const little = (...words: readonly string[]): readonly Hint[] =>
  words.map((word) => ({ word: stem(word), direction: 'asc' }));

/** An adjective in its forms, and the columns it speaks of. */
export interface Adjective {
  readonly positive: string;
  readonly comparative: string;
  readonly superlative: string;
  readonly hints: readonly Hint[];
}

function adjective(forms: string, hints: readonly Hint[]): Adjective {
  const [positive = '', comparative = '', superlative = ''] = forms.split('/');
  return { positive, comparative, superlative, hints };
}

/** Only where it is plain what is meant: `best` and `worst` are not here. */
export const ADJECTIVES: readonly Adjective[] = [
  adjective('hot/hotter/hottest', much('temperature')),
  adjective('warm/warmer/warmest', much('temperature')),
  adjective('cold/colder/coldest', little('temperature')),
  adjective('cool/cooler/coolest', little('temperature')),
  adjective('wet/wetter/wettest', much('precipitation')),
  adjective('rainy/rainier/rainiest', much('precipitation')),
  adjective('dry/drier/driest', little('precipitation')),
  adjective('windy/windier/windiest', much('wind')),
  adjective('humid/more humid/most humid', much('humidity')),
  adjective('expensive/more expensive/most expensive', much('price', 'cost', 'rent', 'fee', 'fare')),
  adjective('costly/costlier/costliest', much('cost', 'price')),
  adjective('pricey/pricier/priciest', much('price', 'cost')),
  adjective('dear/dearer/dearest', much('price', 'cost', 'rent', 'fee', 'fare')),
  adjective('cheap/cheaper/cheapest', little('price', 'cost', 'rent', 'fee', 'fare')),
  adjective('old/older/oldest', [...much('age'), ...little('birth', 'born', 'built', 'founded', 'year')]),
  adjective('young/younger/youngest', [...little('age'), ...much('birth', 'born')]),
  adjective('slow/slower/slowest', [...much('response', 'latency', 'elapsed'), ...little('speed')]),
  adjective('fast/faster/fastest', [...little('response', 'latency', 'elapsed'), ...much('speed')]),
  adjective('quick/quicker/quickest', [...little('response', 'latency', 'elapsed'), ...much('speed')]),
  adjective('heavy/heavier/heaviest', much('weight')),
  adjective('light/lighter/lightest', little('weight')),
  adjective('tall/taller/tallest', much('height', 'elevation')),
  adjective(
    'long/longer/longest',
    much('duration', 'length', 'runtime', 'response', 'distance', 'stay', 'minutes', 'hours', 'days'),
  ),
  adjective(
    'short/shorter/shortest',
    little('duration', 'length', 'runtime', 'response', 'height', 'distance', 'stay', 'minutes', 'hours', 'days'),
  ),
  adjective('busy/busier/busiest', much('requests', 'visitors', 'visits', 'passengers')),
  adjective('powerful/more powerful/most powerful', much('horsepower')),
  adjective('profitable/more profitable/most profitable', much('profit')),
  adjective('rich/richer/richest', much('worth', 'wealth', 'income', 'balance', 'assets')),
  adjective('wealthy/wealthier/wealthiest', much('worth', 'wealth', 'income')),
  adjective('populous/more populous/most populous', much('population')),
  adjective('populated/more populated/most populated', much('population')),
  adjective('crowded/more crowded/most crowded', much('attendance', 'occupancy')),
  adjective('attended/better attended/best attended', much('attendance')),
  adjective('attended/more attended/most attended', much('attendance')),
  adjective('rated/higher rated/highest rated', much('rating', 'score')),
  adjective('rated/better rated/best rated', much('rating', 'score')),
  adjective('rated/higher rated/top rated', much('rating', 'score')),
  adjective('badly rated/lower rated/lowest rated', little('rating', 'score')),
  adjective('badly rated/worse rated/worst rated', little('rating', 'score')),
  adjective('badly paid/lower paid/lowest paid', little('salary')),
  adjective('badly paid/worse paid/worst paid', little('salary')),
  adjective('highly priced/higher priced/highest priced', much('price', 'cost')),
  adjective('lowly priced/lower priced/lowest priced', little('price', 'cost')),
  adjective('far/farther/farthest', much('distance')),
  adjective('far/further/furthest', much('distance')),
  adjective('near/nearer/nearest', little('distance')),
  adjective('close/closer/closest', little('distance')),
  adjective('deep/deeper/deepest', much('depth')),
  adjective('shallow/shallower/shallowest', little('depth')),
  adjective('strong/stronger/strongest', much('magnitude', 'mag', 'strength', 'force', 'intensity')),
  adjective('weak/weaker/weakest', little('magnitude', 'mag', 'strength', 'force', 'intensity')),
  adjective('clear/clearer/clearest', much('visibility', 'transparency', 'clarity', 'secchi')),
  adjective('bright/brighter/brightest', much('brightness')),
  adjective('thick/thicker/thickest', much('thickness')),
  adjective('thin/thinner/thinnest', little('thickness')),
  adjective('hard/harder/hardest', much('hardness', 'difficulty')),
  adjective('dense/denser/densest', much('density')),
  adjective('steep/steeper/steepest', much('slope', 'gradient', 'steepness')),
  adjective('sour/sourer/sourest', little('ph')),
  adjective('acidic/more acidic/most acidic', [...much('acidity'), ...little('ph')]),
  adjective('delayed/more delayed/most delayed', much('delay')),
  adjective('experienced/more experienced/most experienced', much('experience', 'seniority', 'tenure')),
  adjective('spacious/more spacious/most spacious', much('area', 'size')),
  adjective('roomy/roomier/roomiest', much('area', 'size')),
  adjective('productive/more productive/most productive', much('output', 'production', 'yield')),
  adjective('polluted/more polluted/most polluted', much('pollution', 'pm')),
  adjective('severe/more severe/most severe', much('severity')),
  adjective('risky/riskier/riskiest', much('risk')),
  adjective('wide/wider/widest', much('width')),
  adjective('loud/louder/loudest', much('volume', 'noise', 'loudness')),
  adjective('highly paid/better paid/highest paid', much('salary')),
  adjective('well paid/better paid/best paid', much('salary')),
  adjective('best selling/better selling/best selling', much('quantity')),
  adjective('top selling/better selling/top selling', much('quantity')),
];

/** Words for persons, and the values that stand for them. */
export const VALUE_ALIASES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    women: ['female', 'f', 'woman', 'w'],
    woman: ['female', 'f', 'w'],
    men: ['male', 'm', 'man'],
    man: ['male', 'm'],
    female: ['f', 'w', 'woman'],
    females: ['female', 'f', 'w', 'woman'],
    male: ['m', 'man'],
    males: ['male', 'm', 'man'],
    girls: ['girl', 'female', 'f', 'w'],
    girl: ['female', 'f', 'w'],
    boys: ['boy', 'male', 'm'],
    boy: ['male', 'm'],
  }),
);
