import { about, inOrder, refuse, rows } from '../asking.js';

export const questions = about('singers', 'singers', [
  rows('count', 'How many singers do we have?', 'SELECT count(*) FROM t'),
  inOrder(
    'List the name, birth year and country of every singer, from the oldest to the youngest.',
    'SELECT singer_name, birth_year, home_country FROM t ORDER BY birth_year',
    1,
  ),
  rows(
    'filter',
    'What are the names of singers who are not from Italy?',
    "SELECT singer_name FROM t WHERE home_country <> 'Italy'",
  ),
  rows(
    'filter',
    'Show the name of singers born in 1968 or 1981',
    'SELECT singer_name FROM t WHERE birth_year IN (1968, 1981)',
  ),
  rows(
    'superlative',
    'What is the name of the singer with the largest number of albums sold?',
    'SELECT singer_name FROM t ORDER BY albums_sold_m DESC LIMIT 1',
  ),
  rows('group', 'For each country, show the number of singers.', 'SELECT home_country, count(*) FROM t GROUP BY 1'),
  rows(
    'group',
    'Show different genres together with the total number of concerts given by singers of that genre.',
    'SELECT genre, sum(concerts) FROM t GROUP BY 1',
  ),
  rows(
    'having',
    'Which agencies look after at least four singers?',
    'SELECT agency FROM t GROUP BY 1 HAVING count(*) >= 4',
  ),
  rows(
    'intersection',
    'Which genres have both singers born before 1980 and singers born after 1990?',
    'SELECT genre FROM t WHERE birth_year < 1980 INTERSECT SELECT genre FROM t WHERE birth_year > 1990',
  ),
  rows('null', 'singers without an agency', 'SELECT singer_name FROM t WHERE agency IS NULL'),
  rows(
    'nested',
    'Find the names of singers who have given more concerts than the average singer.',
    'SELECT singer_name FROM t WHERE concerts > (SELECT avg(concerts) FROM t)',
  ),
  rows(
    'superlative',
    'Who is the youngest singer still active?',
    "SELECT singer_name FROM t WHERE still_active = 'yes' ORDER BY birth_year DESC LIMIT 1",
  ),
  rows(
    'figure',
    'average number of concerts of singers from Sweden',
    "SELECT avg(concerts) FROM t WHERE home_country = 'Sweden'",
  ),
  rows(
    'most common',
    'What is the most common genre among the singers?',
    'SELECT genre FROM t GROUP BY 1 ORDER BY count(*) DESC LIMIT 1',
  ),
  rows(
    'nested figure',
    'What is the average number of albums sold by the five singers with the most concerts?',
    'SELECT avg(albums_sold_m) FROM (SELECT * FROM t ORDER BY concerts DESC LIMIT 5)',
  ),
  refuse('missing column', 'Which singer has won the most awards?'),
  refuse('near column', 'What is the net worth of Bror Lindqvist?'),
  refuse('opinion', 'Who has the most beautiful voice?'),
]);
