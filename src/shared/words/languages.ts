/**
 * Words that only hold sentences together, by languages whose names are those of their Snowball algorithms. They tell languages apart and
 * mean nothing to a search.
 */
const FUNCTION_WORDS = {
  english: `a about am an and any are as at be because been being but by can could did do does doing for from get had has have
    having he her here hers him his how i if in into is isn it its just let me might mine must my no nor not of off on or our ours out
    please shall she should so some such tell than that the their theirs them then there these they this those to too under up us very
    was we were what when where which while who whom whose why will with would you your yours s t don doesn didn ll re ve`,
  german: `aber als am an auch auf aus bei beim bin bis bist da damit das dass dein dem den denn der des die dies diese dieser dieses du
    durch ein eine einem einen einer eines er es für hat habe haben ich ihr ihre im in ist ja kann kein keine mein mit muss nach nicht
    noch nur ob oder ohne sein seine sich sie sind so über um und uns unter vom von vor war was welche welcher welches wenn wer werden
    wie wir wird wo zu zum zur`,
  french: `à ai au aux avec avez avons ce ces cette comment dans de des dont du elle elles en est et être eu il ils je l la le les leur
    leurs lui ma mais me mes moi mon ne nos notre nous on ont ou où par pas pour qu quand que quel quelle quelles quels qui sa sans se
    ses si son sont sur ta te tes toi ton tu un une vos votre vous d j n s c m y été cet`,
  spanish: `al algo como con cual cuál cuando cuándo cuánto de del desde donde dónde el él ella ellos en entre era es esa ese eso esta
    está están este esto fue ha han hay la las le les lo los más me mi mis muy no nos o para pero por porque qué que quién se ser si sin
    sobre son su sus también te tiene tu un una uno y ya cómo`,
  italian: `ai al alla alle anche c che chi ci come con cosa cui da dal dalla dei del della delle dello di dove e è ed era gli ha hanno
    ho i il in io l la le lo loro ma mi nei nel nella non o ogni per perché più può quale quali quando quanto questa questo se si sono
    su sua sui sul sulla suo tra un una uno`,
  portuguese: `a ao aos as com como da das de do dos e é ela ele em entre era essa esse esta está este eu foi há isso isto já lhe mais
    mas me meu minha muito na não nas no nos o os ou para pela pelo por porque qual quando quanto que quem são se sem ser seu sua também
    tem um uma você`,
  dutch: `aan als bij dat de deze die dit doen door dus een en er geen had heb hebben heeft het hij hoe ik in is ja je kan maar me met
    mijn moet na naar niet nog nu of om onder ons ook op over te tot u uit van veel voor waar wanneer was wat we welke werd wie wij worden
    wordt zij zijn zo`,
  swedish: `alla än är att av bara blev då de dem den denna det dessa detta dig din du efter en ett för från ha han har hon hur i ingen
    inte jag kan man med men mig min mot när ni och om oss på så sig sin ska skall som till under upp ut vad var vem vi vid vilka vilken`,
  danish: `af alle at blev da de dem den denne der deres det dette dig din disse du efter eller en er et for fra ham han har hun hvad
    hvem hvor hvordan hvornår i ikke jeg kan med men mig min når og også om op os på sig skal som til ud var ved vi vil være`,
  norwegian: `av alle at ble da de dem den denne der deres det dette deg din disse du eller en er et etter for fra ham han har hun hva
    hvem hvor hvordan når i ikke jeg kan med men meg min og også om opp oss på seg skal som til ut var ved vi vil være`,
  finnish: `ei eivät en että he hän ja jo joka jos jotka kuin kuka kun me mikä milloin minä missä miten mitä mukaan mutta myös ne niin
    nyt oli olla on ovat saa se sekä sen sinä tai tämä te voi vain`,
  czech: `a aby ale ani až bude by byl být co do ho i já jak jako je jeho její jen jsem jsou k kde kdo kdy když která které který lze má
    mezi může na nebo není o od po pod podle pro proč při s se si tak také tato tento to u v ve však z za ze že`,
  hungarian: `a az egy és ha hogy hol is ki kell lehet le meg mely mert mi mikor milyen még nem nincs ő sem szerint után van vagy volt`,
  romanian: `a ai al ale am ar are ca care ce cea cei cel cine cu cum că când de din dintre după el este eu fi fost în la lor lui mai nu o
    pe pentru prin sau se sunt să un una unde unei unui și`,
  turkish: `ama bir bu çok da daha de değil diye en gibi hangi her için ile ise kadar ki kim mi mu mı nasıl ne neden nerede olan olarak
    oldu olur sonra şu ve veya ya`,
  russian: `а без бы был была были быть в вам вас во вот все вы где да для до его ее если есть же за и из или им их к как какая какие
    какой когда который кто ли мне может мы на над не него нет ни но о об он она они от по под при с со так такой там то того только у уже
    что чтобы это этот я`,
};

export type Language = keyof typeof FUNCTION_WORDS;

/** Languages that are stemmed by rules of their own. */
export const LANGUAGES = Object.keys(FUNCTION_WORDS) as readonly Language[];

const NONE: readonly Language[] = [];

function languagesByWord(): ReadonlyMap<string, readonly Language[]> {
  const found = new Map<string, Language[]>();
  for (const language of LANGUAGES) {
    for (const word of new Set(FUNCTION_WORDS[language].split(/\s+/u))) {
      found.set(word, [...(found.get(word) ?? NONE), language]);
    }
  }
  return found;
}

const BY_WORD = languagesByWord();

/** Whether a lower-case word is a function word of one of these languages. */
export function isFunctionWord(word: string, languages: Iterable<Language>): boolean {
  const owners = BY_WORD.get(word);
  if (owners === undefined) return false;
  for (const language of languages) if (owners.includes(language)) return true;
  return false;
}

/** How many words tell enough. */
const SAMPLE = 400;
const CYRILLIC = /^\p{Script=Cyrillic}/u;

/** The language of lower-case words by the function words among them; English when nothing tells. */
export function languageOf(words: readonly string[]): Language {
  const sample = words.slice(0, SAMPLE);
  if (sample.filter((word) => CYRILLIC.test(word)).length * 2 > sample.length) return 'russian';
  const votes = votesOf(sample);
  return LANGUAGES.reduce((best, one) => ((votes.get(one) ?? 0) > (votes.get(best) ?? 0) ? one : best));
}

function votesOf(words: readonly string[]): ReadonlyMap<Language, number> {
  const votes = new Map<Language, number>();
  for (const word of words) {
    // A word that many languages share says less of each.
    const owners = BY_WORD.get(word) ?? NONE;
    for (const owner of owners) votes.set(owner, (votes.get(owner) ?? 0) + 1 / owners.length);
  }
  return votes;
}
