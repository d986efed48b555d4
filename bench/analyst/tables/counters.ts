import { times, type BenchTable, type TableCell } from '../bench-table.js';
import { dayAfter, minuteAfter, rounded, type Random } from '../random.js';

const BLOOD_GROUPS = ['O+', 'A+', 'B+', 'O-', 'A-', 'AB+', 'B-'];
const CENTRES = ['Mill Lane', 'Harbour Clinic', 'Mobile Unit 2', 'St Anne'];

interface Checked {
  readonly haemoglobin: number;
  readonly limit: number;
  readonly pressure: number;
}

function deferral(random: Random, { haemoglobin, limit, pressure }: Checked): string | null {
  if (haemoglobin < limit) return 'low Hb';
  if (pressure > 150) return 'high BP';
  return random.chance(0.05) ? 'travel' : null;
}

/** What was drawn, in millilitres; now and then a donation is broken off. */
function volume(random: Random): number {
  return random.chance(0.07) ? random.int(180, 430) : 450;
}

function donation(random: Random, index: number): TableCell[] {
  const sex = random.chance(0.52) ? 'F' : 'M';
  const haemoglobin = random.normal(sex === 'F' ? 13.4 : 15, 1, 1);
  const pressure = Math.round(random.normal(126, 13, 1));
  const reason = deferral(random, { haemoglobin, limit: sex === 'F' ? 12.5 : 13.5, pressure });
  return [
    880001 + index,
    `D${String(random.int(100, 240))}`,
    dayAfter('2023-09-04', Math.floor(index * 1.6) + random.int(0, 1)),
    random.pick(CENTRES, 1.3),
    random.pick(BLOOD_GROUPS, 1.7),
    sex,
    random.int(18, 69),
    random.maybe(Math.max(50, random.normal(sex === 'F' ? 67 : 82, 10, 1)), 0.05),
    random.maybe(haemoglobin, 0.06),
    pressure,
    reason === null ? volume(random) : null,
    random.chance(0.23) ? 'Y' : 'N',
    reason === null ? 'N' : 'Y',
    reason,
  ];
}

export const DONATIONS: BenchTable = {
  name: 'blood_donations',
  timeField: 'don_date',
  metaField: 'centre',
  columns: {
    ...{
      don_id: 'BIGINT',
      donor_no: 'VARCHAR',
      don_date: 'DATE',
      centre: 'VARCHAR',
      bld_grp: 'VARCHAR',
      sex: 'VARCHAR',
    },
    ...{ age_yrs: 'BIGINT', wt_kg: 'DOUBLE', hb_g_dl: 'DOUBLE', sys_bp: 'BIGINT', vol_ml: 'BIGINT' },
    ...{ first_time: 'VARCHAR', deferred: 'VARCHAR', defer_reason: 'VARCHAR' },
  },
  rows: (random) => times(190, (index) => donation(random, index)),
};

const VIOLATIONS: readonly (readonly [string, string, number])[] = [
  ['V01', 'expired meter', 35],
  ['V02', 'no permit', 60],
  ['V03', 'double parking', 80],
  ['V04', 'fire hydrant', 115],
  ['V05', 'loading zone', 50],
];
const STREETS = ['Elm St', 'Quay Rd', 'Station Sq', 'Castle Hill', 'Mercer Ave'];
const MAKES = ['Toyota', 'Ford', 'Skoda', 'BMW', 'Fiat', 'Tesla'];

function fine(random: Random, index: number): TableCell[] {
  const [code, words, amount] = random.pick(VIOLATIONS, 1.4);
  const issued = index * 530 + random.int(0, 420);
  const isPaid = random.chance(0.68);
  const isAppealed = random.chance(isPaid ? 0.05 : 0.3);
  return [
    3300100 + index,
    minuteAfter('2023-11-01T07:30', issued),
    random.pick(['A', 'B', 'C1', 'C2'], 1.2),
    code,
    words,
    amount + (random.chance(0.15) ? 25 : 0),
    isPaid ? 'Y' : 'N',
    isPaid
      ? dayAfter('2023-11-01', Math.floor((issued + 450) / 1440) + 1 + Math.round(random.skewed(11, 0.8, 1)))
      : null,
    random.maybe(random.pick(MAKES, 1.3), 0.04),
    random.pick(['car', 'car', 'van', 'motorbike', 'truck'], 1.3),
    random.pick(STREETS, 1.2),
    `PO-${String(random.int(11, 16))}`,
    isAppealed ? 1 : 0,
  ];
}

export const FINES: BenchTable = {
  name: 'PARKING_FINES',
  timeField: 'ISSUED_AT',
  metaField: 'ZONE_CD',
  missing: 'NULL',
  columns: {
    ...{ TICKET_NO: 'BIGINT', ISSUED_AT: 'TIMESTAMP', ZONE_CD: 'VARCHAR', VIOL_CD: 'VARCHAR', VIOL_DESC: 'VARCHAR' },
    ...{ FINE_AMT: 'DOUBLE', PAID_YN: 'VARCHAR', PAID_DT: 'DATE', VEH_MAKE: 'VARCHAR', VEH_TYPE: 'VARCHAR' },
    ...{ ST_NAME: 'VARCHAR', OFFICER_ID: 'VARCHAR', APPEALED: 'BIGINT' },
  },
  rows: (random) => times(230, (index) => fine(random, index)),
};

const AGENTS = ['Priya', 'Tomas', 'Wendy', 'Kofi', 'Lena'];
const TOPICS = ['billing', 'outage', 'contract', 'moving house', 'router'];

function call(random: Random, index: number): TableCell[] {
  const agent = random.pick(AGENTS);
  const topic = random.pick(TOPICS, 1.2);
  const wait = Math.round(random.skewed(topic === 'outage' ? 140 : 70, 0.7, 1));
  const talk = Math.round(random.skewed(agent === 'Kofi' ? 210 : 290, 0.45, 1));
  const isResolved = random.chance(agent === 'Lena' ? 0.88 : 0.7);
  const rating = Math.round(random.normal((isResolved ? 4.2 : 2.5) - wait / 400, 0.8, 2));
  return [
    `C${String(1000 + index)}`,
    minuteAfter('2024-02-05T08:00', Math.floor(index / 40) * 1440 + (index % 40) * 14 + random.int(0, 9)),
    agent,
    topic,
    wait,
    talk,
    isResolved ? random.int(0, 1) : random.int(0, 3),
    isResolved ? 'yes' : 'no',
    random.maybe(Math.min(5, Math.max(1, rating)), 0.3),
    random.pick(['en', 'en', 'fr', 'de'], 1.2),
  ];
}

export const CALLS: BenchTable = {
  name: 'call centre log',
  timeField: 'Call Start',
  metaField: 'Agent',
  columns: {
    ...{ 'Call ID': 'VARCHAR', 'Call Start': 'TIMESTAMP', Agent: 'VARCHAR', Topic: 'VARCHAR', 'Wait (s)': 'BIGINT' },
    ...{ 'Talk (s)': 'BIGINT', Transfers: 'BIGINT', 'Resolved?': 'VARCHAR', CSAT: 'BIGINT', Lang: 'VARCHAR' },
  },
  rows: (random) => times(240, (index) => call(random, index)),
};

const ADJUSTERS = ['Novak', 'Okafor', 'Lindqvist', 'Perez'];

function claim(random: Random, index: number): TableCell[] {
  const type = random.pick(['motor', 'home', 'travel', 'liability'], 1.3);
  const claimed = random.skewed(type === 'home' ? 3800 : type === 'travel' ? 600 : 2100, 0.8, 2);
  const excess = random.pick([0, 150, 300, 500]);
  const status = random.pick(['paid', 'paid', 'open', 'rejected'], 1.1);
  const lossDay = index * 3 + random.int(0, 2);
  return [
    `CL-${String(20400 + index * 7)}`,
    type,
    dayAfter('2022-06-01', lossDay),
    random.maybe(dayAfter('2022-06-01', lossDay + Math.round(random.skewed(6, 0.9, 1))), 0.04),
    claimed,
    status === 'paid' ? Math.max(0, rounded(claimed - excess, 2)) : null,
    excess,
    random.pick(['North', 'South', 'Coast', 'Capital']),
    random.maybe(random.pick(ADJUSTERS), 0.06),
    status,
    random.chance(status === 'rejected' ? 0.45 : 0.05) ? 1 : 0,
    random.maybe(random.int(19, 82), 0.05),
  ];
}

export const CLAIMS: BenchTable = {
  name: 'insuranceClaims',
  timeField: 'lossDate',
  metaField: 'policyType',
  columns: {
    ...{ claimNo: 'VARCHAR', policyType: 'VARCHAR', lossDate: 'DATE', reportedOn: 'DATE', claimedAmt: 'DOUBLE' },
    ...{ paidAmt: 'DOUBLE', excess: 'BIGINT', region: 'VARCHAR', adjuster: 'VARCHAR', status: 'VARCHAR' },
    ...{ fraudFlag: 'BIGINT', holderAge: 'BIGINT' },
  },
  rows: (random) => times(210, (index) => claim(random, index)),
};
