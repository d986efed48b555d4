import { times, type BenchTable, type TableCell } from '../bench-table.js';
import { dayAfter, minuteAfter, rounded, type Random } from '../random.js';

const GIVEN = ['Ari', 'Bo', 'Cem', 'Dario', 'Eero', 'Filip', 'Goran', 'Henk', 'Iker', 'Jalen', 'Kofi', 'Luca'];
const FAMILY = ['Abbott', 'Bakker', 'Cruz', 'Demir', 'Ekholm', 'Ferro', 'Gibbs', 'Horvat', 'Ilves', 'Jonsson'];
const SIZE = { G: 189, F: 202, C: 211 } as const;

function player(random: Random, index: number): TableCell[] {
  const position = random.pick(['G', 'F', 'C'] as const, 1.2);
  const height = random.normal(SIZE[position], 4, 0);
  const games = random.int(18, 34);
  const minutes = Math.min(36, Math.max(5, random.normal(20, 7, 1)));
  return [
    `${GIVEN[index % 12] ?? ''} ${FAMILY[Math.floor(index / 12)] ?? ''}`,
    ['OSL', 'GDA', 'BRN', 'TRN', 'NAN', 'LJU'][index % 6] ?? '',
    position,
    random.int(19, 37),
    height,
    games,
    minutes,
    Math.max(0.4, rounded(minutes * 0.52 + random.normal(0, 2.6, 3), 1)),
    Math.max(0.2, rounded(minutes * 0.12 + (height - 198) * 0.14 + random.normal(1.6, 1, 3), 1)),
    Math.max(0, rounded(minutes * 0.1 - (height - 198) * 0.08 + random.normal(0.4, 0.8, 3), 1)),
    random.maybe(random.normal(position === 'C' ? 66 : 78, 8, 1), 0.07),
    random.chance(0.35),
    random.chance(0.17) ? 1 : 0,
  ];
}

export const PLAYERS: BenchTable = {
  name: 'basketball season',
  timeField: null,
  metaField: 'player',
  columns: {
    ...{ player: 'VARCHAR', tm: 'VARCHAR', pos: 'VARCHAR', age: 'BIGINT', height_cm: 'BIGINT', gp: 'BIGINT' },
    ...{ mpg: 'DOUBLE', ppg: 'DOUBLE', rpg: 'DOUBLE', apg: 'DOUBLE', ft_pct: 'DOUBLE', foreigner: 'BOOLEAN' },
    allstar: 'BIGINT',
  },
  rows: (random) => times(120, (index) => player(random, index)),
};

const NICKS = ['zappo', 'MissPixel', 'kraken77', 'oaktree', 'NoScopeNed', 'lunaCat', 'turbo_tim', 'quietfox'];
const GAMES = ['Sky Harbour', 'Goblin Kart', 'Deep Vault', 'Frost Arena'];

function session(random: Random, index: number): TableCell[] {
  const game = random.pick(GAMES, 1.2);
  const minutes = random.skewed(38, 0.6, 0) + 2;
  const isWon = random.chance(game === 'Goblin Kart' ? 0.58 : 0.41);
  return [
    index + 1,
    random.pick(NICKS, 1.25),
    game,
    random.pick(['PC', 'console', 'phone'], 1.2),
    minuteAfter('2024-09-02T07:10', index * 163 + random.int(0, 140)),
    minutes,
    Math.round(minutes * 21 + (isWon ? 190 : 0) + random.normal(120, 130, 1)),
    random.pick([0, 0, 1, 2, 3, 5, 8]),
    isWon,
    random.maybe(random.pick(['great', 'okay', 'laggy', 'boring'], 1.3), 0.38),
    random.chance(0.13) ? rounded(random.pick([0.99, 2.99, 4.99, 9.99], 1.3), 2) : 0,
  ];
}

export const SESSIONS: BenchTable = {
  name: 'gameSessions',
  timeField: 'startedAt',
  metaField: 'sessionId',
  columns: {
    ...{ sessionId: 'BIGINT', nickname: 'VARCHAR', game: 'VARCHAR', platform: 'VARCHAR', startedAt: 'TIMESTAMP' },
    ...{ minutesPlayed: 'BIGINT', score: 'BIGINT', crashes: 'BIGINT', won: 'BOOLEAN', mood: 'VARCHAR' },
    moneySpent: 'DOUBLE',
  },
  rows: (random) => times(260, (index) => session(random, index)),
};

const FLOWERS = [
  ['acacia', 3.9, 0.18],
  ['lime', 4.4, 0.55],
  ['chestnut', 5.1, 1.2],
  ['heather', 4.5, 0.75],
] as const;

function honey(random: Random, index: number): TableCell[] {
  const [flower, acidity, conductivity] = random.pick(FLOWERS, 1.1);
  const water = random.normal(17.6, 1.1, 1);
  return [
    `H-${String(index + 1).padStart(2, '0')}`,
    flower,
    random.pick(['Karst', 'Lowlands', 'Pohorje'], 1.2),
    random.int(2019, 2023),
    water,
    random.maybe(random.normal(acidity, 0.22, 2), 0.09),
    Math.max(0.08, random.normal(conductivity, 0.12, 2)),
    random.maybe(random.skewed(9, 0.6, 1), 0.12),
    water <= 18 ? random.pick(['I', 'I', 'II']) : random.pick(['II', 'III']),
    random.pick(['yes', 'no'], 0.6),
    random.normal(11.5, 2.2, 2),
  ];
}

export const HONEYS: BenchTable = {
  name: 'Honey lab',
  timeField: null,
  metaField: 'Sample',
  columns: {
    ...{ Sample: 'VARCHAR', Flower: 'VARCHAR', Area: 'VARCHAR', 'Harvest year': 'BIGINT', 'Moisture %': 'DOUBLE' },
    ...{ pH: 'DOUBLE', 'Conductivity mS/cm': 'DOUBLE', 'HMF mg/kg': 'DOUBLE', Grade: 'VARCHAR', Organic: 'VARCHAR' },
    'Price per kg': 'DOUBLE',
  },
  missing: 'NaN',
  rows: (random) => times(90, (index) => honey(random, index)),
};

const SHOPS = ['007', '012', '031', '045'];
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

function bakeryDay(random: Random, index: number): TableCell[] {
  const [day, shop] = [Math.floor(index / 4), index % 4];
  const temperature = random.normal(12 + day / 7, 3.4, 1);
  const isWet = random.chance(0.32);
  const weekend = day % 7 > 4 ? 1.35 : 1;
  const bread = Math.round((96 + shop * 17) * weekend * (isWet ? 0.9 : 1) + random.normal(0, 11, 2));
  const pastry = Math.round((70 + shop * 9) * weekend - temperature * 0.8 + random.normal(0, 10, 2));
  return [
    dayAfter('2024-04-01', day),
    SHOPS[shop] ?? '',
    WEEKDAYS[day % 7] ?? '',
    bread,
    pastry,
    random.maybe(random.int(0, 19), 0.09),
    rounded(bread * 4.1 + pastry * 2.6 + random.normal(0, 22, 3), 2),
    temperature,
    isWet ? 'wet' : 'dry',
    random.chance(0.15) ? 1 : 0,
  ];
}

export const BAKERY_DAYS: BenchTable = {
  name: 'bakery takings',
  timeField: 'sales_day',
  metaField: 'shop_code',
  columns: {
    ...{ sales_day: 'DATE', shop_code: 'VARCHAR', weekday: 'VARCHAR', loaves_sold: 'BIGINT', pastries_sold: 'BIGINT' },
    ...{ loaves_thrown_away: 'BIGINT', takings: 'DOUBLE', temp_c: 'DOUBLE', weather: 'VARCHAR', promo: 'BIGINT' },
  },
  rows: (random) => times(280, (index) => bakeryDay(random, index)),
};

const HUTS = ['Adlerhorn', 'Birkenalp', 'Corvatsch', 'Dreispitz', 'Eiskar', 'Felsental', 'Gamsboden', 'Hochwang'];

function hut(random: Random, index: number): TableCell[] {
  const altitude = Math.round(random.normal(2150, 380, 1) / 5) * 5;
  const isStaffed = random.chance(0.7);
  const name = `${HUTS[index % 8] ?? ''} ${['Hut', 'Refuge', 'Bivouac', 'Shelter', 'House', 'Cabin'][Math.floor(index / 8)] ?? ''}`;
  return [
    name,
    random.pick(['Silvretta', 'Rätikon', 'Albula', 'Bernina'], 1.1),
    altitude,
    isStaffed ? random.int(24, 130) : random.int(6, 20),
    random.int(1882, 2016),
    isStaffed,
    random.maybe(rounded((isStaffed ? 34 : 14) + (altitude - 2000) / 120 + random.normal(0, 4, 2), 0), 0.12),
    random.maybe(rounded(Math.max(0.75, (altitude - 900) / 420 + random.normal(0, 0.6, 2)), 2), 0.05),
    random.pick(['none needed', 'T2', 'T3', 'T4'], 0.8),
    random.int(60, 4200),
  ];
}

export const HUTS_OF_THE_ALPS: BenchTable = {
  name: 'mountain huts',
  timeField: null,
  metaField: 'hut',
  columns: {
    ...{ hut: 'VARCHAR', range: 'VARCHAR', 'altitude / m': 'BIGINT', beds: 'BIGINT', 'built in': 'BIGINT' },
    ...{ staffed: 'BOOLEAN', 'night / CHF': 'BIGINT', 'walk-in / h': 'DOUBLE', 'path grade': 'VARCHAR' },
    'guests last season': 'BIGINT',
  },
  rows: (random) => times(46, (index) => hut(random, index)),
};
