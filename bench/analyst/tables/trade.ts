import { times, type BenchTable } from '../bench-table.js';
import { dayAfter, minuteAfter, rounded, type Random } from '../random.js';

const ORIGINS = ['Ethiopia', 'Colombia', 'Brazil', 'Guatemala', 'Kenya', 'Sumatra'];

function roastBatch(random: Random, index: number): (string | number | null)[] {
  const green = random.pick([6, 12, 12, 15, 24]);
  const duration = random.normal(11.8, 1.6, 1);
  const process = random.pick(['washed', 'natural', 'honey'], 1.3);
  const score = 92 - 0.5 * duration + (process === 'washed' ? 1 : 0) + random.normal(0, 1.3, 3);
  return [
    `RB-${String(2001 + index)}`,
    random.pick(ORIGINS, 1.2),
    process,
    random.pick(['light', 'medium', 'dark'], 1.2),
    green,
    rounded(green * (0.9 - 0.005 * duration + random.normal(0, 0.008, 4)), 2),
    duration,
    random.maybe(rounded(score, 2), 0.11),
    random.normal(10.9, 0.5, 1),
    dayAfter('2024-01-08', Math.floor(index * 1.4)),
  ];
}

export const ROAST_BATCHES: BenchTable = {
  name: 'roastBatches',
  timeField: 'roastedOn',
  metaField: 'batchId',
  columns: {
    ...{ batchId: 'VARCHAR', originCountry: 'VARCHAR', process: 'VARCHAR', roastLevel: 'VARCHAR' },
    ...{ greenWeightKg: 'BIGINT', roastedWeightKg: 'DOUBLE', durationMin: 'DOUBLE', cupScore: 'DOUBLE' },
    ...{ moisturePct: 'DOUBLE', roastedOn: 'DATE' },
  },
  rows: (random) => times(120, (index) => roastBatch(random, index)),
};

const CARS = [
  ['Tavora', ['Swift', 'Nomad', 'Piccolo'], 14_000],
  ['Brandt', ['B3', 'B5', 'Kombi'], 24_000],
  ['Hoshi', ['Mira', 'Ren'], 11_500],
  ['Calder', ['Estate', 'Ranger'], 19_000],
] as const;

function car(random: Random): (string | number | null)[] {
  const [make, models, base] = random.pick(CARS, 1.1);
  const year = random.int(2006, 2023);
  const mileage = Math.max(900, Math.round((2024 - year) * random.normal(11_500, 3500, 0)));
  const price = base * 0.9 ** (2023 - year) * (1 - mileage / 900_000) * (1 + random.normal(0, 0.09, 4));
  return [
    make,
    random.pick(models),
    year,
    Math.round(price / 50) * 50,
    random.maybe(mileage, 0.04),
    random.pick(['petrol', 'diesel', 'hybrid', 'electric'], 1.5),
    random.pick(['manual', 'automatic'], 1.2),
    random.pick([3, 5, 5, 5]),
    random.int(1, 4),
    random.maybe(random.pick(['white', 'black', 'silver', 'blue', 'red']), 0.05),
  ];
}

export const USED_CARS: BenchTable = {
  name: 'used cars',
  timeField: null,
  metaField: 'make',
  columns: {
    ...{ make: 'VARCHAR', model: 'VARCHAR', year: 'BIGINT', price: 'BIGINT', mileage: 'BIGINT', fuel: 'VARCHAR' },
    ...{ gearbox: 'VARCHAR', doors: 'BIGINT', owners: 'BIGINT', colour: 'VARCHAR' },
  },
  rows: (random) => times(150, () => car(random)),
};

const PRODUCTS = [
  ['Desk lamp', 'Lighting', 34.9],
  ['Floor lamp', 'Lighting', 89],
  ['Oak desk', 'Furniture', 349],
  ['Office chair', 'Furniture', 189.5],
  ['Notebook A5', 'Stationery', 4.2],
  ['Fountain pen', 'Stationery', 27.8],
  ['Monitor arm', 'Accessories', 74],
] as const;
const CUSTOMERS = [
  'Northwind Ltd',
  'Pemberton',
  'Ikaros',
  'Blue Yonder',
  'Quill & Sons',
  'Atelier Roux',
  'Zenit',
  'Hallam',
];

function order(random: Random, index: number): (string | number | null)[] {
  const [product, category, price] = random.pick(PRODUCTS);
  return [
    10_001 + index,
    minuteAfter('2023-01-02T08:15', index * 1745 + random.int(0, 600)),
    random.pick(CUSTOMERS, 1.3),
    random.pick(['Retail', 'Business', 'Public sector'], 1.3),
    product,
    category,
    Math.max(1, Math.round(random.skewed(2, 0.8, 0))),
    price,
    random.pick([0, 0, 0, 5, 10, 20]),
    random.maybe(random.skewed(7.5, 0.4, 2), 0.07),
    random.pick(['delivered', 'shipped', 'returned', 'cancelled'], 2.2),
    random.pick(['01067', '04109', '10115', '20095', '50667', '80331']),
  ];
}

export const ORDERS: BenchTable = {
  name: 'orders',
  timeField: 'ordered_at',
  metaField: 'customer',
  columns: {
    ...{ order_id: 'BIGINT', ordered_at: 'TIMESTAMP', customer: 'VARCHAR', segment: 'VARCHAR', product: 'VARCHAR' },
    ...{ category: 'VARCHAR', quantity: 'BIGINT', unit_price: 'DOUBLE', discount_pct: 'BIGINT' },
    ...{ shipping_cost: 'DOUBLE', status: 'VARCHAR', postcode: 'VARCHAR' },
  },
  rows: (random) => times(300, (index) => order(random, index)),
};

function cheese(random: Random, index: number): (string | number | boolean | null)[] {
  const months = random.pick([0, 1, 2, 3, 6, 9, 12, 18, 24, 36], 1.3);
  const first = ['Abbey', 'Hollow', 'Tarn', 'Crown', 'Smoked', 'Old', 'Little', 'Velvet', 'Iron', 'Meadow'];
  const second = ['Blue', 'Gold', 'Brie', 'Tomme', 'Cheddar', 'Crottin'];
  return [
    `${first[index % 10] ?? ''} ${second[Math.floor(index / 10)] ?? ''}`,
    random.pick(['France', 'Italy', 'England', 'Spain', 'Switzerland'], 1.2),
    random.pick(['cow', 'goat', 'sheep'], 1.6),
    random.normal(29, 4.5, 1),
    months,
    random.maybe(rounded(16 + months * 0.7 + random.normal(0, 3.5, 3), 2), 0.06),
    random.pick([3, 3.5, 4, 4, 4.5, 5]),
    random.chance(0.6),
  ];
}

export const CHEESES: BenchTable = {
  name: 'Cheese counter',
  timeField: null,
  metaField: 'Cheese',
  columns: {
    ...{ Cheese: 'VARCHAR', Country: 'VARCHAR', Milk: 'VARCHAR', 'Fat (%)': 'DOUBLE', 'Ageing (months)': 'BIGINT' },
    ...{ 'Price per kg': 'DOUBLE', Rating: 'DOUBLE', Pasteurised: 'BOOLEAN' },
  },
  rows: (random) => times(60, (index) => cheese(random, index)),
};

function flat(random: Random, index: number): (string | number | boolean | null)[] {
  const rooms = random.pick([1, 2, 2, 3, 3, 4, 5]);
  const size = Math.max(19, Math.round(rooms * 24 + random.normal(4, 7, 1)));
  const district = random.pick(['Harbour', 'Old Town', 'Westend', 'Linden', 'Garden City'], 1.2);
  const dear = { Harbour: 14.5, 'Old Town': 15.8, Westend: 12.1, Linden: 10.9, 'Garden City': 11.4 }[district] ?? 12;
  const rent = Math.round(size * (dear + random.normal(0, 1.3, 3)) * (index === 77 ? 3.4 : 1));
  return [
    `F-${String(index + 1).padStart(3, '0')}`,
    district,
    rooms,
    size,
    rent,
    random.int(0, 8),
    random.chance(0.45),
    random.int(1898, 2021),
    random.pick(['yes', 'no', 'partly'], 0.7),
    random.maybe(rent * random.pick([2, 3, 3]), 0.18),
  ];
}

export const FLATS: BenchTable = {
  name: 'flats to let',
  timeField: null,
  metaField: 'flat_id',
  columns: {
    ...{ flat_id: 'VARCHAR', district: 'VARCHAR', rooms: 'BIGINT', size_m2: 'BIGINT', rent_eur: 'BIGINT' },
    ...{ floor: 'BIGINT', balcony: 'BOOLEAN', built: 'BIGINT', furnished: 'VARCHAR', deposit_eur: 'BIGINT' },
  },
  rows: (random) => times(200, (index) => flat(random, index)),
};

function fundMonth(random: Random, index: number): (string | number | null)[] {
  const market = random.normal(0.7, 3.4, 3);
  return [
    `${String(2020 + Math.floor(index / 12))}-${String((index % 12) + 1).padStart(2, '0')}-01`,
    rounded(market + random.normal(0, 1, 3), 2),
    rounded(0.4 * market + random.normal(0.3, 1.4, 3), 2),
    rounded(-0.25 * market + random.normal(0.2, 0.6, 3), 2),
    random.maybe(random.normal(0.25, 0.2, 2), 0.06),
    random.normal(180 + index * 3, 14, 1),
  ];
}

export const FUNDS: BenchTable = {
  name: 'fund returns',
  timeField: 'month',
  metaField: 'month_label',
  columns: {
    ...{ month: 'DATE', growth_fund: 'DOUBLE', balanced_fund: 'DOUBLE', bond_fund: 'DOUBLE', inflation: 'DOUBLE' },
    ...{ assets_mn: 'DOUBLE', month_label: 'VARCHAR' },
  },
  rows: (random) => times(48, (index) => [...fundMonth(random, index), `M${String(index + 1).padStart(2, '0')}`]),
};
