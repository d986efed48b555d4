import type { Question } from '../question.js';

export const questions: readonly Question[] = [
  {
    id: 'guest-house-s01',
    table: 'GuestHouse',
    group: 'statistics',
    kind: 'mean',
    question:
      'What is the mean daily rate of the bookings which were not cancelled (IsCancelled = 0)? Round your answer to 2 decimal places.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg(DailyRate) FROM t WHERE IsCancelled=0',
      decimals: 2,
    },
  },
  {
    id: 'guest-house-s02',
    table: 'GuestHouse',
    group: 'statistics',
    kind: 'derived column',
    question:
      'Generate a new variable TotalCost by multiplying DailyRate with StayNights. What is the total of TotalCost for the room type Suite?',
    expect: {
      kind: 'figures',
      sql: "SELECT sum(DailyRate*StayNights) FROM t WHERE RoomType='Suite'",
    },
  },
  {
    id: 'guest-house-s03',
    table: 'GuestHouse',
    group: 'statistics',
    kind: 'derived column',
    question:
      'Create a new feature FamilySize = NumAdults + NumChildren (treat missing NumChildren as 0). What is the average FamilySize? Two decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT avg(NumAdults+coalesce(NumChildren,0)) FROM t',
      decimals: 2,
    },
  },
  {
    id: 'guest-house-s04',
    table: 'GuestHouse',
    group: 'statistics',
    kind: 'outliers',
    question:
      'Detect outliers in the "DailyRate" column using z-scores (|z| > 3). Remove them and compute the mean of the DailyRate column again. Report the number of removed rows and both means (before and after), rounded to two decimals.',
    expect: {
      kind: 'figures',
      sql: 'WITH s AS (SELECT avg(DailyRate) m, stddev_samp(DailyRate) d FROM t) SELECT count(*) FILTER (abs(DailyRate-m)/d > 3), avg(DailyRate), avg(DailyRate) FILTER (abs(DailyRate-m)/d <= 3) FROM t, s',
      decimals: 2,
    },
  },
  {
    id: 'guest-house-s05',
    table: 'GuestHouse',
    group: 'statistics',
    kind: 'correlation',
    question:
      "Is lead time correlated with cancellation? Calculate Pearson's correlation between the columns LeadTime and IsCancelled. A correlation is regarded as positive if r > 0.1, negative if r < -0.1, and otherwise as none. Which applies?",
    expect: {
      kind: 'figures',
      sql: "SELECT corr(LeadTime, IsCancelled), CASE WHEN corr(LeadTime, IsCancelled) > 0.1 THEN 'positive' WHEN corr(LeadTime, IsCancelled) < -0.1 THEN 'negative' ELSE 'none' END FROM t",
    },
  },
  {
    id: 'guest-house-s06',
    table: 'GuestHouse',
    group: 'statistics',
    kind: 'normalised',
    question:
      'Apply z-score standardisation to LeadTime. What is the maximum standardised value (3 decimals)? Use the population standard deviation.',
    expect: {
      kind: 'figures',
      sql: 'SELECT (max(LeadTime)-avg(LeadTime))/stddev_pop(LeadTime) FROM t',
      decimals: 3,
    },
  },
  {
    id: 'guest-house-s07',
    table: 'GuestHouse',
    group: 'statistics',
    kind: 'distribution',
    question:
      'Is the distribution of LeadTime right-skewed, left-skewed or symmetric? Calculate the skewness and report it to two decimals.',
    expect: {
      kind: 'figures',
      sql: 'SELECT skewness(LeadTime) FROM t',
      decimals: 2,
    },
  },
  {
    id: 'guest-house-s08',
    table: 'GuestHouse',
    group: 'statistics',
    kind: 'share',
    question: 'Calculate the cancellation rate (share of rows with IsCancelled equal to 1) per channel, in percent.',
    expect: {
      kind: 'rows',
      sql: 'SELECT Channel, 100.0*avg(IsCancelled) FROM t GROUP BY 1',
      percent: true,
    },
  },
  {
    id: 'guest-house-s09',
    table: 'GuestHouse',
    group: 'statistics',
    kind: 'comparison',
    question:
      'Compare the average review score between guests from DE and guests from AT. How large is the difference, in absolute terms, rounded to 3 decimals?',
    expect: {
      kind: 'figures',
      sql: "SELECT abs(avg(ReviewScore) FILTER (CtryCode='DE') - avg(ReviewScore) FILTER (CtryCode='AT')) FROM t",
      decimals: 3,
      unsigned: true,
    },
  },
  {
    id: 'guest-house-s10',
    table: 'GuestHouse',
    group: 'statistics',
    kind: 'time feature',
    question:
      'how many arrivals happened on a Saturday or Sunday, and what part of all bookings is that (percent, 1 decimal)?',
    expect: {
      kind: 'figures',
      sql: 'SELECT count(*) FILTER (isodow(ArrivalDate)>5), 100.0*avg((isodow(ArrivalDate)>5)::INT) FROM t',
      decimals: 1,
      percent: true,
    },
  },
];
