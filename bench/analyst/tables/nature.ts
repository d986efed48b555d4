import { times, type BenchTable } from '../bench-table.js';
import { dayAfter, rounded, type Random } from '../random.js';

const SPECIES = ['Dog', 'Cat', 'Rabbit', 'Parrot'] as const;
const PET_WEIGHT = { Dog: [19, 9], Cat: [4.4, 0.9], Rabbit: [2.1, 0.5], Parrot: [0.4, 0.1] } as const;
const PETS = ['Milo', 'Luna', 'Bella', 'Oscar', 'Nala', 'Rocky', 'Coco', 'Daisy', 'Simba', 'Ruby', 'Max', 'Poppy'];
const REASONS = ['Check-up', 'Vaccination', 'Dental cleaning', 'Limping', 'Skin rash', 'Surgery', 'Not eating'];

function vetVisit(random: Random, index: number): (string | number | boolean | null)[] {
  const species = random.pick(SPECIES, 1.6);
  const [mean, deviation] = PET_WEIGHT[species];
  const reason = random.pick(REASONS, 1.4);
  const fee = reason === 'Surgery' ? random.skewed(480, 0.4, 2) : random.skewed(62, 0.35, 2);
  return [
    `V${String(index + 1).padStart(4, '0')}`,
    dayAfter('2023-01-03', Math.floor(index * 2.1)),
    random.pick(PETS),
    species,
    species === 'Dog' ? random.pick(['small', 'medium', 'large']) : null,
    random.maybe(Math.max(0.2, random.normal(mean, deviation, 1)), 0.06),
    random.int(0, 16),
    fee,
    random.chance(0.72),
    reason,
    random.pick(['Dr. Okafor', 'Dr. Lindqvist', 'Dr. Marsh']),
  ];
}

export const VET_VISITS: BenchTable = {
  name: 'vet_visits',
  timeField: 'visit_date',
  metaField: 'visit_id',
  columns: {
    ...{ visit_id: 'VARCHAR', visit_date: 'DATE', pet_name: 'VARCHAR', species: 'VARCHAR', breed_size: 'VARCHAR' },
    ...{ weight_kg: 'DOUBLE', age_years: 'BIGINT', fee_eur: 'DOUBLE', vaccinated: 'BOOLEAN', reason: 'VARCHAR' },
    vet: 'VARCHAR',
  },
  rows: (random) => times(260, (index) => vetVisit(random, index)),
};

const STATIONS = ['Alder Bridge', 'Mill Weir', 'Stonegate', 'Upper Fen'];

function riverLevel(random: Random, index: number): (string | number | boolean | null)[] {
  const [day, station] = [Math.floor(index / 4), index % 4];
  const season = Math.sin((day / 90) * Math.PI) * 0.9;
  const level = rounded(1.2 + station * 0.4 + season + random.normal(0, 0.25, 3), 2);
  const flow = rounded(8 + level * 14 + random.normal(0, 4, 2), 1);
  return [
    dayAfter('2024-02-01', day),
    STATIONS[station] ?? '',
    level,
    random.maybe(flow, 0.05),
    random.normal(6 + day / 12, 1.2, 1),
    level > 2.9,
  ];
}

export const RIVER_LEVELS: BenchTable = {
  name: 'river_levels',
  timeField: 'measured_on',
  metaField: 'station',
  columns: {
    ...{ measured_on: 'DATE', station: 'VARCHAR', level_m: 'DOUBLE', flow_m3s: 'DOUBLE', water_temp_c: 'DOUBLE' },
    alarm: 'BOOLEAN',
  },
  rows: (random) => times(360, (index) => riverLevel(random, index)),
};

const BIRDS = [
  ['Reed Warbler', 66, 12],
  ['Blackbird', 130, 96],
  ['Great Tit', 75, 18],
  ['Robin', 72, 17.5],
  ['Goldcrest', 54, 5.6],
] as const;

function bird(random: Random, index: number): (string | number | null)[] {
  const [species, wing, mass] = random.pick(BIRDS, 1.2);
  const sex = random.pick(['F', 'M']);
  const own = wing + (sex === 'M' ? 1.8 : 0) + random.normal(0, 2, 2);
  return [
    `0${String(41000 + index * 7)}`,
    species,
    random.pick(['Marsh', 'Orchard', 'Quarry', 'Churchyard']),
    rounded(own, 1),
    random.maybe(rounded(mass * (own / wing) ** 2 * (1 + random.normal(0, 0.05, 4)), 1), 0.08),
    random.maybe(sex, 0.12),
    random.pick(['adult', 'juvenile'], 0.8),
    dayAfter('2022-04-02', Math.floor(index * 3.3)),
  ];
}

export const BIRD_RINGING: BenchTable = {
  name: 'bird ringing',
  timeField: 'observed',
  metaField: 'ring_no',
  columns: {
    ...{ ring_no: 'VARCHAR', species: 'VARCHAR', site: 'VARCHAR', wing_mm: 'DOUBLE', mass_g: 'DOUBLE', sex: 'VARCHAR' },
    ...{ age_class: 'VARCHAR', observed: 'DATE' },
  },
  missing: 'NA',
  rows: (random) => times(160, (index) => bird(random, index)),
};

const REGIONS = ['North', 'Coast', 'Highlands', 'Plains'];
const OWNERS = ['Helio Partners', 'Brightfield', 'Sunder & Co', 'Municipal Utility', 'Arc Renewables'];

function solarPlant(random: Random, index: number): (string | number | null)[] {
  const capacity = random.skewed(24, 0.8, 1);
  const tracker = random.chance(0.35);
  return [
    `${random.pick(['Ridge', 'Meadow', 'Lake', 'Quarry', 'Airfield', 'Valley'])} ${String(index + 1)}`,
    random.pick(REGIONS, 1.2),
    capacity,
    random.maybe(rounded(capacity * (tracker ? 1.75 : 1.35) * (1 + random.normal(0, 0.07, 4)), 1), 0.07),
    random.int(2008, 2023),
    random.int(10, 40),
    tracker ? 'tracking' : 'fixed',
    random.maybe(random.pick(OWNERS, 1.3), 0.1),
  ];
}

export const SOLAR_PLANTS: BenchTable = {
  name: 'Solar plants',
  timeField: null,
  metaField: 'Plant',
  columns: {
    ...{ Plant: 'VARCHAR', Region: 'VARCHAR', 'Capacity (MW)': 'DOUBLE', 'Annual Output (GWh)': 'DOUBLE' },
    ...{ 'Year Opened': 'BIGINT', 'Tilt (deg)': 'BIGINT', Mounting: 'VARCHAR', Owner: 'VARCHAR' },
  },
  rows: (random) => times(90, (index) => solarPlant(random, index)),
};

const CONTINENTS = ['Oristan', 'Velmar', 'Thule', 'Kessara'];

function country(random: Random, index: number): (string | number | boolean | null)[] {
  const population = random.skewed(9, 1.1, 2);
  const wealth = random.skewed(17, 0.7, 3);
  const stems = ['Bel', 'Cor', 'Dra', 'Esh', 'Fal', 'Gor', 'Hest', 'Ilm', 'Jor', 'Kal'];
  const ends = ['avia', 'onia', 'istan', 'land'];
  const stem = stems[index % stems.length] ?? '';
  return [
    `${stem}${ends[Math.floor(index / stems.length)] ?? ''}`,
    random.pick(CONTINENTS),
    population,
    random.skewed(180_000, 1, 0),
    random.maybe(rounded(population * wealth, 1), 0.08),
    random.maybe(rounded(58 + 6 * Math.log(wealth) + random.normal(0, 1.8, 2), 1), 0.05),
    `${stem}${random.pick(['burg', 'mouth', 'minster', 'haven'])}`,
    random.chance(0.7),
  ];
}

export const COUNTRIES: BenchTable = {
  name: 'countries of the atlas',
  timeField: null,
  metaField: 'country',
  columns: {
    ...{ country: 'VARCHAR', continent: 'VARCHAR', pop_m: 'DOUBLE', area_km2: 'BIGINT', gdp_bn: 'DOUBLE' },
    ...{ life_exp: 'DOUBLE', capital: 'VARCHAR', coastal: 'BOOLEAN' },
  },
  rows: (random) => times(40, (index) => country(random, index)),
};
