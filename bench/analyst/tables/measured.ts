import { times, type BenchTable, type TableCell } from '../bench-table.js';
import { dayAfter, minuteAfter, rounded, type Random } from '../random.js';

const VESSELS = ['Alma', 'Borea', 'Cormorant', 'Dagny'];

function crossing(random: Random, index: number): TableCell[] {
  const vessel = random.pick(VESSELS);
  const scheduled = index * 95 + random.int(0, 4) * 5;
  const wind = Math.max(1, random.normal(14, 6, 1));
  const wave = Math.max(0.1, rounded(wind * 0.09 + random.normal(0.1, 0.35, 3), 2));
  const isCancelled = wave > 2 && random.chance(0.55);
  const passengers = Math.max(0, Math.round(random.normal(vessel === 'Dagny' ? 210 : 150, 45, 1)));
  const delay = Math.max(0, Math.round(wave * 6 + random.skewed(4, 0.9, 1) - 4));
  return [
    5000 + index,
    vessel,
    random.pick(['N1', 'N2', 'S7']),
    minuteAfter('2023-04-03T06:00', scheduled),
    isCancelled ? null : minuteAfter('2023-04-03T06:00', scheduled + delay),
    isCancelled ? null : passengers,
    isCancelled ? null : Math.max(0, Math.round(passengers * 0.31 + random.normal(0, 9, 1))),
    random.maybe(wave, 0.06),
    wind,
    isCancelled ? null : rounded(240 + passengers * 0.7 + wave * 55 + random.normal(0, 22, 2), 1),
    isCancelled ? 'Yes' : 'No',
  ];
}

export const CROSSINGS: BenchTable = {
  name: 'ferry crossings',
  timeField: 'DepSched',
  metaField: 'Vessel',
  columns: {
    ...{ CrossingID: 'BIGINT', Vessel: 'VARCHAR', RouteCode: 'VARCHAR', DepSched: 'TIMESTAMP', DepActual: 'TIMESTAMP' },
    ...{ PaxCount: 'BIGINT', VehCnt: 'BIGINT', WaveHt_m: 'DOUBLE', wind_kts: 'DOUBLE', 'FuelUsed (L)': 'DOUBLE' },
    Cancelled: 'VARCHAR',
  },
  rows: (random) => times(340, (index) => crossing(random, index)),
};

const TEXTURES = ['loam', 'clay', 'sandy loam', 'silt'];

function soil(random: Random, index: number): TableCell[] {
  const texture = random.pick(TEXTURES, 1.2);
  const depth = random.pick([10, 20, 30, 60]);
  const carbon = Math.max(0.1, rounded(3.4 - depth * 0.032 + random.normal(0, 0.55, 3), 2));
  return [
    `S-${String(index + 1).padStart(3, '0')}`,
    `P${random.int(1, 9)}`,
    depth,
    random.maybe(random.normal(texture === 'clay' ? 6.9 : 6.3, 0.45, 2), 0.09),
    random.maybe(carbon, 0.05),
    random.maybe(rounded(carbon * 0.92 + random.normal(0.1, 0.2, 3), 2), 0.12),
    random.maybe(Math.max(3, random.normal(texture === 'clay' ? 27 : 20, 5, 1)), 0.07),
    random.skewed(18, 0.7, 1),
    texture,
    dayAfter('2022-03-14', random.int(0, 260)),
    random.chance(0.46) ? 'irrigated' : 'rainfed',
  ];
}

export const SOILS: BenchTable = {
  name: 'soil_samples',
  timeField: 'sampled_on',
  metaField: 'sample_id',
  missing: 'NA',
  columns: {
    ...{ sample_id: 'VARCHAR', plot: 'VARCHAR', depth_cm: 'BIGINT', ph_h2o: 'DOUBLE', org_C_pct: 'DOUBLE' },
    ...{ 'N_tot (g/kg)': 'DOUBLE', moisture_pct: 'DOUBLE', P_olsen: 'DOUBLE', texture: 'VARCHAR', sampled_on: 'DATE' },
    regime: 'VARCHAR',
  },
  rows: (random) => times(230, (index) => soil(random, index)),
};

function member(random: Random, index: number): TableCell[] {
  const gender = random.pick(['Male', 'Female']);
  const age = random.int(18, 61);
  const height = random.normal(gender === 'Male' ? 1.78 : 1.65, 0.07, 2);
  const weight = rounded(height ** 2 * random.normal(25, 3.4, 3), 1);
  const hours = Math.max(0.4, random.normal(1.25, 0.32, 2));
  const pulse = Math.round(random.normal(62, 7, 1));
  return [
    `M${String(1200 + index)}`,
    gender,
    age,
    weight,
    height,
    Math.round(220 - age + random.normal(0, 6, 1)),
    random.chance(0.015) ? 121 : pulse,
    hours,
    Math.max(90, Math.round(hours * 640 + random.normal(0, 95, 1) + (gender === 'Male' ? 60 : 0))),
    random.maybe(rounded(random.normal(gender === 'Male' ? 22 : 29, 4, 2), 1), 0.08),
    random.pick(['Cardio', 'HIIT', 'Strength', 'Yoga'], 1.1),
    random.int(1, 3),
    random.chance(0.012) ? 14.5 : Math.max(0.8, random.normal(2.6, 0.5, 1)),
    random.maybe(random.pick(['Basic', 'Plus', 'Gold'], 1.3), 0.04),
  ];
}

export const MEMBERS: BenchTable = {
  name: 'gym members',
  timeField: null,
  metaField: 'MemberID',
  columns: {
    ...{ MemberID: 'VARCHAR', Gender: 'VARCHAR', Age: 'BIGINT', 'Weight (kg)': 'DOUBLE', 'Height (m)': 'DOUBLE' },
    ...{ MaxHR: 'BIGINT', RestHR: 'BIGINT', SessionDur: 'DOUBLE', CalBurned: 'BIGINT', FatPct: 'DOUBLE' },
    ...{ WorkoutType: 'VARCHAR', ExpLevel: 'BIGINT', 'WaterIntake (l)': 'DOUBLE', Plan: 'VARCHAR' },
  },
  rows: (random) => times(310, (index) => member(random, index)),
};

const SITES = ['Harbour', 'Old Mill', 'Ringroad'];

function airDay(random: Random, index: number): TableCell[] {
  const day = Math.floor(index / SITES.length);
  const site = SITES[index % SITES.length] ?? '';
  const season = Math.cos((2 * Math.PI * (day - 15)) / 365);
  const high = rounded(15 - 11 * season + random.normal(0, 3, 2), 1);
  const fine = random.skewed(site === 'Ringroad' ? 15 : 9, 0.45, 1);
  return [
    dayAfter('2022-01-01', day),
    site,
    random.maybe(fine, 0.05),
    random.maybe(rounded(fine * 1.7 + Math.abs(random.normal(3, 3, 2)), 1), 0.04),
    random.maybe(Math.max(2, random.normal(site === 'Ringroad' ? 38 : 22, 8, 1)), 0.06),
    Math.max(4, rounded(46 - season * 20 + random.normal(0, 11, 2), 1)),
    high,
    rounded(high - Math.abs(random.normal(7, 2.4, 2)), 1),
    Math.min(100, Math.max(25, Math.round(random.normal(71 + season * 9, 9, 1)))),
    random.pick(['N', 'E', 'S', 'W', 'SW'], 0.8),
    random.chance(0.66) ? 0 : random.skewed(3.2, 0.9, 1),
  ];
}

export const AIR: BenchTable = {
  name: 'air_daily',
  timeField: 'obs_date',
  metaField: 'site',
  columns: {
    ...{ obs_date: 'DATE', site: 'VARCHAR', 'PM2.5': 'DOUBLE', PM10: 'DOUBLE', NO2_ugm3: 'DOUBLE', O3_ugm3: 'DOUBLE' },
    ...{ temp_max_c: 'DOUBLE', temp_min_c: 'DOUBLE', 'RH (%)': 'BIGINT', wind_dir: 'VARCHAR', precip_mm: 'DOUBLE' },
  },
  rows: (random) => times(366 * SITES.length, (index) => airDay(random, index)),
};
