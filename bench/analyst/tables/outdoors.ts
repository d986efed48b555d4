import { times, type BenchTable, type TableCell } from '../bench-table.js';
import { minuteAfter, rounded, type Random } from '../random.js';

function heatPump(random: Random, index: number): TableCell[] {
  const brand = random.pick(['Nordluft', 'Aerotherm', 'Kelvin & Co', 'Vanta']);
  const hasFloorHeating = random.chance(0.55);
  const outdoor = random.normal(3, 6, 1);
  const flow = Math.round(random.normal(hasFloorHeating ? 35 : 48, 3, 1));
  const performance = 6.6 - flow * 0.07 + outdoor * 0.06 + (brand === 'Vanta' ? 0.35 : 0) + random.normal(0, 0.28, 3);
  return [
    `HP${String(index + 1).padStart(3, '0')}`,
    brand,
    random.int(2016, 2023),
    random.pick(['R290', 'R32', 'R410A']),
    outdoor,
    flow,
    random.maybe(Math.max(1.4, rounded(performance, 2)), 0.07),
    Math.max(0.6, random.normal(2.4, 0.7, 2)),
    random.maybe(random.normal(52, 4.5, 1), 0.1),
    random.chance(0.7) ? 0 : random.int(1, 6),
    Math.round(random.skewed(145, 0.3, 1)),
    hasFloorHeating,
  ];
}

export const HEAT_PUMPS: BenchTable = {
  name: 'heat pump trial',
  timeField: null,
  metaField: 'Unit ID',
  missing: 'NA',
  columns: {
    ...{
      'Unit ID': 'VARCHAR',
      Brand: 'VARCHAR',
      'Install yr': 'BIGINT',
      Refrigerant: 'VARCHAR',
      'Outdoor °C': 'DOUBLE',
    },
    ...{ 'Flow °C': 'BIGINT', COP: 'DOUBLE', 'P_el (kW)': 'DOUBLE', 'Noise dB(A)': 'DOUBLE', Faults: 'BIGINT' },
    ...{ 'House m²': 'BIGINT', 'Floor heating': 'BOOLEAN' },
  },
  rows: (random) => times(160, (index) => heatPump(random, index)),
};

const REGIONS = ['Corran Trench', 'Isle of Vey', 'North Ridge', 'Basalt Coast', 'Lake Oru'];

function quake(random: Random, index: number): TableCell[] {
  const magnitude = Math.min(7.9, rounded(2.5 - Math.log(1 - random.next()) * 0.8, 1));
  const region = random.pick(REGIONS, 1.2);
  const depth = random.skewed(region === 'Corran Trench' ? 60 : 14, 0.8, 1);
  const isFelt = magnitude > 3.2 && random.chance(0.8);
  return [
    `ev${String(70213 + index * 3)}`,
    minuteAfter('2021-01-03T02:10', index * 3900 + random.int(0, 3600)),
    rounded(38 + random.next() * 6, 3),
    rounded(-23.5 + random.next() * 8, 3),
    random.maybe(depth, 0.04),
    magnitude,
    random.pick(['ml', 'mb', 'mw'], 1.4),
    region,
    isFelt ? Math.round(random.skewed(magnitude ** 2 * 2, 0.9, 1)) : null,
    magnitude > 5 && random.chance(0.6) ? 1 : 0,
    Math.max(4, Math.round(magnitude * 14 + random.normal(0, 12, 1))),
    random.maybe(Math.max(0.05, random.normal(0.55, 0.2, 2)), 0.08),
  ];
}

export const QUAKES: BenchTable = {
  name: 'quakes',
  timeField: 'occurred_utc',
  metaField: 'region',
  columns: {
    ...{
      eventId: 'VARCHAR',
      occurred_utc: 'TIMESTAMP',
      lat: 'DOUBLE',
      lon: 'DOUBLE',
      depth_km: 'DOUBLE',
      mag: 'DOUBLE',
    },
    ...{ mag_type: 'VARCHAR', region: 'VARCHAR', felt_reports: 'BIGINT', tsunami: 'BIGINT', n_stations: 'BIGINT' },
    rms: 'DOUBLE',
  },
  rows: (random) => times(260, (index) => quake(random, index)),
};

export const LAKES: BenchTable = {
  name: 'lake register',
  timeField: null,
  metaField: 'lake_name',
  columns: {
    ...{ lake_name: 'VARCHAR', district: 'VARCHAR', elev_m: 'BIGINT', area_km2: 'DOUBLE', max_depth_m: 'DOUBLE' },
    ...{ secchi_m: 'DOUBLE', P_tot_ugL: 'DOUBLE', pH: 'DOUBLE', trophic: 'VARCHAR', swim_ok: 'VARCHAR' },
    ...{ boats: 'VARCHAR', last_sampled: 'DATE', n_fish_spp: 'BIGINT' },
  },
  rows: () => [
    ['Lake Arden', 'Westmark', 412, 38.2, 152, 7.4, 8, 8.1, 'oligo', 'Y', 'all', '2023-08-14', 24],
    ['Black Mere', 'Westmark', 655, 0.8, 11, 1.9, 42, 7.2, 'eu', 'N', 'none', '2023-07-02', 6],
    ['Sollum Water', 'Hinterland', 390, 12.5, 64, 5.1, 14, 7.9, 'meso', 'Y', 'rowing', '2022-09-20', 17],
    ['Tarn of Eyes', 'High Fells', 1840, 0.2, 19, 9.8, 3, 6.6, 'oligo', 'Y', 'none', '2023-08-29', 2],
    ['Lake Orsa', 'Hinterland', 377, 71.4, 203, 6.2, 11, 8.0, 'meso', 'Y', 'all', '2023-09-05', 29],
    ['Fenwick Pool', 'Lowland', 96, 1.6, 4.5, 0.6, 118, 8.6, 'hyper', 'N', 'rowing', '2023-06-18', 9],
    ['Grey Loch', 'High Fells', 1215, 3.3, 47, 8.3, 5, 6.9, 'oligo', 'Y', 'rowing', '2022-08-11', 5],
    ['Millpond Upper', 'Lowland', 110, 0.4, 3.1, null, 96, null, 'eu', 'N', 'none', null, 7],
    ['Lake Vessel', 'Westmark', 433, 22.9, 88, 4.4, 19, 8.2, 'meso', 'Y', 'all', '2023-08-15', 21],
    ['Heron Lake', 'Lowland', 132, 6.7, 9.8, 1.2, 61, 8.4, 'eu', 'Y', 'all', '2023-06-19', 15],
    ['Cold Basin', 'High Fells', 1972, 0.5, 31, 11.2, 2, 6.4, 'oligo', null, 'none', '2021-09-01', 1],
    ['Lake Mirrow', 'Hinterland', 501, 5.8, 40, 5.6, 12, 7.8, 'meso', 'Y', 'rowing', '2023-09-06', 14],
    ['Saint Olave Mere', 'Lowland', 88, 2.2, 6.3, 0.9, 87, 8.5, 'eu', 'N', 'rowing', '2022-07-25', 10],
    ['Lake Tolm', 'Westmark', 698, 9.1, 102, 7.9, 6, 7.7, 'oligo', 'Y', 'rowing', '2023-08-16', 12],
    ['Upper Brand', 'High Fells', 1433, 1.1, 26, null, 4, 6.8, 'oligo', 'Y', 'none', '2020-08-19', 3],
    ['Lower Brand', 'High Fells', 1120, 1.9, 22, 6.7, 7, 7.0, 'oligo', 'Y', 'none', '2020-08-19', 4],
    ['Reed Broad', 'Lowland', 61, 4.0, 2.8, 0.5, 143, 8.8, 'hyper', 'N', 'all', '2023-06-21', 11],
    ['Lake Quill', 'Hinterland', 466, 16.4, 75, 4.9, null, 7.9, 'meso', 'Y', 'all', '2022-09-21', 18],
    ['Duchess Lake', 'Westmark', 520, 3.7, 35, 3.3, 25, 8.0, 'meso', 'Y', 'rowing', '2023-07-03', 13],
    ['Old Quarry', 'Lowland', 140, 0.3, 38, 6.0, 10, 7.6, 'meso', 'N', 'none', '2021-05-12', 2],
    ['Lake Umber', 'Hinterland', 604, 7.5, 58, 2.8, 33, 7.5, 'eu', 'N', 'rowing', '2023-09-07', 13],
    ['Finn Water', 'Hinterland', 845, 2.6, 29, 6.9, 9, 7.3, 'meso', 'Y', 'none', '2022-09-22', 8],
  ],
};
