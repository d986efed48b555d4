import { times, type BenchTable } from '../bench-table.js';
import { dayAfter, minuteAfter, rounded, type Random } from '../random.js';

const TEAMS = [
  'Rovers',
  'Athletic',
  'Wanderers',
  'Dynamo',
  'Harriers',
  'Albion',
  'Rangers',
  'Corinthian',
  'Olympic',
  'Vale',
];
const GROUNDS = TEAMS.map((team, index) => `${team} ${index % 2 === 0 ? 'Park' : 'Arena'}`);

function match(random: Random, index: number): (string | number | null)[] {
  const [home, away] = [index % 10, (index + 1 + (Math.floor(index / 10) % 9)) % 10];
  return [
    Math.floor(index / 5) + 1,
    dayAfter('2023-08-12', Math.floor(index / 5) * 7),
    TEAMS[home] ?? '',
    TEAMS[away] ?? '',
    random.pick([0, 1, 1, 2, 2, 3, 4], 1.2),
    random.pick([0, 0, 1, 1, 2, 3], 1.2),
    random.maybe(random.normal(14_500 + home * 900, 2600, 0), 0.04),
    random.pick(['T. Beck', 'M. Osei', 'R. Lund', 'P. Garnier'], 1.2),
    GROUNDS[home] ?? '',
  ];
}

export const MATCHES: BenchTable = {
  name: 'leagueMatches',
  timeField: 'matchDate',
  metaField: 'homeTeam',
  columns: {
    ...{ matchRound: 'BIGINT', matchDate: 'DATE', homeTeam: 'VARCHAR', awayTeam: 'VARCHAR', homeGoals: 'BIGINT' },
    ...{ awayGoals: 'BIGINT', attendance: 'BIGINT', referee: 'VARCHAR', stadium: 'VARCHAR' },
  },
  rows: (random) => times(190, (index) => match(random, index)),
};

const SHOWS = [
  ['Night Signals', 'Mara Quist'],
  ['Plain Money', 'Theo Brandt'],
  ['Kitchen Lab', 'Aiko Mori'],
  ['The Long Lap', 'Sam Adeyemi'],
] as const;

function episode(random: Random, index: number): (string | number | null)[] {
  const [show, host] = SHOWS[index % 4] ?? SHOWS[0];
  return [
    `${random.pick(['Why', 'How', 'When'])} ${random.pick(['rivers bend', 'banks fail', 'dough rises', 'runners quit', 'radios hum'])} (${String(index + 1)})`,
    show,
    host,
    dayAfter('2023-09-04', Math.floor(index * 3.5)),
    random.normal(show === 'The Long Lap' ? 68 : 42, 8, 0),
    random.skewed(5200 + index * 30, 0.6, 0),
    random.maybe(random.pick(['BrightBank', 'Mellow Tea', 'Packwise']), 0.3),
    random.pick(['science', 'money', 'food', 'sport', 'culture']),
  ];
}

export const PODCASTS: BenchTable = {
  name: 'Podcast episodes',
  timeField: 'Published',
  metaField: 'Show',
  columns: {
    ...{ Episode: 'VARCHAR', Show: 'VARCHAR', Host: 'VARCHAR', Published: 'DATE', 'Length (min)': 'BIGINT' },
    ...{ Downloads: 'BIGINT', Sponsor: 'VARCHAR', Topic: 'VARCHAR' },
  },
  rows: (random) => times(110, (index) => episode(random, index)),
};

/** With ten first names each: nobody is called like somebody else. */
const SURNAMES = (
  'Moss Reyes Sato Thorn Usman Vogel Wren Abara Bianchi Cole Duarte Engel Farkas Goto Hale Iversen Jung Kovac Lowe ' +
  'Mensah Novak Olsen Petit Quinn Rossi'
).split(' ');

function runner(random: Random, index: number): (string | number | boolean | null)[] {
  const sex = random.pick(['F', 'M'], 0.85);
  const age = Math.min(78, Math.max(18, random.normal(38, 11, 0)));
  const half = rounded(92 + Math.abs(age - 30) * 0.5 + (sex === 'F' ? 9 : 0) + random.skewed(12, 0.5, 2), 1);
  const gaveUp = random.chance(0.08);
  const names = ['Abel', 'Berit', 'Carlo', 'Dana', 'Emre', 'Frida', 'Gus', 'Hana', 'Igor', 'Juno'];
  return [
    String(index + 1).padStart(4, '0'),
    `${names[index % 10] ?? ''} ${SURNAMES[Math.floor(index / 10)] ?? ''}`,
    sex,
    age,
    random.maybe(random.pick(['City Harriers', 'Lakeside AC', 'Iron Owls', 'University']), 0.37),
    half,
    gaveUp ? null : rounded(half * 2.08 + random.skewed(6, 0.7, 2), 1),
    random.pick(['GBR', 'GER', 'FRA', 'KEN', 'USA'], 1.6),
    gaveUp,
  ];
}

export const MARATHON: BenchTable = {
  name: 'marathon results',
  timeField: null,
  metaField: 'bib',
  columns: {
    ...{ bib: 'VARCHAR', runner: 'VARCHAR', sex: 'VARCHAR', age: 'BIGINT', club: 'VARCHAR', half_min: 'DOUBLE' },
    ...{ finish_min: 'DOUBLE', country: 'VARCHAR', dnf: 'BOOLEAN' },
  },
  rows: (random) => times(250, (index) => runner(random, index)),
};

function reading(random: Random, index: number): (string | number | boolean | null)[] {
  const machine = ['press-1', 'press-2', 'lathe-1', 'mill-3'][index % 4] ?? '';
  const speed = Math.round(machine.startsWith('press') ? random.normal(420, 40, 0) : random.normal(1450, 120, 0));
  const vibration = rounded(1.1 + speed / 900 + Math.abs(random.normal(0, 0.5, 3)), 2);
  const isFault = vibration > 3.1 || random.chance(0.03);
  return [
    minuteAfter('2024-05-06T06:00', Math.floor(index / 4) * 45),
    machine,
    rounded(48 + vibration * 4 + random.normal(0, 2.5, 2) + (isFault ? 9 : 0), 1),
    random.maybe(vibration, 0.04),
    speed,
    isFault,
    random.maybe(random.pick(['Petra', 'Ron', 'Sunil']), 0.08),
    ['early', 'late', 'night'][Math.floor((Math.floor(index / 4) * 45) / 480) % 3] ?? '',
  ];
}

export const MACHINES: BenchTable = {
  name: 'machine readings',
  timeField: 'ts',
  metaField: 'machine',
  columns: {
    ...{
      ts: 'TIMESTAMP',
      machine: 'VARCHAR',
      temp_degC: 'DOUBLE',
      vib_mm_s: 'DOUBLE',
      rpm: 'BIGINT',
      fault: 'BOOLEAN',
    },
    ...{ operator: 'VARCHAR', shift: 'VARCHAR' },
  },
  rows: (random) => times(320, (index) => reading(random, index)),
};

function tree(random: Random, index: number): (string | number | null)[] {
  const girth = random.skewed(90, 0.45, 0);
  return [
    index + 1,
    random.pick(['Lime', 'Plane', 'Oak', 'Cherry', 'Maple'], 1.3),
    random.pick(['Kings Rd', 'Harbour St', 'Mill Lane', 'Park Ave']),
    girth,
    random.maybe(rounded(3 + girth * 0.11 + random.normal(0, 1.4, 2), 1), 0.1),
    random.int(1931, 2019),
    random.pick(['good', 'fair', 'poor', 'dead'], 1.8),
  ];
}

export const TREES: BenchTable = {
  name: 'StreetTrees',
  timeField: null,
  metaField: 'Street',
  columns: {
    ...{ TreeNo: 'BIGINT', Species: 'VARCHAR', Street: 'VARCHAR', GirthCm: 'BIGINT', HeightM: 'DOUBLE' },
    ...{ YearPlanted: 'BIGINT', Condition: 'VARCHAR' },
  },
  rows: (random) => times(130, (index) => tree(random, index)),
};
