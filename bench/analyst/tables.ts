import type { BenchTable } from './bench-table.js';
import { CALLS, CLAIMS, DONATIONS, FINES } from './tables/counters.js';
import { BOOKINGS, COILS, LOANS, MUNICIPALITIES } from './tables/dealt.js';
import { BANK_ACCOUNTS, DEVICES, PHONE_ORDERS, PRODUCTS } from './tables/dealings.js';
import { MACHINES, MARATHON, MATCHES, PODCASTS, TREES } from './tables/leisure.js';
import { AIR, CROSSINGS, MEMBERS, SOILS } from './tables/measured.js';
import { BIRD_RINGING, COUNTRIES, RIVER_LEVELS, SOLAR_PLANTS, VET_VISITS } from './tables/nature.js';
import { CHESS, SHOWS, WINES } from './tables/evenings.js';
import { HEAT_PUMPS, LAKES, QUAKES } from './tables/outdoors.js';
import { BAKERY_DAYS, HONEYS, HUTS_OF_THE_ALPS, PLAYERS, SESSIONS } from './tables/pastimes.js';
import { EMPLOYEES, LIBRARY_LOANS, PATIENTS, STUDENTS, SURVEY } from './tables/people.js';
import { BUILDINGS, CITIES, MUSEUMS, STADIUMS } from './tables/places.js';
import { AIRCRAFT, COURSES, ELECTIONS, PETS } from './tables/records.js';
import { ATTENDANCES, COURT_CASES, FLIGHTS, INVOICES, JOB_RUNS } from './tables/services.js';
import { FILMS, SINGERS, SONGS } from './tables/stage.js';
import { HIRES, MILKINGS, MISSIONS, RECIPES, WASTE_ROUNDS } from './tables/rounds.js';
import { CHEESES, FLATS, FUNDS, ORDERS, ROAST_BATCHES, USED_CARS } from './tables/trade.js';

/** All that is invented. Each is made from a seed of its own, its place in this list, so new ones go to the end. */
export const INVENTED_TABLES: readonly BenchTable[] = [
  ...[VET_VISITS, RIVER_LEVELS, BIRD_RINGING, SOLAR_PLANTS, COUNTRIES],
  ...[ROAST_BATCHES, USED_CARS, ORDERS, CHEESES, FLATS, FUNDS],
  ...[LIBRARY_LOANS, PATIENTS, EMPLOYEES, STUDENTS, SURVEY],
  ...[MATCHES, PODCASTS, MARATHON, MACHINES, TREES],
  ...[ATTENDANCES, FLIGHTS, COURT_CASES, INVOICES, JOB_RUNS],
  ...[PLAYERS, SESSIONS, HONEYS, BAKERY_DAYS, HUTS_OF_THE_ALPS],
  ...[SINGERS, SONGS, FILMS, STADIUMS, CITIES, MUSEUMS, BUILDINGS],
  ...[BANK_ACCOUNTS, PRODUCTS, DEVICES, PHONE_ORDERS, PETS, COURSES, ELECTIONS, AIRCRAFT],
  ...[CROSSINGS, SOILS, MEMBERS, AIR, BOOKINGS, COILS, LOANS, MUNICIPALITIES],
  ...[DONATIONS, FINES, CALLS, CLAIMS, HEAT_PUMPS, QUAKES, LAKES],
  ...[WINES, CHESS, SHOWS, MISSIONS, WASTE_ROUNDS, RECIPES, HIRES, MILKINGS],
];

/** The real one: daily weather of two cities, from `samples`. */
export const WEATHER: Omit<BenchTable, 'rows'> = {
  name: 'weather',
  timeField: 'date',
  metaField: 'location',
  columns: {
    ...{ location: 'VARCHAR', date: 'DATE', precipitation: 'DOUBLE', temp_max: 'DOUBLE', temp_min: 'DOUBLE' },
    ...{ wind: 'DOUBLE', weather: 'VARCHAR' },
  },
};
