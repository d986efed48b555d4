import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'gamesessions-t08',
    table: 'gameSessions',
    group: 'table',
    kind: 'max of group',
    question: 'longest session in minutes per game and platform',
    expect: { kind: 'rows', sql: 'SELECT game, platform, max(minutesPlayed) FROM t GROUP BY 1, 2' },
  },
  {
    id: 'gamesessions-t10',
    table: 'gameSessions',
    group: 'table',
    kind: 'several figures',
    question: 'For sessions rated laggy give me the count, the average crashes and the average score',
    expect: { kind: 'rows', sql: "SELECT count(*), avg(crashes), avg(score) FROM t WHERE mood = 'laggy'" },
  },
  {
    id: 'gamesessions-s02',
    table: 'gameSessions',
    group: 'statistics',
    kind: 'outliers',
    question:
      "Define points per minute as score divided by minutesPlayed. Determine outliers of this new variable with Tukey's fences (1.5 times the IQR outside the first and third quartiles, linear interpolation). State how many sessions are outliers in total.",
    expect: {
      kind: 'figures',
      sql: 'WITH p AS (SELECT score / minutesPlayed v FROM t), q AS (SELECT quantile_cont(v, 0.25) a, quantile_cont(v, 0.75) b FROM p) SELECT count(*) FROM p, q WHERE v < a - 1.5 * (b - a) OR v > b + 1.5 * (b - a)',
    },
  },
  {
    id: 'gamesessions-s07',
    table: 'gameSessions',
    group: 'statistics',
    kind: 'mode',
    question: 'whats the mood that gets reported most',
    expect: { kind: 'figures', sql: 'SELECT mode(mood) FROM t' },
  },
  {
    id: 'gamesessions-s08',
    table: 'gameSessions',
    group: 'statistics',
    kind: 'sum and share',
    question:
      'How much money was spent overall, and in what percentage of the sessions was anything spent at all? Two decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT sum(moneySpent), 100.0 * avg((moneySpent > 0)::INT) FROM t',
      decimals: 2,
      percent: true,
    },
  },
  {
    id: 'gamesessions-s09',
    table: 'gameSessions',
    group: 'statistics',
    kind: 'correlation',
    question: 'how much do score and minutesPlayed go together (pearson r, 3 decimals)',
    expect: {
      kind: 'figures',
      sql: 'SELECT score, minutesPlayed FROM t',
      statistic: 'pearson',
      figures: ['r'],
      decimals: 3,
    },
  },
  {
    id: 'gamesessions-u03',
    table: 'gameSessions',
    group: 'unanswerable',
    kind: 'advice',
    question: 'what is the best strategy to beat Deep Vault',
    expect: { kind: 'refuse' },
  },
  {
    id: 'gamesessions-u04',
    table: 'gameSessions',
    group: 'unanswerable',
    kind: 'opinion',
    question: 'Is Sky Harbour more fun than Goblin Kart?',
    expect: { kind: 'refuse' },
  },
];
