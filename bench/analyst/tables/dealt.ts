import { times, type BenchTable, type TableCell } from '../bench-table.js';
import { dayAfter, rounded, type Random } from '../random.js';

const ROOMS = { Single: 61, Double: 88, Family: 121, Suite: 189 } as const;
const STRENGTHS = { S235: 415, S355: 545, DC04: 315 } as const;

function booking(random: Random, index: number): TableCell[] {
  const room = random.pick(['Single', 'Double', 'Family', 'Suite'] as const, 1.1);
  const nights = 1 + Math.floor(random.skewed(2.2, 0.5, 3));
  const lead = Math.round(random.skewed(28, 0.9, 1));
  const rate = rounded(ROOMS[room] + random.normal(0, 14, 2), 2);
  const isCancelled = random.chance(lead > 60 ? 0.42 : 0.14);
  return [
    `GH${String(90_210 + index)}`,
    dayAfter('2023-01-04', random.int(0, 640)),
    lead,
    nights,
    room === 'Single' ? 1 : random.int(1, 3),
    room === 'Family' ? random.int(1, 3) : random.maybe(0, 0.05),
    room,
    random.chance(0.008) ? 1450 : rate,
    random.pick(['Direct', 'OTA', 'Agency'], 0.9),
    random.maybe(random.pick(['AT', 'DE', 'IT', 'NL', 'CZ'], 1.4), 0.06),
    isCancelled ? 1 : 0,
    random.maybe(Math.min(10, Math.max(1, random.normal(8.1, 1.2, 1))), 0.35),
  ];
}

export const BOOKINGS: BenchTable = {
  name: 'GuestHouse',
  timeField: 'ArrivalDate',
  metaField: 'BookingRef',
  columns: {
    ...{ BookingRef: 'VARCHAR', ArrivalDate: 'DATE', LeadTime: 'BIGINT', StayNights: 'BIGINT', NumAdults: 'BIGINT' },
    ...{ NumChildren: 'BIGINT', RoomType: 'VARCHAR', DailyRate: 'DOUBLE', Channel: 'VARCHAR', CtryCode: 'VARCHAR' },
    ...{ IsCancelled: 'BIGINT', ReviewScore: 'DOUBLE' },
  },
  rows: (random) => times(420, (index) => booking(random, index)),
};

function coil(random: Random, index: number): TableCell[] {
  const grade = random.pick(['S235', 'S355', 'DC04'] as const, 1.1);
  const thickness = random.pick([0.8, 1, 1.5, 2, 3, 4]);
  const tensile = Math.round(STRENGTHS[grade] + random.normal(0, 18, 2));
  return [
    `C${String(7001 + index)}`,
    random.pick(['A', 'B']),
    random.pick(['early', 'late', 'night'], 1.1),
    grade,
    rounded(thickness + random.normal(0, 0.03, 3), 3),
    random.pick([1000, 1250, 1500]),
    random.maybe(tensile, 0.05),
    Math.round(tensile * 0.71 + random.normal(0, 12, 2)),
    rounded(44 - tensile * 0.038 + random.normal(0, 1.7, 3), 1),
    random.pick([0, 0, 0, 1, 1, 2, 3, 5], 1.2),
    random.normal(218, 9, 1),
    random.maybe(random.pick(['ok', 'rework', 'scrap'], 2.2), 0.03),
  ];
}

export const COILS: BenchTable = {
  name: 'coil tests',
  timeField: null,
  metaField: 'CoilNo',
  columns: {
    ...{ CoilNo: 'VARCHAR', Line: 'VARCHAR', Shift: 'VARCHAR', Grade: 'VARCHAR', 'Thickness (mm)': 'DOUBLE' },
    ...{ 'Width (mm)': 'BIGINT', 'UTS (MPa)': 'BIGINT', 'YS (MPa)': 'BIGINT', 'Elongation (%)': 'DOUBLE' },
    ...{ NumDefects: 'BIGINT', 'Oven Temp (C)': 'DOUBLE', Verdict: 'VARCHAR' },
  },
  rows: (random) => times(260, (index) => coil(random, index)),
};

function loan(random: Random): TableCell[] {
  const amount = Math.round(random.skewed(640, 0.7, 1) / 25) * 25 + 25;
  const score = Math.round(random.normal(612, 58, 1));
  const isDefaulted = random.chance(score < 570 ? 0.3 : 0.08);
  const funded = random.int(0, 900);
  const term = random.pick([6, 8, 12, 14, 20, 24]);
  return [
    random.int(100_000, 999_999),
    random.pick(['F', 'M'], 1.6),
    random.pick(['Agriculture', 'Food', 'Retail', 'Services', 'Transport'], 1.1),
    amount,
    term,
    rounded(31 - score * 0.021 + random.normal(0, 1.8, 3), 2),
    random.maybe(score, 0.07),
    dayAfter('2020-02-03', funded),
    isDefaulted ? null : dayAfter('2020-02-03', funded + term * 30 + random.int(-25, 60)),
    isDefaulted,
    random.pick(['Ghana', 'Kenya', 'Peru', 'Nepal'], 1.1),
    random.maybe(random.int(0, 6), 0.1),
  ];
}

export const LOANS: BenchTable = {
  name: 'microloans',
  timeField: 'funded_at',
  metaField: 'loan_id',
  columns: {
    ...{ loan_id: 'BIGINT', borrower_gender: 'VARCHAR', sector: 'VARCHAR', loan_amt_usd: 'BIGINT' },
    ...{ term_months: 'BIGINT', int_rate_pct: 'DOUBLE', cred_score: 'BIGINT', funded_at: 'DATE', repaid_at: 'DATE' },
    ...{ defaulted: 'BOOLEAN', country: 'VARCHAR', n_dependents: 'BIGINT' },
  },
  rows: (random) => times(390, () => loan(random)),
};

const STEMS = ['Alten', 'Birr', 'Dorn', 'Egg', 'Fels', 'Grün', 'Hoch', 'Lind', 'Matt', 'Ried', 'See', 'Wald'];
const ENDS = ['au', 'berg', 'dorf', 'feld', 'heim', 'ikon', 'stetten', 'wil'];

function municipality(random: Random, index: number): TableCell[] {
  const before = Math.round(random.skewed(4200, 0.9, 1));
  const income = Math.round(random.normal(58_000, 7600, 1));
  return [
    `${STEMS[index % 12] ?? ''}${ENDS[Math.floor(index / 12)] ?? ''}`,
    random.pick(['Nordgau', 'Ostmark', 'Südtal', 'Westerland']),
    before,
    Math.max(60, Math.round(before * random.normal(1.06, 0.07, 4))),
    random.skewed(14, 0.6, 1),
    random.chance(0.02) ? 142_000 : income,
    random.maybe(Math.max(0.4, rounded(9.5 - income * 0.0001 + random.normal(0, 0.6, 3), 2)), 0.06),
    random.maybe(Math.min(88, Math.max(2, random.normal(34, 15, 1))), 0.05),
    random.int(290, 1480),
    random.chance(0.3) ? 'yes' : 'no',
    random.normal(43.2, 2.6, 1),
  ];
}

export const MUNICIPALITIES: BenchTable = {
  name: 'municipalities',
  timeField: null,
  metaField: 'Municipality',
  columns: {
    ...{ Municipality: 'VARCHAR', District: 'VARCHAR', Pop2010: 'BIGINT', Pop2020: 'BIGINT', Area_km2: 'DOUBLE' },
    ...{
      MedianIncome: 'BIGINT',
      UnempRate: 'DOUBLE',
      ForestShare: 'DOUBLE',
      'Elev.m': 'BIGINT',
      HasStation: 'VARCHAR',
    },
    MeanAge: 'DOUBLE',
  },
  rows: (random) => times(96, (index) => municipality(random, index)),
};
