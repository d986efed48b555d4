import { times, type BenchTable, type TableCell } from '../bench-table.js';
import { dayAfter, type Random } from '../random.js';

const ESTATES = ['Vale Brun', 'Casa Lirio', 'Hofgut Senn', 'Clos Arnou', 'Tenuta Mara', 'Weingut Pohl'];
const GRAPES = ['Pinot Noir', 'Riesling', 'Merlot', 'Chardonnay', 'Silvaner'];

function wine(random: Random, index: number): TableCell[] {
  const grape = random.pick(GRAPES, 1.2);
  const isOrganic = random.chance(0.3);
  const price = random.skewed(isOrganic ? 17 : 13, 0.5, 2);
  const score = Math.min(99, Math.round(80 + Math.log(price) * 2.6 + random.normal(0, 2.4, 2)));
  return [
    `W${String(index + 1).padStart(3, '0')}`,
    random.pick(ESTATES),
    grape,
    random.pick(['Jura', 'Nahe', 'Duero', 'Piedmont']),
    random.int(2012, 2022),
    random.maybe(random.normal(grape === 'Riesling' ? 11.6 : 13.2, 0.7, 1), 0.04),
    random.maybe(random.skewed(grape === 'Riesling' ? 7 : 2.4, 0.6, 1), 0.08),
    price,
    score,
    isOrganic ? 'yes' : 'no',
    random.pick(['cork', 'screw cap', 'glass'], 1.4),
    random.int(3, 9),
    random.chance(0.75) ? dayAfter('2024-05-13', random.int(0, 4)) : null,
  ];
}

export const WINES: BenchTable = {
  name: 'WineTasting',
  timeField: null,
  metaField: 'wineId',
  columns: {
    ...{
      wineId: 'VARCHAR',
      producerName: 'VARCHAR',
      grapeVariety: 'VARCHAR',
      regionName: 'VARCHAR',
      vintage: 'BIGINT',
    },
    ...{ alcPct: 'DOUBLE', residSugar_gL: 'DOUBLE', bottlePrice: 'DOUBLE', juryScore: 'BIGINT', organic: 'VARCHAR' },
    ...{ closure: 'VARCHAR', nJurors: 'BIGINT', tastedOn: 'DATE' },
  },
  rows: (random) => times(140, (index) => wine(random, index)),
};

const CHESS_PLAYERS: readonly (readonly [string, number])[] = [
  ['Adler, M', 2385],
  ['Bauza, L', 2190],
  ['Cheng, Y', 2450],
  ['Dimov, P', 2275],
  ['Eriksen, T', 2060],
  ['Fonseca, R', 2330],
  ['Gupta, S', 2140],
  ['Haas, V', 1985],
];

function game(random: Random, index: number): TableCell[] {
  const [white, whiteRating] = random.pick(CHESS_PLAYERS);
  const [black, blackRating] = random.pick(CHESS_PLAYERS.filter(([name]) => name !== white));
  const edge = (whiteRating - blackRating + 40) / 400 + random.normal(0, 1.1, 3);
  const result = edge > 0.45 ? '1-0' : edge < -0.45 ? '0-1' : '1/2-1/2';
  const moves = Math.max(9, Math.round(random.normal(result === '1/2-1/2' ? 46 : 38, 12, 1)));
  return [
    index + 1,
    Math.floor(index / 12) + 1,
    dayAfter('2024-07-06', Math.floor(index / 12)),
    white,
    black,
    whiteRating,
    blackRating,
    result,
    moves,
    random.pick(['B12', 'C65', 'D37', 'E60', 'A45']),
    random.maybe(Math.max(14, Math.round(moves * 3.9 + random.normal(0, 22, 1))), 0.06),
    random.chance(0.2) ? 'rapid' : 'classical',
  ];
}

export const CHESS: BenchTable = {
  name: 'chess_open',
  timeField: null,
  metaField: 'gm_no',
  columns: {
    ...{ gm_no: 'BIGINT', rnd: 'BIGINT', played: 'DATE', white: 'VARCHAR', black: 'VARCHAR', w_elo: 'BIGINT' },
    ...{ b_elo: 'BIGINT', result: 'VARCHAR', n_moves: 'BIGINT', eco: 'VARCHAR', dur_min: 'BIGINT', tempo: 'VARCHAR' },
  },
  rows: (random) => times(108, (index) => game(random, index)),
};

export const SHOWS: BenchTable = {
  name: 'Theatre Nights',
  timeField: 'PerfDate',
  metaField: 'Title',
  columns: {
    ...{ ShowID: 'BIGINT', Title: 'VARCHAR', Genre: 'VARCHAR', Director: 'VARCHAR', Hall: 'VARCHAR', PerfDate: 'DATE' },
    ...{ Seats: 'BIGINT', Sold: 'BIGINT', TicketPrice: 'DOUBLE', Premiere: 'VARCHAR', RunTimeMin: 'BIGINT' },
    Sponsor: 'VARCHAR',
  },
  rows: () => [
    [1, 'The Cherry Trial', 'drama', 'I. Marsh', 'Main', '2023-09-15', 620, 611, 38, 'Y', 145, 'Orbit Bank'],
    [2, 'The Cherry Trial', 'drama', 'I. Marsh', 'Main', '2023-09-16', 620, 540, 34, 'N', 145, 'Orbit Bank'],
    [3, 'Paper Moonlight', 'musical', 'O. Teller', 'Main', '2023-09-29', 620, 620, 52, 'Y', 160, null],
    [4, 'Paper Moonlight', 'musical', 'O. Teller', 'Main', '2023-10-07', 620, 598, 46, 'N', 160, null],
    [5, 'Two Doors', 'comedy', 'J. Ferro', 'Studio', '2023-10-12', 140, 131, 22, 'Y', 95, 'Café Lux'],
    [6, 'Two Doors', 'comedy', 'J. Ferro', 'Studio', '2023-10-13', 140, 140, 22, 'N', 95, 'Café Lux'],
    [7, 'Two Doors', 'comedy', 'J. Ferro', 'Studio', '2023-11-03', 140, 97, 20, 'N', 95, null],
    [8, 'Antigone Now', 'drama', 'K. Osei', 'Barn', '2023-11-10', 260, 188, 26, 'Y', 110, 'City Fund'],
    [9, 'Antigone Now', 'drama', 'K. Osei', 'Barn', '2023-11-11', 260, 143, 26, 'N', 110, 'City Fund'],
    [10, 'Snow for Mina', 'children', 'O. Teller', 'Studio', '2023-12-02', 140, 140, 12, 'Y', 55, 'Orbit Bank'],
    [11, 'Snow for Mina', 'children', 'O. Teller', 'Studio', '2023-12-09', 140, 138, 12, 'N', 55, 'Orbit Bank'],
    [12, 'Snow for Mina', 'children', 'O. Teller', 'Main', '2023-12-23', 620, 577, 15, 'N', 55, 'Orbit Bank'],
    [13, 'Long Division', 'drama', 'H. Brandt', 'Studio', '2024-01-19', 140, 64, 18, 'Y', null, null],
    [14, 'Long Division', 'drama', 'H. Brandt', 'Studio', '2024-01-20', 140, 41, 18, 'N', null, null],
    [15, 'Gasp!', 'comedy', 'J. Ferro', 'Main', '2024-02-02', 620, 455, 33, 'Y', 105, 'Café Lux'],
    [16, 'Gasp!', 'comedy', 'J. Ferro', 'Barn', '2024-02-17', 260, 251, 28, 'N', 105, null],
    [17, 'Carmen in Blue', 'opera', 'L. Quint', 'Main', '2024-03-08', 620, 604, 74, 'Y', 175, 'Orbit Bank'],
    [18, 'Carmen in Blue', 'opera', 'L. Quint', 'Main', '2024-03-10', 620, 519, 68, 'N', 175, 'Orbit Bank'],
    [19, 'The Last Ferry', 'drama', 'K. Osei', 'Barn', '2024-04-05', 260, 259, 30, 'Y', 120, 'City Fund'],
    [20, 'The Last Ferry', 'drama', 'K. Osei', 'Main', '2024-04-26', 620, 302, 30, 'N', 120, 'City Fund'],
    [21, 'Jukebox Hearts', 'musical', 'L. Quint', 'Main', '2024-05-10', 620, 583, 49, 'Y', 140, null],
    [22, 'Jukebox Hearts', 'musical', 'L. Quint', 'Main', '2024-05-11', 620, 566, 45, 'N', 140, null],
    [23, 'Jukebox Hearts', 'musical', 'L. Quint', 'Barn', '2024-06-01', 260, 202, 41, 'N', 140, 'Café Lux'],
    [24, 'The Cherry Trial', 'drama', 'I. Marsh', 'Barn', '2024-06-14', 260, 176, 28, 'N', 140, null],
  ],
};
