import { times, type BenchTable, type TableCell } from '../bench-table.js';
import { dayAfter, minuteAfter, rounded, type Random } from '../random.js';

const OUTCOMES = ['discharged', 'admitted', 'transferred', 'left unseen'];

function attendance(random: Random, index: number): TableCell[] {
  const urgency = random.pick([3, 4, 3, 2, 4, 5, 1], 1.1);
  const age = Math.min(96, Math.max(1, random.normal(46, 23, 0)));
  return [
    `AT${String(index + 1).padStart(5, '0')}`,
    minuteAfter('2024-01-08T00:20', index * 97 + random.int(0, 90)),
    urgency,
    age,
    random.maybe(random.pick(['female', 'male']), 0.05),
    random.pick(['walk-in', 'ambulance', 'referred by GP', 'police'], urgency < 3 ? 0.9 : 1.8),
    random.skewed(6 + urgency * 13, 0.55, 0),
    random.maybe(random.int(0, 10), 0.16),
    random.maybe(random.normal(112 - urgency * 7, 11, 0), 0.08),
    random.pick(OUTCOMES, urgency < 3 ? 0.8 : 1.9),
    random.chance(0.11),
  ];
}

export const ATTENDANCES: BenchTable = {
  name: 'ed-attendances',
  timeField: 'arrival-time',
  metaField: 'attendance-no',
  columns: {
    ...{ 'attendance-no': 'VARCHAR', 'arrival-time': 'TIMESTAMP', 'triage-level': 'BIGINT', 'patient-age': 'BIGINT' },
    ...{ sex: 'VARCHAR', 'mode-of-arrival': 'VARCHAR', 'wait-minutes': 'BIGINT', 'pain-score': 'BIGINT' },
    ...{ 'heart-rate': 'BIGINT', outcome: 'VARCHAR', returned: 'BOOLEAN' },
  },
  missing: 'N/A',
  rows: (random) => times(240, (index) => attendance(random, index)),
};

const AIRPORTS = ['VIE', 'BGO', 'LIS', 'KRK', 'ATH', 'DUB'];
const DISTANCES = [420, 910, 2280, 640, 1710, 1490];
const CARRIERS = ['Nordlys', 'Blue Heron', 'Cielo', 'Transmont'];

function flight(random: Random, index: number): TableCell[] {
  const carrier = random.int(0, 3);
  const destination = random.int(0, 5);
  const isCancelled = random.chance(0.05);
  const aircraft = random.pick(['A320', 'E190', 'AT72'], 1.3);
  const seats = { A320: 150, E190: 88, AT72: 61 }[aircraft] ?? 0;
  const delay = Math.round(random.skewed(14 + carrier * 5, 0.7, 2) - 12);
  return [
    `${['NL', 'BH', 'CI', 'TM'][carrier] ?? ''}${String(100 + index)}`,
    CARRIERS[carrier] ?? '',
    random.pick(['ZRH', 'HAM'], 1.3),
    AIRPORTS[destination] ?? '',
    minuteAfter('2024-06-03T05:30', Math.floor(index / 12) * 1440 + (index % 12) * 85 + random.int(0, 40)),
    isCancelled ? null : delay,
    (DISTANCES[destination] ?? 0) + carrier * 10,
    isCancelled ? null : Math.min(seats + 12, Math.max(9, random.normal(seats * 0.86, 13, 0))),
    aircraft,
    isCancelled,
  ];
}

export const FLIGHTS: BenchTable = {
  name: 'FlightLog',
  timeField: 'SchedDeparture',
  metaField: 'FlightNo',
  columns: {
    ...{ FlightNo: 'VARCHAR', Carrier: 'VARCHAR', Origin: 'VARCHAR', Destination: 'VARCHAR' },
    ...{ SchedDeparture: 'TIMESTAMP', DepDelayMin: 'BIGINT', DistanceKm: 'BIGINT', Passengers: 'BIGINT' },
    ...{ Aircraft: 'VARCHAR', Cancelled: 'BOOLEAN' },
  },
  rows: (random) => times(300, (index) => flight(random, index)),
};

const CLAIMS = ['Breach of contract', 'Personal injury', 'Property damage', 'Unpaid wages', 'Defamation'];

function courtCase(random: Random, index: number): TableCell[] {
  const filed = Math.floor(index * 6.3) + random.int(0, 5);
  const claimed = Math.round(random.skewed(38_000, 0.9, 0) / 50) * 50;
  const isOpen = random.chance(0.18);
  const hasLawyer = random.chance(0.63);
  const hearings = random.pick([1, 2, 2, 3, 1, 4, 5, 7]);
  const share = Math.min(1, Math.max(0, random.normal(hasLawyer ? 0.55 : 0.38, 0.27, 2)));
  return [
    `${String(index + 1).padStart(3, '0')}/${String(2021 + Math.floor((filed + 3) / 365))}`,
    dayAfter('2021-01-04', filed),
    isOpen ? null : dayAfter('2021-01-04', filed + Math.round(60 + hearings * 45 + random.skewed(90, 0.5, 0))),
    random.pick(['Altstadt', 'Seefeld', 'Hardegg']),
    random.pick(CLAIMS, 1.4),
    claimed,
    isOpen ? null : Math.round(claimed * share),
    hasLawyer ? 'Y' : 'N',
    random.pick(['Ammann', 'Brisco', 'Cavelti', 'Dorn', 'Egger'], 1.1),
    hearings,
  ];
}

export const COURT_CASES: BenchTable = {
  name: 'Civil court cases',
  timeField: 'Filed',
  metaField: 'Case No.',
  columns: {
    ...{ 'Case No.': 'VARCHAR', Filed: 'DATE', Closed: 'DATE', Court: 'VARCHAR', 'Type of Claim': 'VARCHAR' },
    ...{ 'Amount Claimed (CHF)': 'BIGINT', 'Amount Awarded (CHF)': 'BIGINT', 'Claimant Represented': 'VARCHAR' },
    ...{ Judge: 'VARCHAR', Hearings: 'BIGINT' },
  },
  rows: (random) => times(150, (index) => courtCase(random, index)),
};

const CENTRES = ['1100', '1200', '2050', '3300', '0400'];

function invoice(random: Random, index: number): TableCell[] {
  const day = Math.floor(index * 1.8);
  const terms = random.pick([30, 14, 60], 1.2);
  const isPaid = random.chance(0.84);
  const amount = random.skewed(1250, 0.95, 2);
  return [
    `INV-${String(70_310 + index)}`,
    String(random.int(1, 24) * 37).padStart(6, '0'),
    random.pick(CENTRES, 1.3),
    dayAfter('2023-01-02', day),
    dayAfter('2023-01-02', day + terms),
    isPaid ? dayAfter('2023-01-02', day + Math.max(1, terms + random.normal(2, 9, 0))) : null,
    amount,
    random.pick([20, 20, 10, 0]),
    random.pick(['EUR', 'GBP', 'PLN'], 1.9),
    isPaid ? 'P' : random.pick(['O', 'D', 'W']),
    random.chance(0.27),
  ];
}

/** STAT: P paid, O open, D disputed, W written off. */
export const INVOICES: BenchTable = {
  name: 'AR_LEDGER',
  timeField: 'INV_DT',
  metaField: 'INV_NO',
  columns: {
    ...{ INV_NO: 'VARCHAR', CUST_CODE: 'VARCHAR', COST_CTR: 'VARCHAR', INV_DT: 'DATE', DUE_DT: 'DATE' },
    ...{ PAID_DT: 'DATE', NET_AMT: 'DOUBLE', VAT_PCT: 'BIGINT', CURR: 'VARCHAR', STAT: 'VARCHAR', REMINDED: 'BOOLEAN' },
  },
  missing: 'NULL',
  rows: (random) => times(200, (index) => invoice(random, index)),
};

const JOBS = ['load_customers', 'merge_orders', 'rank_products', 'dedupe_events', 'export_ledger'];

function jobRun(random: Random, index: number): TableCell[] {
  const job = index % 5;
  const read = Math.round(random.skewed(180_000 * (job + 1), 0.45, 0));
  const code = random.pick([0, 0, 0, 0, 0, 0, 0, 1, 137, 2], 1);
  return [
    index + 9001,
    JOBS[job] ?? '',
    minuteAfter('2024-03-01T00:05', index * 72),
    rounded(20 + read / 4200 + Math.abs(random.normal(0, 28, 2)), 1),
    read,
    code === 0 ? Math.round(read * (0.82 + random.next() * 0.17)) : 0,
    code,
    random.pick(['alpha', 'beta', 'gamma'], 1.2),
    code === 0 ? random.pick([0, 0, 0, 1]) : random.int(1, 3),
    random.maybe(Math.min(100, Math.max(2, random.normal(58 + job * 4, 14, 1))), 0.1),
    random.chance(0.3),
  ];
}

export const JOB_RUNS: BenchTable = {
  name: 'job runs',
  timeField: 'started.at',
  metaField: 'run.id',
  columns: {
    ...{ 'run.id': 'BIGINT', 'job.name': 'VARCHAR', 'started.at': 'TIMESTAMP', 'duration.s': 'DOUBLE' },
    ...{ 'rows.read': 'BIGINT', 'rows.written': 'BIGINT', 'exit.code': 'BIGINT', cluster: 'VARCHAR' },
    ...{ retries: 'BIGINT', 'cpu.pct': 'DOUBLE', 'spot.instance': 'BOOLEAN' },
  },
  rows: (random) => times(300, (index) => jobRun(random, index)),
};
