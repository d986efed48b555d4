import { about, inOrder, refuse, rows } from '../asking.js';

export const questions = about('StadiumList', 'stadium-list', [
  rows(
    'filter',
    'Show the names of stadiums with a capacity between 20000 and 40000.',
    'SELECT Stadium FROM t WHERE Capacity BETWEEN 20000 AND 40000',
  ),
  rows(
    'figure',
    'What are the maximum capacity and the average of all stadiums?',
    'SELECT max(Capacity), avg(Capacity) FROM t',
  ),
  rows(
    'superlative',
    'What is the name and capacity for the stadium with the highest average attendance?',
    'SELECT Stadium, Capacity FROM t ORDER BY avg_attendance DESC LIMIT 1',
  ),
  rows('group', 'How many stadiums are there in each country?', 'SELECT Country, count(*) FROM t GROUP BY 1'),
  rows(
    'superlative group',
    'Which city has the most stadiums? List the city only.',
    'SELECT City FROM t GROUP BY 1 HAVING count(*) = (SELECT max(c) FROM (SELECT count(*) c FROM t GROUP BY City))',
  ),
  rows(
    'comparison',
    'stadiums where the highest attendance was above the capacity',
    'SELECT Stadium FROM t WHERE highest_attendance > Capacity',
  ),
  rows(
    'filter',
    'Which grounds in England opened before 1950?',
    "SELECT Stadium FROM t WHERE Country = 'England' AND Opened < 1950",
  ),
  rows('null', 'Find stadiums that have no home team', 'SELECT Stadium FROM t WHERE Home_team IS NULL'),
  rows(
    'intersection',
    'countries which have both grass and artificial stadiums',
    "SELECT Country FROM t WHERE Surface = 'grass' INTERSECT SELECT Country FROM t WHERE Surface = 'artificial'",
  ),
  rows(
    'never',
    'Show countries that do not have any stadium opened after 2000.',
    'SELECT DISTINCT Country FROM t WHERE Country NOT IN (SELECT Country FROM t WHERE Opened > 2000)',
  ),
  inOrder(
    'give me all stadiums with their city in descending order of capacity',
    'SELECT Stadium, City FROM t ORDER BY Capacity DESC',
    0,
  ),
  rows(
    'filter',
    'How many stadiums with a roof are not in Spain?',
    "SELECT count(*) FROM t WHERE Roof = 'yes' AND Country <> 'Spain'",
  ),
  rows('lookup', 'When did the Tulip Dome open?', "SELECT Opened FROM t WHERE Stadium = 'Tulip Dome'"),
  rows('lookup', 'Which team plays at River Bowl?', "SELECT Home_team FROM t WHERE Stadium = 'River Bowl'"),
  rows(
    'having',
    'Countries whose stadiums hold more than 90000 people in total',
    'SELECT Country FROM t GROUP BY 1 HAVING sum(Capacity) > 90000',
  ),
  refuse('missing column', 'How many concerts took place in the Puerta Verde?'),
  refuse('wrong value', 'What is the capacity of the stadium in Lisbon?'),
  refuse('cause', 'Why is the attendance at Dom Arena so low?'),
]);
