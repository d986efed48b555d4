import { about, inOrder, refuse, rows } from '../asking.js';

export const questions = about('products', 'products', [
  rows('null', 'Which products do not have a color?', 'SELECT ProductName FROM t WHERE Color IS NULL'),
  rows(
    'filter',
    'List the product names that are white or red and cost less than 60',
    "SELECT ProductName FROM t WHERE Color IN ('white', 'red') AND UnitPrice < 60",
  ),
  rows(
    'superlative',
    'What is the priciest piece of furniture?',
    "SELECT ProductName FROM t WHERE Category = 'Furniture' ORDER BY UnitPrice DESC LIMIT 1",
  ),
  rows('count', 'number of products that are out of stock', 'SELECT count(*) FROM t WHERE StockQty = 0'),
  rows('group', 'Average unit price by category', 'SELECT Category, avg(UnitPrice) FROM t GROUP BY 1'),
  rows(
    'derived',
    'What is the total value of the stock (unit price times stock quantity)?',
    'SELECT sum(UnitPrice * StockQty) FROM t',
  ),
  rows(
    'superlative group',
    'Which supplier supplies the most products?',
    'SELECT Supplier FROM t GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1',
  ),
  rows('date', 'Products launched in 2023', 'SELECT ProductName FROM t WHERE year(LaunchDate) = 2023'),
  rows(
    'filter',
    'discontinued products and who supplied them',
    'SELECT ProductName, Supplier FROM t WHERE Discontinued',
  ),
  rows('like', 'How many product names include "Lamp"?', "SELECT count(*) FROM t WHERE ProductName LIKE '%Lamp%'"),
  rows(
    'nested',
    'products cheaper than the average price',
    'SELECT ProductName FROM t WHERE UnitPrice < (SELECT avg(UnitPrice) FROM t)',
  ),
  rows(
    'having',
    'Suppliers with an average price above 100',
    'SELECT Supplier FROM t GROUP BY 1 HAVING avg(UnitPrice) > 100',
  ),
  inOrder(
    'Show name, price and weight of lighting products sorted by weight, heaviest first',
    "SELECT ProductName, UnitPrice, WeightKg FROM t WHERE Category = 'Lighting' ORDER BY 3 DESC",
    2,
  ),
  rows(
    'top',
    'the two lightest products that are not discontinued',
    'SELECT ProductName FROM t WHERE NOT Discontinued ORDER BY WeightKg LIMIT 2',
  ),
  rows(
    'max per group',
    'What is the heaviest product of each category?',
    'SELECT Category, ProductName FROM t WHERE (Category, WeightKg) IN (SELECT Category, max(WeightKg) FROM t GROUP BY 1)',
  ),
  refuse('near column', 'How many units of the Oak Table were sold?'),
  refuse('missing column', 'Which products are made in China?'),
  refuse('wrong value', 'How many purple products are there?'),
]);
