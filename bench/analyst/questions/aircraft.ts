import { about, inOrder, refuse, rows } from '../asking.js';

export const questions = about('aircraft', 'aircraft', [
  rows(
    'filter',
    'What are the models of aircraft with a maximum range of more than 10000 km?',
    'SELECT AircraftModel FROM t WHERE MaxRangeKm > 10000',
  ),
  rows(
    'superlative',
    'Which plane carries the most passengers?',
    'SELECT AircraftModel FROM t ORDER BY Seats DESC LIMIT 1',
  ),
  rows('group', 'How many models has each maker built?', 'SELECT Maker, count(*) FROM t GROUP BY 1'),
  rows(
    'group',
    'maker and average number of seats of its turbofan aircraft',
    "SELECT Maker, avg(Seats) FROM t WHERE EngineType = 'turbofan' GROUP BY 1",
  ),
  rows('filter', 'aircraft no longer in service', 'SELECT AircraftModel FROM t WHERE NOT InService'),
  rows(
    'superlative',
    'fastest aircraft by Northwing',
    "SELECT AircraftModel FROM t WHERE Maker = 'Northwing' ORDER BY CruiseSpeedKmh DESC LIMIT 1",
  ),
  rows(
    'filter',
    'Which aircraft have neither turbofan nor turboprop engines?',
    "SELECT AircraftModel FROM t WHERE EngineType NOT IN ('turbofan', 'turboprop')",
  ),
  rows('count filter', 'count the aircraft having four engines', 'SELECT count(*) FROM t WHERE NumEngines = 4'),
  inOrder(
    'aircraft that first flew before 1990, oldest first',
    'SELECT AircraftModel FROM t WHERE FirstFlight < 1990 ORDER BY FirstFlight',
    0,
  ),
  rows('figure', 'sum of seats over all models in service', 'SELECT sum(Seats) FROM t WHERE InService'),
  rows('superlative', 'Which maker has the cheapest aircraft?', 'SELECT Maker FROM t ORDER BY ListPriceMUSD LIMIT 1'),
  rows(
    'nested',
    'Show the models that can fly farther than the Kestrel',
    "SELECT AircraftModel FROM t WHERE MaxRangeKm > (SELECT MaxRangeKm FROM t WHERE AircraftModel = 'Kestrel')",
  ),
  rows('null', 'models with unknown list price', 'SELECT AircraftModel FROM t WHERE ListPriceMUSD IS NULL'),
  rows(
    'difference',
    'What is the difference in range between the Titan 350 and the Titan 300?',
    "SELECT max(MaxRangeKm) - min(MaxRangeKm) FROM t WHERE AircraftModel IN ('Titan 300', 'Titan 350')",
  ),
  rows('having', 'engine types used by only one model', 'SELECT EngineType FROM t GROUP BY 1 HAVING count(*) = 1'),
  refuse('missing column', 'How many crashes has the Falco 80 had?'),
  refuse('near column', 'What is the fuel consumption of the Albatross?'),
  refuse('opinion', 'What is the safest aircraft?'),
]);
