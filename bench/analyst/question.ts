/** `table`: rows, as a query over one table would give them. `statistics`: figures and verdicts in words. `unanswerable`: the table can't tell. */
export const GROUPS = ['table', 'statistics', 'unanswerable'] as const;
export type Group = (typeof GROUPS)[number];

/** What a verdict speaks of: how an answer says that it is so, or that it is not. */
export type Verdict = 'significant' | 'normal' | 'yes';

/** What must come out. The SQL is DuckDB's, over the table `t` that holds the CSV file; it was written without regard to any program. */
export type Expectation =
  | {
      readonly kind: 'rows';
      readonly sql: string;
      /** The gold column, from 0, whose values must come in the gold's order. Rows that tie may come in any order. */
      readonly ordered?: number;
      /** The question asks for figures of so many decimals. */
      readonly decimals?: number;
      /** Shares may be told as fractions or in percent. */
      readonly percent?: boolean;
    }
  | {
      readonly kind: 'figures';
      /** One or more rows; each cell is to be told. A boolean one is the verdict. */
      readonly sql: string;
      /** The SQL gives the rows that this statistic is worked out from, of which `figures` are to be told. */
      readonly statistic?: string;
      readonly figures?: readonly string[];
      readonly decimals?: number;
      readonly percent?: boolean;
      /** Which side is taken from which is left open, so that the sign tells nothing. */
      readonly unsigned?: boolean;
      readonly verdict?: Verdict;
      /** With a statistic: the verdict holds when the p-value is below this, 0.05 when it is not said. */
      readonly alpha?: number;
    }
  | { readonly kind: 'refuse' };

export interface Question {
  readonly id: string;
  readonly table: string;
  readonly group: Group;
  readonly kind: string;
  readonly question: string;
  readonly expect: Expectation;
}
