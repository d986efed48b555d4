/** Verbs that say what became of a row: a condition of their own unless a column speaks of it. */
export const FATE =
  /^(score|lose|miss|cancel|refund|return|reject|fail|left$|quit|resign|fired|expel|drop|clos|died|lost|won|win|wins|bann|stolen|damag|remov|delet|retir|promot|abandon|broke|complain|churn|expir|surviv|unsold|un[a-z]+ed$|dis[a-z]+ed$)/;
