/** What comes from a country, by the names and codes that tables write for the country. */
const COUNTRIES = `
  french: france, fra | english: england, eng | british: united kingdom, uk, great britain, britain, gbr
  american: united states, usa, us, united states of america | german: germany, ger, deu | dutch: netherlands, the netherlands, holland, ned, nld
  spanish: spain, esp | italian: italy, ita | portuguese: portugal, por, prt | swiss: switzerland, sui, che | austrian: austria, aut
  belgian: belgium, bel | danish: denmark, den, dnk | swedish: sweden, swe | norwegian: norway, nor | finnish: finland, fin
  icelandic: iceland, isl | irish: ireland, irl | scottish: scotland, sco | welsh: wales, wal | polish: poland, pol
  czech: czech republic, czechia, cze | slovak: slovakia, svk | hungarian: hungary, hun | romanian: romania, rou | bulgarian: bulgaria, bul, bgr
  greek: greece, gre, grc | turkish: turkey, turkiye, tur | russian: russia, russian federation, rus | ukrainian: ukraine, ukr
  croatian: croatia, cro, hrv | serbian: serbia, srb | slovenian: slovenia, slo, svn | estonian: estonia, est | latvian: latvia, lat, lva
  lithuanian: lithuania, ltu | japanese: japan, jpn | chinese: china, chn | korean: south korea, korea, republic of korea, kor
  taiwanese: taiwan, tpe, twn | vietnamese: vietnam, viet nam, vie, vnm | thai: thailand, tha | indian: india, ind | pakistani: pakistan, pak
  bangladeshi: bangladesh, ban, bgd | indonesian: indonesia, ina, idn | malaysian: malaysia, mas, mys | filipino: philippines, phi, phl
  iranian: iran, iri, irn | iraqi: iraq, irq | israeli: israel, isr | saudi: saudi arabia, ksa, sau | egyptian: egypt, egy
  moroccan: morocco, mar | tunisian: tunisia, tun | algerian: algeria, alg, dza | nigerian: nigeria, ngr, nga | kenyan: kenya, ken
  ethiopian: ethiopia, eth | ghanaian: ghana, gha | tanzanian: tanzania, tan, tza | canadian: canada, can | mexican: mexico, mex
  brazilian: brazil, bra | argentine: argentina, arg | argentinian: argentina, arg | chilean: chile, chi, chl | peruvian: peru, per
  colombian: colombia, col | cuban: cuba, cub | jamaican: jamaica, jam | australian: australia, aus | european: europe | asian: asia
  african: africa | northern: north | southern: south | eastern: east | western: west`;

const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  COUNTRIES.split(/[|\n]/).flatMap((entry) => {
    const [adjective, names] = entry.trim().split(': ');
    return adjective === undefined || names === undefined ? [] : [[adjective, names.split(', ')] as const];
  }),
);

/** The names of the place that an adjective speaks of: `french` of France. */
export function placesOf(adjective: string): readonly string[] {
  return NAMES.get(adjective) ?? [];
}
