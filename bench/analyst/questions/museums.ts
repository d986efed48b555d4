import { about, inOrder, refuse, rows } from '../asking.js';

export const questions = about('museums', 'museums', [
  rows(
    'superlative',
    'Find the name and number of staff of the museum that opened earliest.',
    'SELECT Name, Num_of_Staff FROM t ORDER BY Open_Year LIMIT 1',
  ),
  rows(
    'filter',
    'What are the opening year and staff number of the museum named Paper Mill?',
    "SELECT Open_Year, Num_of_Staff FROM t WHERE Name = 'Paper Mill'",
  ),
  rows(
    'nested',
    'Find the names of museums which have more staff than the minimum staff number of all museums opened after 2000.',
    'SELECT Name FROM t WHERE Num_of_Staff > (SELECT min(Num_of_Staff) FROM t WHERE Open_Year > 2000)',
  ),
  rows('filter', 'museums closed on mondays', "SELECT Name FROM t WHERE Closed_On = 'Monday'"),
  rows(
    'count filter',
    'How many art museums have free entry on Sundays?',
    "SELECT count(*) FROM t WHERE Kind = 'art' AND Free_On_Sundays = 'Y'",
  ),
  rows('superlative', 'cheapest museum to visit?', 'SELECT Name FROM t ORDER BY Ticket_Price LIMIT 1'),
  rows(
    'figure',
    'what does a ticket cost on average in Prague',
    "SELECT avg(Ticket_Price) FROM t WHERE City = 'Prague'",
  ),
  rows('group', 'total visitors in 2023 by city', 'SELECT City, sum(Visitors_2023) FROM t GROUP BY 1'),
  rows('null', 'Which museum has no visitor figures?', 'SELECT Name FROM t WHERE Visitors_2023 IS NULL'),
  rows('like', 'Names of museums starting with "Museum of"', "SELECT Name FROM t WHERE Name LIKE 'Museum of%'"),
  inOrder('List all museum names ordered alphabetically.', 'SELECT Name FROM t ORDER BY Name', 0),
  rows(
    'superlative group',
    'In which city do the museums employ the fewest people altogether?',
    'SELECT City FROM t GROUP BY 1 ORDER BY sum(Num_of_Staff) LIMIT 1',
  ),
  rows(
    'derived',
    'Which museum had the most visitors per member of staff?',
    'SELECT Name FROM t WHERE Visitors_2023 IS NOT NULL ORDER BY Visitors_2023 / Num_of_Staff DESC LIMIT 1',
  ),
  rows(
    'or',
    'museums in Ghent or Basel that charge more than 10',
    "SELECT Name FROM t WHERE City IN ('Ghent', 'Basel') AND Ticket_Price > 10",
  ),
  rows('distinct', 'Return the distinct kinds of museums.', 'SELECT DISTINCT Kind FROM t'),
  refuse('missing column', 'How many paintings does the National Gallery own?'),
  refuse('near column', 'How many visitors did the museums have in 2019?'),
  refuse('forecast', 'How many people will visit the Tram Museum next year?'),
]);
