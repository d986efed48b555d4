import { about, inOrder, refuse, rows } from '../asking.js';

export const questions = about('tall buildings', 'tall-buildings', [
  inOrder(
    'Show the names of buildings in descending order of the number of floors',
    'SELECT building FROM t ORDER BY floors DESC',
    0,
  ),
  rows(
    'superlative',
    'What is the address of the tallest building?',
    'SELECT street_address FROM t ORDER BY height_m DESC LIMIT 1',
  ),
  rows(
    'second',
    'which building is the second tallest',
    'SELECT building FROM t ORDER BY height_m DESC LIMIT 1 OFFSET 1',
  ),
  rows(
    'filter',
    'Buildings by Studio Lomax that are taller than 180 m',
    "SELECT building FROM t WHERE architect = 'Studio Lomax' AND height_m > 180",
  ),
  rows(
    'group',
    'Show the status of the buildings and the average height for each status',
    'SELECT status, avg(height_m) FROM t GROUP BY 1',
  ),
  rows(
    'having',
    'Show the architects with more than two buildings',
    'SELECT architect FROM t GROUP BY 1 HAVING count(*) > 2',
  ),
  rows(
    'count filter',
    'How many buildings were completed in the 21st century, i.e. from 2001 on?',
    'SELECT count(*) FROM t WHERE completed >= 2001',
  ),
  rows(
    'like',
    'List the buildings whose address is on High Street.',
    "SELECT building FROM t WHERE street_address LIKE '%High Street%'",
  ),
  rows(
    'filter',
    'not demolished residential buildings with fewer than 35 floors',
    "SELECT building FROM t WHERE main_use = 'residential' AND status <> 'demolished' AND floors < 35",
  ),
  rows(
    'superlative',
    'oldest building still in use',
    "SELECT building FROM t WHERE status = 'in use' ORDER BY completed LIMIT 1",
  ),
  rows('figure', 'What did the hotels cost in total?', "SELECT sum(cost_in_millions) FROM t WHERE main_use = 'hotel'"),
  rows(
    'derived',
    'average height per floor of office buildings',
    "SELECT avg(height_m / floors) FROM t WHERE main_use = 'office'",
  ),
  rows(
    'lookup',
    'Who designed the Granite Tower and when was it finished?',
    "SELECT architect, completed FROM t WHERE building = 'Granite Tower'",
  ),
  rows(
    'top',
    'top 3 most expensive buildings and their cost',
    'SELECT building, cost_in_millions FROM t WHERE cost_in_millions IS NOT NULL ORDER BY 2 DESC LIMIT 3',
  ),
  rows(
    'intersection',
    'Which architects designed both a hotel and a residential building?',
    "SELECT architect FROM t WHERE main_use = 'hotel' INTERSECT SELECT architect FROM t WHERE main_use = 'residential'",
  ),
  refuse('missing column', 'How many elevators does Harbour Point have?'),
  refuse('missing entity', 'How tall is the Empire State Building?'),
  refuse('opinion', 'Which building is the ugliest?'),
]);
