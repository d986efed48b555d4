import { about, inOrder, refuse, rows, share } from '../asking.js';

export const questions = about('bank_accounts', 'bank-accounts', [
  rows(
    'figure',
    'What is the total balance of saving accounts?',
    "SELECT sum(balance) FROM t WHERE acc_type = 'saving'",
  ),
  rows(
    'filter',
    'Find the names of customers who have an account with a negative balance.',
    'SELECT cust_name FROM t WHERE balance < 0',
  ),
  rows('count distinct', 'How many customers are there?', 'SELECT count(DISTINCT cust_name) FROM t'),
  rows('having', 'customers with more than one account', 'SELECT cust_name FROM t GROUP BY 1 HAVING count(*) > 1'),
  rows(
    'intersection',
    'Who has both a checking and a saving account?',
    "SELECT cust_name FROM t WHERE acc_type = 'checking' INTERSECT SELECT cust_name FROM t WHERE acc_type = 'saving'",
  ),
  rows(
    'except',
    'Which branches have no business accounts?',
    "SELECT DISTINCT branch_name FROM t WHERE branch_name NOT IN (SELECT branch_name FROM t WHERE acc_type = 'business')",
  ),
  rows(
    'superlative group',
    'Find the branch with the highest average credit score',
    'SELECT branch_name FROM t GROUP BY 1 ORDER BY avg(credit_score) DESC LIMIT 1',
  ),
  rows('superlative', 'customer with the lowest credit score', 'SELECT cust_name FROM t ORDER BY credit_score LIMIT 1'),
  rows(
    'group',
    'number of accounts per state and account type',
    'SELECT state, acc_type, count(*) FROM t GROUP BY 1, 2',
  ),
  rows('date', 'accounts opened before 2015', "SELECT acc_no FROM t WHERE opened_on < DATE '2015-01-01'"),
  rows('date', 'How many accounts were opened in 2018?', 'SELECT count(*) FROM t WHERE year(opened_on) = 2018'),
  inOrder(
    "Show Texas customers' names and balances, richest first",
    "SELECT cust_name, balance FROM t WHERE state = 'Texas' ORDER BY 2 DESC",
    1,
  ),
  rows(
    'nested',
    'Names of clients whose credit score is below average',
    'SELECT cust_name FROM t WHERE credit_score < (SELECT avg(credit_score) FROM t)',
  ),
  rows(
    'null',
    'Is there any account without a credit score? Give its number.',
    'SELECT acc_no FROM t WHERE credit_score IS NULL',
  ),
  share(
    'What percentage of accounts is overdrawn, i.e. has a balance below zero?',
    'SELECT 100.0 * count(*) FILTER (WHERE balance < 0) / count(*) FROM t',
  ),
  rows(
    'figure',
    'min, max and mean balance of business accounts at the Airport branch',
    "SELECT min(balance), max(balance), avg(balance) FROM t WHERE acc_type = 'business' AND branch_name = 'Airport'",
  ),
  refuse('missing column', 'What interest rate do saving accounts get?'),
  refuse('near column', 'What is the email address of Mary Holt?'),
  refuse('forecast', 'Which customers are going to close their account?'),
]);
