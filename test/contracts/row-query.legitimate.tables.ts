import type { ColumnType } from '../../src/ports/table.js';

/** A table of a question: its header, and its rows made by rule, so that a figure can be computed without a database. */
export interface TestTable<Row> {
  readonly columns: readonly (readonly [name: string & keyof Row, type: ColumnType])[];
  readonly timeField: string;
  readonly rows: readonly Row[];
}

const HOUR_MS = 3_600_000;

function made<Row>(count: number, row: (index: number) => Row): readonly Row[] {
  return Array.from({ length: count }, (_, index) => row(index));
}

function picked<T>(from: readonly [T, ...T[]], index: number): T {
  return from[index % from.length] ?? from[0];
}

export const SALES = {
  timeField: 'Order Date',
  columns: [
    ['Order Date', 'time'],
    ['Region', 'text'],
    ['product', 'text'],
    ['units', 'integer'],
    ['Revenue (€)', 'number'],
    ['returned', 'boolean'],
  ],
  rows: made(2000, (index) => ({
    'Order Date': new Date(Date.UTC(2024, 0, 1) + index * HOUR_MS),
    Region: picked(['North', 'South', 'East', 'West'], index),
    product: index % 50 === 0 ? null : `Product ${index % 5}`,
    units: index % 7,
    'Revenue (€)': (index % 100) * 1.5,
    returned: index % 10 === 0,
  })),
} as const satisfies TestTable<Record<string, unknown>>;

const SKILLS = ['sql;python', 'sql;excel;sales', 'java', 'python;statistics', ''] as const;

/** Sixty people in a tree: everybody but the first has a manager with a smaller number. */
export const STAFF = {
  timeField: '',
  columns: [
    ['employee_id', 'integer'],
    ['full_name', 'text'],
    ['department', 'text'],
    ['manager_id', 'integer'],
    ['salary', 'number'],
    ['hired', 'time'],
    ['skills', 'text'],
    ['email', 'text'],
    ['remote', 'boolean'],
    ['rating', 'integer'],
  ],
  rows: made(60, (index) => ({
    employee_id: index + 1,
    full_name: `${picked(['Ana', 'Bo', 'Çelik', 'Dmitri', 'Élise'], index)} ${picked(['Moser', "O'Neill", 'Ruiz'], index)}`,
    department: picked(['Sales', 'Support', 'R&D', 'Finance'], index),
    manager_id: index === 0 ? null : Math.ceil(index / 4),
    salary: 42_000 + ((index * 3571) % 50_000) + 0.5,
    hired: new Date(Date.UTC(2010 + (index % 12), (index * 5) % 12, 1 + (index % 28))),
    skills: picked(SKILLS, index),
    email: `person${index + 1}@${picked(['example.com', 'example.org'], index)}`,
    remote: index % 3 === 0,
    rating: index % 9 === 4 ? null : 1 + (index % 5),
  })),
} as const satisfies TestTable<Record<string, unknown>>;

export const TICKETS = {
  timeField: 'opened',
  columns: [
    ['ticket', 'integer'],
    ['opened', 'time'],
    ['closed', 'time'],
    ['priority', 'text'],
    ['channel', 'text'],
    ['country', 'text'],
    ['satisfaction', 'integer'],
    ['cost', 'number'],
    ['subject', 'text'],
    ['labels', 'text'],
  ],
  rows: made(500, (index) => {
    const opened = Date.UTC(2022, 0, 1, 8) + index * 7 * HOUR_MS;
    return {
      ticket: 1000 + index,
      opened: new Date(opened),
      closed: index % 8 === 3 ? null : new Date(opened + (1 + (index % 72)) * HOUR_MS),
      priority: picked(['low', 'medium', 'high', 'urgent', 'low'], index),
      channel: picked(['email', 'phone', 'chat'], index),
      country: picked(['FR', 'DE', 'US', 'BR', 'JP', 'IN', 'DE'], index),
      satisfaction: index % 4 === 1 ? null : 1 + (index % 5),
      cost: 5 + ((index * 13) % 90) / 4,
      subject: picked(['Login fails', 'Invoice wrong', 'login slow', 'Refund please', 'How to export?'], index),
      labels: JSON.stringify(index % 6 === 0 ? [] : ['all', picked(['web', 'app', 'billing'], index)]),
    };
  }),
} as const satisfies TestTable<Record<string, unknown>>;
