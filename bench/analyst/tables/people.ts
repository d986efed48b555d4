import { times, type BenchTable } from '../bench-table.js';
import { dayAfter, minuteAfter, rounded, type Random } from '../random.js';

const BOOKS = [
  ['The Glass Orchard', 'Fiction'],
  ['Salt Roads', 'History'],
  ['A Theory of Knots', 'Science'],
  ['Midnight Ferry', 'Crime'],
  ['The Cartographer', 'Fiction'],
  ['Bread and Ash', 'Cooking'],
  ['Cold Harbour', 'Crime'],
  ['Little Comets', 'Children'],
  ['Owls at Noon', 'Children'],
] as const;

function loan(random: Random, index: number): (string | number | null)[] {
  const [title, genre] = random.pick(BOOKS, 1.2);
  const out = index * 1130 + random.int(0, 500);
  const kept = random.skewed(17, 0.5, 2);
  const fine = kept > 28 ? rounded(Math.floor(kept - 28) * 0.25, 2) : 0;
  return [
    `L${String(5000 + index)}`,
    title,
    genre,
    minuteAfter('2023-06-01T09:00', out),
    random.maybe(minuteAfter('2023-06-01T09:00', out + Math.round(kept * 1440)), 0.07),
    random.pick(['Adult', 'Student', 'Child', 'Senior'], 1.2),
    random.pick(['Central', 'Riverside', 'Hillview'], 1.4),
    fine,
    random.pick([0, 0, 0, 1, 1, 2, 3]),
  ];
}

export const LIBRARY_LOANS: BenchTable = {
  name: 'Library loans',
  timeField: 'Borrowed On',
  metaField: 'Loan ID',
  columns: {
    ...{ 'Loan ID': 'VARCHAR', Title: 'VARCHAR', Genre: 'VARCHAR', 'Borrowed On': 'TIMESTAMP' },
    ...{ 'Returned On': 'TIMESTAMP', 'Member Type': 'VARCHAR', Branch: 'VARCHAR', Fine: 'DOUBLE', Renewals: 'BIGINT' },
  },
  rows: (random) => times(400, (index) => loan(random, index)),
};

function patient(random: Random, index: number): (string | number | null)[] {
  const sex = random.pick(['F', 'M']);
  const age = Math.min(89, Math.max(19, random.normal(52, 16, 0)));
  const height = random.normal(sex === 'M' ? 177 : 164, 7, 0);
  const weight = rounded((height / 100) ** 2 * random.normal(26, 4, 2), 1);
  const group = random.pick(['A', 'B', 'C']);
  const pressure = Math.round(
    95 + age * 0.55 + (weight - 75) * 0.2 - (group === 'C' ? 7 : 0) + random.normal(0, 11, 2),
  );
  return [
    `P${String(index + 101)}`,
    sex,
    age,
    height,
    random.maybe(weight, 0.05),
    pressure,
    Math.round(pressure * 0.45 + random.normal(22, 6, 2)),
    random.maybe(random.normal(5.2, 1, 1), 0.13),
    random.chance(0.24) ? 1 : 0,
    group,
    random.pick(['none', 'hypertension', 'diabetes', 'asthma'], 1.7),
  ];
}

export const PATIENTS: BenchTable = {
  name: 'trial patients',
  timeField: null,
  metaField: 'pid',
  columns: {
    ...{
      pid: 'VARCHAR',
      sex: 'VARCHAR',
      age: 'BIGINT',
      ht_cm: 'BIGINT',
      wt_kg: 'DOUBLE',
      sbp: 'BIGINT',
      dbp: 'BIGINT',
    },
    ...{ chol: 'DOUBLE', smk: 'BIGINT', grp: 'VARCHAR', dx: 'VARCHAR' },
  },
  missing: 'NA',
  rows: (random) => times(180, (index) => patient(random, index)),
};

const FIRST = ['Anna', 'Boris', 'Chen', 'Divya', 'Elif', 'Femi', 'Greta', 'Hugo', 'Ines', 'Jonas', 'Kira', 'Liam'];
const LAST = [
  'Adler',
  'Brook',
  'Castro',
  'Dunn',
  'Eriksen',
  'Fontaine',
  'Gruber',
  'Hart',
  'Ivanov',
  'Jansen',
  'Khan',
  'Lund',
];
const PAY = { Sales: 46_000, Engineering: 64_000, Support: 38_000, Finance: 55_000, Legal: 68_000 } as const;

function employee(random: Random, index: number): (string | number | boolean | null)[] {
  const department = random.pick(['Sales', 'Engineering', 'Support', 'Finance', 'Legal'] as const, 1.3);
  const senior = random.chance(0.3);
  return [
    String(index * 3 + 117).padStart(5, '0'),
    `${FIRST[index % 12] ?? ''} ${LAST[Math.floor(index / 12)] ?? ''}`,
    department,
    `${senior ? 'Senior ' : ''}${random.pick(['Analyst', 'Specialist', 'Associate'])}`,
    Math.round((PAY[department] * (senior ? 1.3 : 1) * (1 + random.normal(0, 0.08, 4))) / 100) * 100,
    random.maybe(random.skewed(3200, 0.5, 0), 0.35),
    dayAfter('2010-03-01', random.int(0, 5000)),
    random.pick(['Leeds', 'Oslo', 'Porto', 'Graz'], 1.2),
    random.chance(0.4),
    random.pick([1, 2, 3, 3, 3, 4, 4, 5]),
  ];
}

export const EMPLOYEES: BenchTable = {
  name: 'EMPLOYEES',
  timeField: 'HIRE_DATE',
  metaField: 'EMP_NO',
  columns: {
    ...{ EMP_NO: 'VARCHAR', NAME: 'VARCHAR', DEPT: 'VARCHAR', TITLE: 'VARCHAR', SALARY: 'BIGINT', BONUS: 'BIGINT' },
    ...{ HIRE_DATE: 'DATE', CITY: 'VARCHAR', REMOTE: 'BOOLEAN', RATING: 'BIGINT' },
  },
  rows: (random) => times(140, (index) => employee(random, index)),
};

function student(random: Random, index: number): (string | number | null)[] {
  const hours = Math.max(0, random.normal(6, 2.4, 1));
  const absences = Math.max(0, Math.round(random.skewed(4, 0.7, 0)));
  const tutor = random.chance(0.3);
  const base = 48 + hours * 3.2 - absences * 0.6 + (tutor ? 3 : 0);
  const mark = (shift: number): number => Math.min(100, Math.max(8, Math.round(base + shift + random.normal(0, 8, 2))));
  return [
    `S${String(index + 1).padStart(3, '0')}`,
    random.pick(['Ashdown', 'Beechwood', 'Cedar Hill']),
    random.int(7, 10),
    mark(0),
    mark(4),
    random.maybe(mark(-2), 0.09),
    absences,
    random.pick(['free', 'reduced', 'paid'], 0.7),
    tutor ? 'yes' : 'no',
    hours,
  ];
}

export const STUDENTS: BenchTable = {
  name: 'students',
  timeField: null,
  metaField: 'student',
  columns: {
    ...{
      student: 'VARCHAR',
      school: 'VARCHAR',
      grade: 'BIGINT',
      maths: 'BIGINT',
      reading: 'BIGINT',
      science: 'BIGINT',
    },
    ...{ absences: 'BIGINT', lunch: 'VARCHAR', tutor: 'VARCHAR', study_hours: 'DOUBLE' },
  },
  rows: (random) => times(220, (index) => student(random, index)),
};

function answerOf(random: Random, index: number): (string | number | boolean | null)[] {
  const waited = random.skewed(9, 0.8, 0);
  const pleased = Math.min(5, Math.max(1, Math.round(4.4 - waited / 14 + random.normal(0, 0.9, 2))));
  const comments = ['Great service', 'Too slow', 'Friendly staff', 'Would not come back', 'ok', 'Prices too high'];
  return [
    index + 1,
    random.pick(['18-29', '30-44', '45-59', '60+']),
    random.maybe(pleased, 0.04),
    Math.min(10, Math.max(0, pleased * 2 + random.int(-2, 1))),
    random.maybe(random.pick(comments), 0.42),
    random.pick(['phone', 'web', 'branch'], 1.2),
    waited,
    random.pick(['East', 'West', 'Central']),
    random.chance(0.34 - pleased * 0.05),
  ];
}

export const SURVEY: BenchTable = {
  name: 'customer survey',
  timeField: null,
  metaField: 'channel',
  columns: {
    ...{ respondent: 'BIGINT', age_band: 'VARCHAR', satisfaction: 'BIGINT', recommend: 'BIGINT', comment: 'VARCHAR' },
    ...{ channel: 'VARCHAR', minutes_waited: 'BIGINT', region: 'VARCHAR', churned: 'BOOLEAN' },
  },
  rows: (random) => times(230, (index) => answerOf(random, index)),
};
