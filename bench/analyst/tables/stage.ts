import type { BenchTable } from '../bench-table.js';

/** Small tables as people keep them by hand: a screenful of rows, each of one thing. */
export const SINGERS: BenchTable = {
  name: 'singers',
  timeField: null,
  metaField: 'singer_name',
  columns: {
    ...{ singer_id: 'BIGINT', singer_name: 'VARCHAR', birth_year: 'BIGINT', home_country: 'VARCHAR' },
    ...{ genre: 'VARCHAR', albums_sold_m: 'DOUBLE', concerts: 'BIGINT', still_active: 'VARCHAR', agency: 'VARCHAR' },
  },
  rows: () => [
    [1, 'Ines Carvalho', 1968, 'Portugal', 'fado', 12.5, 640, 'no', 'Tejo Artists'],
    [2, 'Bror Lindqvist', 1981, 'Sweden', 'pop', 31.2, 410, 'yes', 'Nord Stage'],
    [3, 'Maya Odell', 1990, 'Canada', 'folk', 4.8, 255, 'yes', null],
    [4, 'Teo Marangoni', 1957, 'Italy', 'opera', 9.1, 1120, 'no', 'La Voce'],
    [5, 'Saoirse Quinn', 1994, 'Ireland', 'folk', 2.3, 180, 'yes', 'Nord Stage'],
    [6, 'Kwabena Asare', 1985, 'Ghana', 'highlife', 6.4, 390, 'yes', 'Volta Sound'],
    [7, 'Lotte Vermeer', 1976, 'Netherlands', 'pop', 18.9, 520, 'yes', 'Nord Stage'],
    [8, 'Hugo Belmonte', 1949, 'Portugal', 'fado', 7.7, 980, 'no', 'Tejo Artists'],
    [9, 'Amina Diallo', 1998, 'Senegal', 'pop', 1.1, 64, 'yes', null],
    [10, 'Silvio Conti', 1972, 'Italy', 'pop', 22.4, 700, 'yes', 'La Voce'],
    [11, 'Elsa Nyström', 1988, 'Sweden', 'folk', 3.9, 230, 'no', 'Nord Stage'],
    [12, 'Ravi Menon', 1979, 'India', 'playback', 14.6, 310, 'yes', null],
    [13, 'Grace Otieno', 1991, 'Kenya', 'gospel', 2.8, 205, 'yes', 'Volta Sound'],
    [14, 'Paolo Ferri', 1963, 'Italy', 'opera', 5.5, 870, 'yes', 'La Voce'],
  ],
};

export const SONGS: BenchTable = {
  name: 'song_list',
  timeField: null,
  metaField: 'SongTitle',
  columns: {
    ...{ SongTitle: 'VARCHAR', Artist: 'VARCHAR', Album: 'VARCHAR', DurationSec: 'BIGINT', ReleaseYear: 'BIGINT' },
    ...{ Language: 'VARCHAR', Plays: 'BIGINT', Explicit: 'BOOLEAN', Rating: 'DOUBLE' },
  },
  rows: () => [
    ['Love in Transit', 'The Pylons', 'Night Buses', 214, 2014, 'English', 812000, false, 4.1],
    ['Mar Aberto', 'Ondas', 'Cais', 251, 2017, 'Portuguese', 154000, false, 4.6],
    ['Hollow Moon', 'Vesper Kids', 'Paper Suns', 188, 2019, 'English', 2310000, true, 3.9],
    ['Sous la pluie', 'Camille Noir', 'Verre', 233, 2011, 'French', 367000, false, 4.4],
    ['Glass Love', 'Vesper Kids', 'Paper Suns', 176, 2019, 'English', 1740000, false, 4.0],
    ['Kalte Stadt', 'Nordkreuz', 'Grau', 305, 2009, 'German', 98000, true, 3.6],
    ['Rue des Roses', 'Camille Noir', 'Verre', 198, 2011, 'French', 421000, false, 4.7],
    ['Tramline', 'The Pylons', 'Night Buses', 262, 2014, 'English', 530000, false, 3.8],
    ['Saudade Azul', 'Ondas', 'Maré', 287, 2021, 'Portuguese', 88000, false, 4.8],
    ['Moonless', 'The Pylons', 'Fuse', 341, 2020, 'English', 295000, true, 4.2],
    ['Feuerwerk', 'Nordkreuz', 'Grau', 223, 2009, 'German', 134000, false, 3.3],
    ['Paper Hearts', 'Vesper Kids', null, 201, 2022, 'English', 3120000, false, 4.5],
    ['Ohne dich', 'Lena Falk', 'Zwei', 219, 2020, 'German', 640000, false, null],
    ['Zwei Uhr', 'Lena Falk', 'Zwei', 244, 2020, 'German', 210000, true, 4.3],
    ['Lovers Quay', 'Ondas', 'Cais', 192, 2017, 'English', 73000, false, 3.7],
    ['Static', 'Nordkreuz', null, 158, 2023, 'English', 45000, true, null],
  ],
};

export const FILMS: BenchTable = {
  name: 'film',
  timeField: null,
  metaField: 'film_id',
  columns: {
    ...{ film_id: 'BIGINT', film_title: 'VARCHAR', director: 'VARCHAR', studio: 'VARCHAR', genre: 'VARCHAR' },
    ...{ runtime_min: 'BIGINT', released: 'DATE', budget_musd: 'DOUBLE', gross_in_dollar: 'BIGINT', oscars: 'BIGINT' },
  },
  rows: () => [
    [101, 'The Long Harbour', 'Ana Reyes', 'Meridian', 'Drama', 128, '2012-03-09', 14, 61200000, 2],
    [102, 'Copper Sky', 'Tom Hadley', 'Bluegate', 'Western', 141, '2015-11-20', 42, 118400000, 0],
    [103, 'Night Ferry', 'Ana Reyes', 'Meridian', 'Thriller', 97, '2016-05-13', 9.5, 23900000, 0],
    [104, 'A Winter Apart', 'Jun Takeda', 'Hanabi', 'Drama', 112, '2018-01-26', 6, 18100000, 1],
    [105, 'Robots of June', 'Tom Hadley', 'Bluegate', 'Science Fiction', 119, '2019-07-05', 95, 402700000, 1],
    [106, 'The Quiet Cook', 'Lise Moreau', 'Petit Jour', 'Comedy', 91, '2013-09-18', 4.2, 15600000, 0],
    [107, 'Marigold Road', 'Jun Takeda', 'Hanabi', 'Drama', 134, '2021-10-15', 11, null, 3],
    [108, 'Stone Circle', 'Eve Palmer', 'Bluegate', 'Horror', 88, '2017-10-27', 3.1, 54800000, 0],
    [109, 'The Last Lantern', 'Eve Palmer', 'Meridian', 'Horror', 102, '2020-02-14', 7.4, 8300000, 0],
    [110, 'Two Left Feet', 'Lise Moreau', 'Petit Jour', 'Comedy', 99, '2016-12-21', 5, 31200000, 0],
    [111, 'Orbit Zero', 'Tom Hadley', 'Bluegate', 'Science Fiction', 149, '2022-06-10', 130, 287500000, 2],
    [112, 'Salt and Bread', 'Ana Reyes', null, 'Documentary', 84, '2019-03-01', 0.9, 1200000, 1],
    [113, 'The Orchard Thief', 'Lise Moreau', 'Meridian', 'Comedy', 106, '2022-04-22', 12, 44700000, 0],
    [114, 'Under the Viaduct', 'Jun Takeda', 'Hanabi', 'Thriller', 117, '2014-08-29', 8, 12900000, 0],
  ],
};
