import { about, inOrder, refuse, rows } from '../asking.js';

export const questions = about('Online Orders', 'online-orders', [
  rows('filter', 'orders by Nia Cole', "SELECT order_no FROM t WHERE customer = 'Nia Cole'"),
  rows('figure', 'How many mugs were ordered in total?', "SELECT sum(qty) FROM t WHERE item = 'mug'"),
  rows(
    'derived',
    'total amount (qty * unit price) per customer',
    'SELECT customer, sum(qty * unit_price) FROM t GROUP BY 1',
  ),
  rows('null', 'Which orders have not been delivered yet?', 'SELECT order_no FROM t WHERE delivered_at IS NULL'),
  rows(
    'date',
    'Show orders placed in March 2024',
    "SELECT order_no FROM t WHERE ordered_at >= DATE '2024-03-01' AND ordered_at < DATE '2024-04-01'",
  ),
  rows(
    'date',
    'how many orders were placed after 1 May 2024',
    "SELECT count(*) FROM t WHERE ordered_at > DATE '2024-05-01'",
  ),
  rows(
    'most common',
    'What is the most frequently ordered item?',
    'SELECT item FROM t GROUP BY 1 ORDER BY count(*) DESC LIMIT 1',
  ),
  rows(
    'superlative group',
    'Which city received the largest number of orders?',
    'SELECT ship_city FROM t GROUP BY 1 ORDER BY count(*) DESC LIMIT 1',
  ),
  rows('having', 'Customers who ordered at least 3 times', 'SELECT customer FROM t GROUP BY 1 HAVING count(*) >= 3'),
  rows(
    'never',
    'customers who never returned anything',
    "SELECT DISTINCT customer FROM t WHERE customer NOT IN (SELECT customer FROM t WHERE order_status = 'returned')",
  ),
  rows(
    'or',
    'How many orders were cancelled or returned?',
    "SELECT count(*) FROM t WHERE order_status IN ('cancelled', 'returned')",
  ),
  rows('filter', 'Cork orders paid by card', "SELECT order_no FROM t WHERE ship_city = 'Cork' AND paid_by = 'card'"),
  rows(
    'first',
    "What was Ben Azar's first order?",
    "SELECT order_no FROM t WHERE customer = 'Ben Azar' ORDER BY ordered_at LIMIT 1",
  ),
  rows('time', 'number of orders by month', "SELECT date_trunc('month', ordered_at), count(*) FROM t GROUP BY 1"),
  rows('superlative', 'order with the biggest quantity', 'SELECT order_no FROM t ORDER BY qty DESC LIMIT 1'),
  inOrder(
    'statuses by number of orders, descending',
    'SELECT order_status, count(*) FROM t GROUP BY 1 ORDER BY 2 DESC',
    1,
  ),
  refuse('missing column', 'Which courier delivered order A-107?'),
  refuse('missing entity', 'How many fridges were sold?'),
  refuse('advice', 'Should we stop selling blenders?'),
]);
