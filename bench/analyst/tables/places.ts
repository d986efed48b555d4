import type { BenchTable } from '../bench-table.js';

export const STADIUMS: BenchTable = {
  name: 'StadiumList',
  timeField: null,
  metaField: 'Stadium',
  columns: {
    ...{ Stadium: 'VARCHAR', City: 'VARCHAR', Country: 'VARCHAR', Capacity: 'BIGINT', Opened: 'BIGINT' },
    ...{ Surface: 'VARCHAR', Home_team: 'VARCHAR', avg_attendance: 'BIGINT', highest_attendance: 'BIGINT' },
    Roof: 'VARCHAR',
  },
  rows: () => [
    ['Fjordparken', 'Bergen', 'Norway', 18200, 2011, 'artificial', 'Bergen SK', 12100, 18050, 'no'],
    ['Estadio del Sur', 'Seville', 'Spain', 43800, 1958, 'grass', 'Real Sur', 31500, 51200, 'no'],
    ['Nordbahn Arena', 'Vienna', 'Austria', 27500, 1977, 'grass', 'Wien Nord', 14300, 26900, 'yes'],
    ['Castle Ground', 'Leeds', 'England', 36100, 1919, 'grass', 'Castle Town', 29800, 52300, 'no'],
    ['River Bowl', 'Leeds', 'England', 9400, 1986, 'artificial', 'Aire United', 4100, 9100, 'no'],
    ['Puerta Verde', 'Madrid', 'Spain', 68200, 1993, 'hybrid', 'Atletico Verde', 54900, 68100, 'yes'],
    ['Tulip Dome', 'Utrecht', 'Netherlands', 24700, 2004, 'hybrid', 'SV Domstad', 17600, 24700, 'yes'],
    ['Seaside Park', 'Brighton', 'England', 30200, 2010, 'hybrid', 'Brighton Rovers', 27400, 30150, 'no'],
    ['Estadio Azahar', 'Valencia', 'Spain', 25400, 1969, 'grass', null, 11900, 25200, 'no'],
    ['Alpenblick', 'Salzburg', 'Austria', 14800, 2001, 'artificial', 'SC Salzach', 6700, 14750, 'no'],
    ['Isbanen', 'Oslo', 'Norway', 28000, 1926, 'grass', 'Oslo Vest', 13400, 35400, 'no'],
    ['Dom Arena', 'Arnhem', 'Netherlands', 6100, 1999, 'artificial', null, 2300, 6000, 'no'],
  ],
};

export const CITIES: BenchTable = {
  name: 'city',
  timeField: null,
  metaField: 'name',
  columns: {
    ...{ name: 'VARCHAR', country_code: 'VARCHAR', continent: 'VARCHAR', pop: 'BIGINT', area_km2: 'DOUBLE' },
    ...{ elevation_m: 'BIGINT', founded: 'BIGINT', mayor: 'VARCHAR', is_capital: 'BIGINT', official_lang: 'VARCHAR' },
  },
  rows: () => [
    ['Aravelle', 'FRA', 'Europe', 412000, 88.5, 34, 1120, 'C. Morin', 0, 'French'],
    ['Porto Vento', 'BRA', 'South America', 2650000, 496, 8, 1669, 'L. Prado', 0, 'Portuguese'],
    ['Kisumbe', 'KEN', 'Africa', 610000, 297, 1131, 1901, null, 0, 'Swahili'],
    ['Hallstadt', 'DEU', 'Europe', 289000, 145.2, 262, 1104, 'P. Kranz', 0, 'German'],
    ['New Bristol', 'CAN', 'North America', 1340000, 630.2, 76, 1793, 'A. Singh', 0, 'English'],
    ['Cusara', 'PER', 'South America', 428000, 385.1, 3399, 1534, 'R. Quispe', 0, 'Spanish'],
    ['Velmora', 'ESP', 'Europe', 3220000, 604.3, 657, 865, 'T. Ibarra', 1, 'Spanish'],
    ['Okinoura', 'JPN', 'Asia', 1970000, 828, 19, 1590, 'K. Mori', 0, 'Japanese'],
    ['Dar Salim', 'TZA', 'Africa', 4360000, 1393, 12, 1862, 'J. Mushi', 0, 'Swahili'],
    ['Montclaire', 'CAN', 'North America', 1760000, 431.5, 233, 1642, 'E. Roy', 0, 'French'],
    ['Addara', 'ETH', 'Africa', 3040000, 527, 2355, 1886, 'M. Bekele', 1, 'Amharic'],
    ['Lindhaven', 'DNK', 'Europe', 794000, 179.8, 5, 1167, null, 1, 'Danish'],
    ['Quitara', 'ECU', 'South America', 1880000, 372.4, 2850, 1534, 'S. Vega', 1, 'Spanish'],
    ['Shinamoto', 'JPN', 'Asia', 738000, 390.3, 32, 1607, 'Y. Ueda', 0, 'Japanese'],
    ['Elbrück', 'DEU', 'Europe', 1841000, 755.1, 6, 808, 'F. Thomsen', 0, 'German'],
    ['Batan Raya', 'IDN', 'Asia', 10560000, 661.5, 8, 1527, 'D. Wijaya', 1, 'Indonesian'],
  ],
};

export const MUSEUMS: BenchTable = {
  name: 'museums',
  timeField: null,
  metaField: 'Museum_ID',
  columns: {
    ...{ Museum_ID: 'BIGINT', Name: 'VARCHAR', City: 'VARCHAR', Kind: 'VARCHAR', Num_of_Staff: 'BIGINT' },
    ...{ Open_Year: 'BIGINT', Ticket_Price: 'DOUBLE', Visitors_2023: 'BIGINT', Closed_On: 'VARCHAR' },
    Free_On_Sundays: 'VARCHAR',
  },
  rows: () => [
    [1, 'Museum of Glass', 'Ghent', 'art', 42, 1988, 12, 184000, 'Monday', 'Y'],
    [2, 'Tram Museum', 'Ghent', 'transport', 11, 2003, 7.5, 39500, 'Tuesday', 'N'],
    [3, 'National Gallery', 'Prague', 'art', 210, 1796, 14, 612000, 'Monday', 'N'],
    [4, 'House of Clocks', 'Basel', 'science', 18, 1961, 9, 51200, 'Monday', 'Y'],
    [5, 'Museum of Natural History', 'Basel', 'science', 95, 1849, 11, 233000, 'Monday', 'Y'],
    [6, 'Toy Museum', 'Prague', 'children', 9, 1994, 6, 70400, null, 'N'],
    [7, 'Maritime Museum', 'Gdynia', 'transport', 64, 1953, 8, 158000, 'Wednesday', 'Y'],
    [8, 'Emigration Museum', 'Gdynia', 'history', 37, 2015, 8.5, 121000, 'Monday', 'Y'],
    [9, 'Jewish Quarter Museum', 'Prague', 'history', 73, 1906, 15.5, 540000, 'Saturday', 'N'],
    [10, 'Paper Mill', 'Basel', 'science', 14, 1980, 10, 44800, 'Monday', 'N'],
    [11, 'Design Museum', 'Ghent', 'art', 51, 1903, 10, null, 'Wednesday', 'Y'],
    [12, 'Brick House', 'Gdynia', 'children', 22, 2019, null, 98700, null, 'N'],
  ],
};

export const BUILDINGS: BenchTable = {
  name: 'tall buildings',
  timeField: null,
  metaField: 'building',
  columns: {
    ...{ building: 'VARCHAR', street_address: 'VARCHAR', height_m: 'DOUBLE', floors: 'BIGINT' },
    ...{
      completed: 'BIGINT',
      architect: 'VARCHAR',
      main_use: 'VARCHAR',
      status: 'VARCHAR',
      cost_in_millions: 'DOUBLE',
    },
  },
  rows: () => [
    ['Harbour Point', '1 Quay Street', 212.5, 52, 1998, 'Oda & Partners', 'office', 'in use', 410],
    ['Mercer House', '18 Mercer Row', 148, 37, 1974, 'J. Whitcombe', 'residential', 'in use', 62],
    ['Sky Garden', '200 High Street', 305.3, 71, 2016, 'Studio Lomax', 'mixed', 'in use', 890],
    ['Old Exchange', '4 High Street', 96.2, 22, 1931, 'J. Whitcombe', 'office', 'under renovation', 9],
    ['Pier Hotel', '7 Quay Street', 121, 30, 2005, 'Oda & Partners', 'hotel', 'in use', 140],
    ['One Station Place', '1 Station Place', 188.4, 45, 2012, 'Studio Lomax', 'office', 'in use', 375],
    ['Willow Court', '33 Mercer Row', 88.7, 27, 1969, 'H. Brandt', 'residential', 'demolished', null],
    ['Granite Tower', '60 High Street', 240, 58, 2021, 'Kessler Roth', 'mixed', 'in use', 655],
    ['The Needle', '9 Station Place', 331, 78, 2024, 'Kessler Roth', 'hotel', 'under construction', 1120],
    ['Bank Chambers', '12 High Street', 77.5, 18, 1927, 'H. Brandt', 'office', 'in use', 6.5],
    ['Canal View', '5 Canal Walk', 102.9, 31, 2009, 'Oda & Partners', 'residential', 'in use', 88],
    ['Crown Plaza', '41 Canal Walk', 159.6, 40, 1989, 'J. Whitcombe', 'hotel', 'under renovation', 130],
    ['Foundry Lofts', '80 Mercer Row', 91, 26, 2018, 'Studio Lomax', 'residential', 'in use', 95],
  ],
};
