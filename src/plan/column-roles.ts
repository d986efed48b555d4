import type { TableSemantics } from '../ports/table-semantics.js';
import { isNumeric, type ColumnProfile, type ColumnRole, type TableProfile } from '../ports/table.js';

/** What names of numbers say that name something: such values are no figures. */
const NAMING = wordSet(`
  id nr no code zip plz postcode postal phone telefon tel fax lat latitude lon lng longitude serial sku ean isbn iban uuid key matnr kdnr
`);
/** Only where nearly every row has another. */
const NUMBERING = wordSet('number num nummer numero');
const YEARS = wordSet('year jahr annee ano anno season vintage jahrgang baujahr founded built established');

/** What names of numbers say that tell how dear, strong, old or good something is, or how long it took to come: they are averaged. */
const AVERAGED = wordSet(`
  average avg mean median max maximum mittel mittelwert moy moyenne durchschnitt gemiddelde media promedio
  rate ratio quote quota percent percentage pct prozent proportion probability utilization utilisation auslastung occupancy turnout efficiency margin
  price preis preise stuckpreis einzelpreis kilopreis prix prezzo precio prijs ek vk tariff tarif
  score rating grade mark note gesamtnote zeugnisnote cijfer rapportcijfer beoordeling bewertung sterne star index csat nps gpa quality
  satisfaction zufriedenheit rank level pegel
  temp temperature temperatur lufttemp raumtemp humidity feuchte moist moisture pressure press druck wind windspeed vent speed velocity geschwindigkeit
  voltage spannung current power leistung pwr frequency frequenz vibration vib brightness
  elevation depth age alter leeftijd edad height hohe hauteur width breite diameter dia bore thickness hardness density dichte range
  salary gehalt salaire salario stipendio salaris sueldo bruttolohn
  delay verspatung retard latency lead wait waiting waited wartezeit attente response resp commute reistijd resolution expectancy
`);
/** Units that are quotients, percentages, degrees, strengths, or scales such as `1-5`. */
const AVERAGED_UNIT =
  /[%°]|[\p{L}\d€$£]\s?\/\s?(?!a\b)\p{L}|\/\s?\d|\b(?:pp[mb]|pm ?(?:2[. ]5|10)|m?bar|[hk]pa|psi|[kmg]?w|mmhg|bpm|rpm|db|hz|lux|mph|deg|celsius|fahrenheit|kelvin)\b|\b[01]\s?[-–]\s?\d{1,2}\b/u;
const COUNTING = wordSet('number count aantal anzahl nombre nb numero how');

/** A question or a statement of a survey, and where its scale ends. */
const SURVEY_WORDS = 4;
const SCALE_END = 10;

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** As it was decided with the import, or as its company says. */
export function roleOf(column: ColumnProfile, table: TableProfile): ColumnRole {
  return column.role ?? usualRole(column, table);
}

export function isFigure(role: ColumnRole | undefined): role is 'sum' | 'average' {
  return role === 'sum' || role === 'average';
}

/** Decides the roles of columns that have none yet: `before` is the profile of earlier rows; numbers go by what is `said` of them. */
export function withRoles(
  profile: TableProfile,
  before: TableProfile | null,
  said: readonly { readonly name: string; readonly role?: ColumnRole | undefined }[] = [],
): TableProfile {
  const decided = new Map(before?.columns.map((column) => [column.name, column]));
  const wanted = new Map(said.flatMap(({ name, role }) => (role === undefined ? [] : [[name, role]])));
  const columns = profile.columns.map((column) => {
    const known = decided.get(column.name);
    if (known?.type === column.type) return { ...column, role: roleOf(known, profile) };
    const role = isNumeric(column.type) ? wanted.get(column.name) : undefined;
    return { ...column, role: role ?? usualRole(column, profile) };
  });
  return { ...profile, columns };
}

/** What the company says of a column outweighs what was decided. */
export function withSaidRoles(profile: TableProfile, semantics: TableSemantics | null): TableProfile {
  const said = new Map(semantics?.columns.flatMap(({ name, role }) => (role === '' ? [] : [[name, role]])));
  if (said.size === 0) return profile;
  const columns = profile.columns.map((column) => ({
    ...column,
    role: said.get(column.name) ?? roleOf(column, profile),
  }));
  return { ...profile, columns };
}

/** By its name, with the unit in it, and by its values. Pure. */
function usualRole(column: ColumnProfile, table: TableProfile): ColumnRole {
  if (!isNumeric(column.type)) return '';
  const name = plainName(column.name);
  const words = name.match(/\p{L}+|\d+/gu) ?? [];
  if (isName(column, words, table)) return 'none';
  const isAveraged = AVERAGED_UNIT.test(name) || words.some((word) => has(AVERAGED, word));
  return isAveraged || isSurvey(column, words) ? 'average' : 'sum';
}

function isName(
  { name, min, max, distinct }: ColumnProfile,
  words: readonly string[],
  { metaField, timeField, rowCount }: TableProfile,
): boolean {
  if (name === metaField || name === timeField) return true;
  const ends = [words[0] ?? '', words.at(-1) ?? ''];
  if (has(NAMING, ends[1] ?? '')) return true;
  if (has(NUMBERING, ends[1] ?? '') && distinct > rowCount / 2) return true;
  return ends.some((word) => has(YEARS, word)) && Number(min) > 1500 && Number(max) < 2200;
}

function isSurvey({ min, max }: ColumnProfile, words: readonly string[]): boolean {
  const isScale = typeof min === 'number' && typeof max === 'number' && min >= 0 && max <= SCALE_END;
  return isScale && words.length >= SURVEY_WORDS && !has(COUNTING, words[0] ?? '');
}

/** In the singular too. */
function has(words: ReadonlySet<string>, word: string): boolean {
  return words.has(word) || (word.length > 3 && words.has(word.replace(/s$/, '')));
}

/** Lower case, without accents, `tempMax` and `temp_max` as two words. */
function plainName(name: string): string {
  return name
    .replace(/(\p{Ll})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll('_', ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
}
