import { times, type BenchTable, type TableCell } from '../bench-table.js';
import { dayAfter, minuteAfter, rounded, type Random } from '../random.js';

export const MISSIONS: BenchTable = {
  name: 'space_missions',
  timeField: null,
  metaField: 'mission',
  columns: {
    ...{ mission: 'VARCHAR', agency: 'VARCHAR', launch_dt: 'DATE', target: 'VARCHAR', mass_kg: 'DOUBLE' },
    ...{ crewed: 'VARCHAR', crew_size: 'BIGINT', outcome: 'VARCHAR', cost_mUSD: 'DOUBLE', dur_days: 'BIGINT' },
    ...{ site: 'VARCHAR', rocket: 'VARCHAR' },
  },
  rows: () => [
    ['Aster 1', 'NSB', '1998-03-12', 'Moon', 1450, 'no', null, 'success', 210, 94, 'Cape Dorran', 'Volant 2'],
    ['Aster 2', 'NSB', '2001-10-05', 'Moon', 1720, 'no', null, 'failure', 240, 0, 'Cape Dorran', 'Volant 2'],
    ['Aster 3', 'NSB', '2004-06-21', 'Mars', 2210, 'no', null, 'success', 415, 1310, 'Cape Dorran', 'Volant 3'],
    ['Kestrel A', 'Orbis', '2009-02-17', 'LEO', 7300, 'yes', 3, 'success', 610, 11, 'Lanta', 'Hiron'],
    ['Kestrel B', 'Orbis', '2010-08-30', 'LEO', 7350, 'yes', 4, 'success', 595, 16, 'Lanta', 'Hiron'],
    ['Kestrel C', 'Orbis', '2012-04-02', 'Moon', 9100, 'yes', 3, 'partial', 1180, 8, 'Lanta', 'Hiron Heavy'],
    ['Tidewatch', 'EOC', '2006-11-14', 'LEO', 980, 'no', null, 'success', 165, 3650, 'Saint Ruan', 'Arc 1'],
    ['Tidewatch II', 'EOC', '2015-05-08', 'LEO', 1120, 'no', null, 'success', 190, 2900, 'Saint Ruan', 'Arc 2'],
    ['Embera', 'EOC', '2011-09-19', 'Venus', 1310, 'no', null, 'partial', 330, 410, 'Saint Ruan', 'Arc 1'],
    ['Halden Probe', 'NSB', '2013-12-01', 'Jupiter', 2950, 'no', null, 'success', 890, 3120, 'Cape Dorran', 'Volant 3'],
    ['Pathway 1', 'Korvo', '2016-07-26', 'LEO', 5200, 'no', null, 'failure', 80, 0, 'Lanta', 'Bolt'],
    ['Pathway 2', 'Korvo', '2017-01-18', 'LEO', 5200, 'no', null, 'failure', 82, 0, 'Lanta', 'Bolt'],
    ['Pathway 3', 'Korvo', '2017-09-09', 'LEO', 5350, 'no', null, 'success', 79, 35, 'Lanta', 'Bolt'],
    ['Pathway 4', 'Korvo', '2019-03-23', 'LEO', 6100, 'yes', 2, 'success', 95, 6, 'Lanta', 'Bolt B'],
    ['Pathway 5', 'Korvo', '2020-11-11', 'LEO', 6150, 'yes', 4, 'success', 101, 162, 'Lanta', 'Bolt B'],
    ['Selene Gate', 'Orbis', '2018-10-30', 'Moon', 8400, 'no', null, 'success', 720, 980, 'Cape Dorran', 'Hiron Heavy'],
    ['Ares Scout', 'EOC', '2020-07-20', 'Mars', 1890, 'no', null, 'failure', 455, 201, 'Saint Ruan', 'Arc 2'],
    ['Ferrous', 'NSB', '2021-04-16', 'asteroid', 1250, 'no', null, 'success', 380, 1105, 'Cape Dorran', 'Volant 3'],
    ['Kestrel D', 'Orbis', '2022-06-03', 'Moon', 9400, 'yes', 4, 'success', 1350, 13, 'Cape Dorran', 'Hiron Heavy'],
    ['Mistral', 'EOC', '2022-12-12', 'Venus', 1405, 'no', null, 'success', null, null, 'Saint Ruan', 'Arc 2'],
    ['Pathway 6', 'Korvo', '2023-02-28', 'Moon', 6900, 'no', null, 'partial', 140, 29, 'Lanta', 'Bolt B'],
    ['Halden II', 'NSB', '2023-10-06', 'Saturn', 3300, 'no', null, 'success', 1010, null, 'Cape Dorran', 'Volant 3'],
  ],
};

const DISTRICTS = ['Altdorf', 'Birkenau', 'Centre', 'Docklands'];

function round(random: Random, index: number): TableCell[] {
  const district = random.pick(DISTRICTS);
  const stops = Math.round(random.normal(district === 'Centre' ? 260 : 190, 28, 1));
  const residual = Math.max(0.8, rounded(stops * 0.026 + random.normal(0.4, 0.7, 3), 2));
  const distance = Math.max(8, random.normal(district === 'Centre' ? 31 : 52, 7, 1));
  return [
    dayAfter('2024-01-02', Math.floor(index * 0.9)),
    random.pick(['T-07', 'T-12', 'T-15', 'T-21']),
    district,
    stops,
    residual,
    random.maybe(random.skewed(1.6, 0.5, 2), 0.1),
    random.maybe(random.skewed(1.1, 0.4, 2), 0.12),
    distance,
    rounded(distance * 0.62 + residual * 1.9 + random.normal(0, 2.5, 2), 1),
    random.int(2, 4),
    random.chance(0.08) ? 'Y' : 'N',
    random.maybe(Math.round(210 + stops * 0.5 + random.normal(0, 25, 1)), 0.05),
  ];
}

export const WASTE_ROUNDS: BenchTable = {
  name: 'Waste rounds',
  timeField: 'Day',
  metaField: 'Truck',
  columns: {
    ...{ Day: 'DATE', Truck: 'VARCHAR', District: 'VARCHAR', Stops: 'BIGINT', 'Residual (t)': 'DOUBLE' },
    ...{ 'Paper (t)': 'DOUBLE', 'Organic (t)': 'DOUBLE', 'Dist. km': 'DOUBLE', 'Diesel (l)': 'DOUBLE', Crew: 'BIGINT' },
    ...{ 'Broke down': 'VARCHAR', 'Shift min': 'BIGINT' },
  },
  rows: (random) => times(185, (index) => round(random, index)),
};

export const RECIPES: BenchTable = {
  name: 'recipes',
  timeField: null,
  metaField: 'recipeName',
  columns: {
    ...{ recipeName: 'VARCHAR', cuisine: 'VARCHAR', course: 'VARCHAR', prepMin: 'BIGINT', cookMin: 'BIGINT' },
    ...{ serves: 'BIGINT', kcalPerServing: 'BIGINT', proteinG: 'DOUBLE', isVegetarian: 'BOOLEAN', level: 'VARCHAR' },
    ...{ addedOn: 'DATE', avgStars: 'DOUBLE', numRatings: 'BIGINT', author: 'VARCHAR' },
  },
  rows: () => [
    ['Leek tart', 'French', 'main', 25, 40, 6, 410, 11.5, true, 'medium', '2021-02-14', 4.3, 211, 'Odile'],
    ['Onion soup', 'French', 'starter', 15, 60, 4, 290, 9, true, 'easy', '2020-11-03', 4.1, 158, 'Odile'],
    ['Duck cassoulet', 'French', 'main', 45, 180, 8, 780, 46, false, 'hard', '2022-01-09', 4.8, 64, 'Bruno'],
    ['Lemon posset', 'British', 'dessert', 10, 5, 4, 520, 3.2, true, 'easy', '2021-06-27', 4.6, 302, 'Hetty'],
    ['Fish pie', 'British', 'main', 30, 45, 5, 610, 37, false, 'medium', '2019-10-20', 4.2, 187, 'Hetty'],
    ['Pea fritters', 'British', 'starter', 15, 12, 4, 260, 8.4, true, 'easy', '2023-05-05', 3.9, 22, null],
    ['Green curry', 'Thai', 'main', 20, 25, 4, 540, 28, false, 'medium', '2020-03-30', 4.7, 415, 'Nok'],
    ['Papaya salad', 'Thai', 'starter', 20, 0, 2, 150, 4.1, false, 'easy', '2020-04-12', 4.0, 97, 'Nok'],
    ['Mango sticky rice', 'Thai', 'dessert', 15, 30, 4, 430, 6, true, 'medium', '2022-08-08', 4.5, 140, 'Nok'],
    ['Bean chili', 'Mexican', 'main', 15, 50, 6, 380, 19, true, 'easy', '2021-09-19', 4.4, 268, 'Bruno'],
    ['Beef barbacoa', 'Mexican', 'main', 30, 240, 8, 690, 52, false, 'hard', '2023-01-22', 4.9, 51, 'Bruno'],
    ['Corn salad', 'Mexican', 'side', 12, 8, 4, 210, 5.5, true, 'easy', '2022-07-01', 3.8, 45, null],
    ['Churros', 'Mexican', 'dessert', 20, 15, 6, 470, 6.2, true, 'medium', '2019-12-15', 4.2, 176, 'Hetty'],
    ['Miso aubergine', 'Japanese', 'side', 10, 25, 2, 190, 4.4, true, 'easy', '2022-10-10', 4.6, 88, 'Kenji'],
    ['Ramen', 'Japanese', 'main', 60, 300, 4, 720, 39, false, 'hard', '2021-11-28', 4.7, 203, 'Kenji'],
    ['Gyoza', 'Japanese', 'starter', 40, 15, 4, 320, 14, false, 'medium', '2020-09-06', 4.5, 254, 'Kenji'],
    ['Matcha cheesecake', 'Japanese', 'dessert', 25, 55, 10, 450, 8.8, true, 'medium', '2023-03-18', null, 0, 'Kenji'],
    ['Dal', 'Indian', 'main', 10, 40, 4, 340, 18, true, 'easy', '2019-08-04', 4.5, 390, 'Asha'],
    ['Lamb biryani', 'Indian', 'main', 50, 75, 6, 740, 41, false, 'hard', '2022-04-24', 4.8, 119, 'Asha'],
    ['Onion bhaji', 'Indian', 'starter', 15, 10, 4, 280, 6.7, true, 'easy', '2021-01-17', 4.3, 133, 'Asha'],
    ['Raita', 'Indian', 'side', 5, 0, 4, 80, 3.6, true, 'easy', '2020-06-13', 4.0, 74, 'Asha'],
    ['Kulfi', 'Indian', 'dessert', 15, 20, 6, 330, 7.9, true, 'easy', '2023-06-30', null, 0, null],
    ['Braised fennel', 'French', 'side', 10, 35, 4, 140, 2.9, true, 'easy', '2022-02-06', 3.7, 31, 'Odile'],
    ['Chocolate mousse', 'French', 'dessert', 20, 0, 6, 390, 7.1, true, 'medium', '2019-05-12', 4.9, 501, 'Odile'],
  ],
};

const DOCKS = ['Central Stn', 'Uni', 'Harbour', 'Zoo', 'Old Town', 'Stadium'];

function hire(random: Random, index: number): TableCell[] {
  const isMember = random.chance(0.66);
  const isElectric = random.chance(0.4);
  const distance = random.skewed(isElectric ? 3.6 : 2.5, 0.55, 2);
  const pace = isElectric ? 3.4 : 4.4;
  return [
    500100 + index,
    minuteAfter('2024-05-01T05:40', index * 67 + random.int(0, 60)),
    random.pick(DOCKS, 1.3),
    random.pick(DOCKS, 1.1),
    Math.max(2, rounded(distance * pace + random.normal(3, 3, 2), 1)),
    random.maybe(distance, 0.05),
    isMember ? 'member' : 'casual',
    isMember ? random.int(1955, 2006) : random.maybe(random.int(1960, 2006), 0.6),
    isElectric,
    random.normal(15, 5, 1),
    isMember ? 0 : random.pick([2.5, 4, 6.5], 1.4),
  ];
}

export const HIRES: BenchTable = {
  name: 'bike hire',
  timeField: 'start_ts',
  metaField: 'user_kind',
  columns: {
    ...{ trip_no: 'BIGINT', start_ts: 'TIMESTAMP', start_dock: 'VARCHAR', end_dock: 'VARCHAR', dur_min: 'DOUBLE' },
    ...{ dist_km: 'DOUBLE', user_kind: 'VARCHAR', birth_yr: 'BIGINT', e_bike: 'BOOLEAN', temp_c: 'DOUBLE' },
    fare_eur: 'DOUBLE',
  },
  rows: (random) => times(260, (index) => hire(random, index)),
};

function milking(random: Random, index: number): TableCell[] {
  const breed = random.pick(['Holstein', 'Jersey', 'Brown Swiss'], 1.4);
  const lactation = random.int(1, 6);
  const inMilk = random.int(6, 330);
  const yieldKg = (breed === 'Jersey' ? 21 : 30) - inMilk * 0.028 + Math.min(lactation, 3) * 1.5;
  const fat = random.normal(breed === 'Jersey' ? 5.2 : 4.1, 0.4, 2);
  return [
    `NL${String(4100 + index * 3)}`,
    random.pick(['Oakfield', 'Low Meadow', 'Van Dijk']),
    breed,
    lactation,
    dayAfter('2024-03-05', random.int(0, 2) * 28),
    inMilk,
    Math.max(5, rounded(yieldKg + random.normal(0, 3.2, 3), 1)),
    random.maybe(fat, 0.06),
    random.maybe(rounded(fat * 0.42 + 1.55 + random.normal(0, 0.14, 3), 2), 0.06),
    random.maybe(Math.round(random.skewed(110 + lactation * 12, 0.9, 1)), 0.04),
    random.chance(0.12) ? 1 : 0,
    random.maybe(random.int(2, 5) / 2 + 1, 0.25),
  ];
}

export const MILKINGS: BenchTable = {
  name: 'MilkRecording',
  timeField: null,
  metaField: 'CowTag',
  missing: 'NA',
  columns: {
    ...{ CowTag: 'VARCHAR', Herd: 'VARCHAR', Breed: 'VARCHAR', LactNo: 'BIGINT', TestDate: 'DATE', DIM: 'BIGINT' },
    ...{
      'Milk.kg': 'DOUBLE',
      'Fat.pct': 'DOUBLE',
      'Prot.pct': 'DOUBLE',
      'SCC.k': 'BIGINT',
      Mastitis: 'BIGINT',
      BCS: 'DOUBLE',
    },
  },
  rows: (random) => times(210, (index) => milking(random, index)),
};
