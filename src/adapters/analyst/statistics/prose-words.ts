import { stem } from '../text.js';

/**
 * Words of task descriptions that choose no rows and no figure: what is to be done, by what means, how it is to be told. A word that could
 * be a condition must not be here.
 */
const PROSE = new Set(
  [
    'calculate compute determine evaluate assess analyze analyse analysis examine investigate investigation explore perform',
    'conduct run carry apply check verify identify detect report provide provided present produce return output obtain derive',
    'estimate measure quantify summarize test study consider considering using based according given giving following finding',
    'fit fitting build construct task question answer questions exercise problem goal objective aim purpose step result',
    'interpret state state discuss comment decide conclude write print tell answering working work solve help',
    'relationship relation strength direction degree extent nature behaviour behavior pattern association',
    'statistical statistic statistics coefficient measure metric method approach technique procedure rule formula calculation',
    'dataset data table file csv sheet spreadsheet dataframe frame column field variable feature attribute',
    'entry observation sample record row cell point recording distribution numeric numerical continuous quantitative categorical',
    'available relevant corresponding respective overall simple basic standard exact correct final single original',
    'observed listed stored contained described mentioned specified stated named titled labeled labelled called',
    'please kindly briefly clearly simply directly respectively together first firstly second secondly next then finally lastly also',
    'therefore hence thus accordingly whether if any hypothesis conclusion evidence exist exists statistically',
    'namely assume assuming assumed alone solely exclusively just restrict restricted restricting quantify pair treat treating define defined definition mean refer refers represent represents indicate indicates',
    'choose select pick take taking look looking like would could should might will shall must may',
    'there which their everyone someone something anyone person i im id we our my us you your me',
    'across between both either each within respect regard regarding concerning terms term about through via',
    'value values level levels number numbers amount figure figures count counts range unit units score',
    'round rounded rounding decimal decimals place places digit digits significant integer whole format nearest',
    'two three four groups group categories category classes class types type kinds kind different',
    'use used uses useful need needed needs want wanted interested interest curious know learn understand',
    'necessary required require requires ensure sure make making keep correctly properly careful carefully',
    'default conventional usual common commonly typical ordinary equal width size sized',
    'population individuals statistics significance threshold cutoff criterion level detection detected identified',
    'assumption independent dependent explanatory response predictor target outcome input',
    'impact effect influence depend depends affect affects explain explains explained model models',
    'strongly closely highly strong weak positive negative linear monotonic well how much',
    'bin among amongst divide split cut partition discretize discretise categorize categorise convert transform rescale classify put sort end',
    'fall falls lie lies holds hold quote quoted judged people persons individuals subjects participants respondents items objects animals tested corresponds',
    'grams gram euros dollars pounds metres meters litres kilograms kilometres celsius fahrenheit hours minutes seconds days years months percent',
    'adhere adheres follow follows conform conforms deviate deviates judge decide',
    'create add adding generate introduce add new additional extra derived engineered called',
    'hello hi dear thanks thank hey greetings regards advance sorry',
    'its it this that these those them they one ones same other others',
    'account accounts looked',
    'scale scaling yourself ourselves form formula version afterwards',
    'imputation imputing filling transformation replacement procedure again anew',
    'actual actually really just only basically currently simply quickly roughly approximately exactly',
  ]
    .join(' ')
    .split(/\s+/)
    .map(stem),
);

/** Meaning-bearing elsewhere in the grammar, so they are left to it. */
const KEPT = new Set(
  'days years months hours minutes seconds percent between across each first second only two three four mean count counts range different group groups categories whole number numbers last significant same other within by per sample population'
    .split(' ')
    .map(stem),
);

/** Whether a word belongs to the description of a task and says nothing about rows or figures. */
export function isProse(word: string): boolean {
  const key = stem(word);
  return PROSE.has(key) && !KEPT.has(key);
}

/** Heads of phrases that speak of the table as a whole: `in this data set of …`. */
const WHOLE = new Set(
  'dataset data table file csv sheet spreadsheet study survey analysis experiment report project course database collection records dataframe research'
    .split(' ')
    .map(stem),
);

export function isWhole(word: string): boolean {
  return WHOLE.has(stem(word));
}

/** Words that begin a condition; what follows them and nobody read could change the figure. */
export function isRestrictive(word: string): boolean {
  return /^(where|with|for|in|of|among|amongst|from|whose|who|that|which|only|excluding|exclude|without|not|no|never|near|at|on|during|under|over|if|when|after|before|between|by|per|except|unless|until|since|while|against|inside|outside|above|below|more|less|than)$/.test(
    word,
  );
}
