import { file, lined, repeated, type TypedDirtyFile } from './dirty-files.typed.js';

const [INTEGER, NUMBER, TEXT, TIME] = ['integer', 'number', 'text', 'time'] as const;

/** Lists of texts, and what programs write. */
export function moreSecondFiles(): readonly TypedDirtyFile[] {
  return [...lists(), ...programs()];
}

function lists(): readonly TypedDirtyFile[] {
  const people = repeated(16, (index) => [
    ['Ada Lovelace', 'Alan Turing', 'Grace Hopper', 'Emmy Noether'][index % 4] ?? '',
    ['London', 'Paris', 'New York', 'Rome'][(index * 3) % 4] ?? '',
    ['red', 'green', 'blue'][index % 3] ?? '',
  ]);
  const titles = repeated(20, (index) => [
    index % 5 === 0 ? `Report ${index}, revised` : `On the matter of ${'very '.repeat(index % 3)}old things`,
  ]);
  const urls = repeated(15, (index) => [
    `u${index}`,
    `https://example.org/a/${index}?b=1&c=2`,
    `2024-01-0${(index % 9) + 1}`,
  ]);
  return [
    file('texts alone in three columns', `name,city,colour\n${lined(people, ',')}`, people, {
      ...{ columns: ['name', 'city', 'colour'], types: [TEXT, TEXT, TEXT], dialect: { headerRows: 1 } },
    }),
    file(
      'texts alone, between semicolons with commas inside',
      `a;b;c\n${lined(people, ';').replaceAll('New York', 'New York, NY')}`,
      people.map((row) => row.map((cell) => cell.replace('New York', 'New York, NY'))),
      {
        ...{ columns: ['a', 'b', 'c'], types: [TEXT, TEXT, TEXT], dialect: { delimiter: ';' } },
      },
    ),
    file('titles with a comma here and there', `title\n${lined(titles, '')}`, titles, {
      ...{ columns: ['title'], types: [TEXT], dialect: { headerRows: 1, fewestFields: 1 } },
    }),
    file('addresses of pages between commas', `id,url,day\n${lined(urls, ',')}`, urls, {
      ...{ columns: ['id', 'url', 'day'], types: [TEXT, TEXT, TIME], dialect: { delimiter: ',' } },
    }),
    file('addresses of pages between carets', `id^url^day\n${lined(urls, '^')}`, urls, {
      ...{ columns: ['id', 'url', 'day'], types: [TEXT, TEXT, TIME], dialect: { delimiter: '^' } },
    }),
  ];
}

function programs(): readonly TypedDirtyFile[] {
  const passwd = repeated(12, (index) => [
    `user${index}`,
    'x',
    String(1000 + index),
    String(100 + index),
    '',
    `/home/user${index}`,
  ]);
  const measured = repeated(25, (index) => [String(index), String(index * 1.5), String(100 - index)]);
  const log = repeated(25, (index) => [
    `2024-01-01 10:00:${10 + index}`,
    ['INFO', 'WARN'][index % 2] ?? '',
    `said "x" ${index}`,
  ]);
  const wide = repeated(12, (index) => [
    'north',
    String(index),
    String(index * 2),
    String(index * 3),
    String(index * 4),
  ]);
  return [
    file('accounts between colons, no header', lined(passwd, ':'), passwd, {
      columns: ['column1', 'column2', 'column3', 'column4', 'column5', 'column6'],
      types: [TEXT, TEXT, INTEGER, INTEGER, TEXT, TEXT],
      dialect: { delimiter: ':', headerRows: 0 },
    }),
    file('measures between blanks', `x y z\n${lined(measured, ' ')}`, measured, {
      ...{ columns: ['x', 'y', 'z'], types: [INTEGER, NUMBER, INTEGER], dialect: { delimiter: ' ' } },
    }),
    file('double pipes without a header', lined(measured, '||'), measured, {
      columns: ['column1', 'column2', 'column3'],
      types: [INTEGER, NUMBER, INTEGER],
      dialect: { delimiter: '||', headerRows: 0 },
    }),
    file(
      'escaped with a backslash, in apostrophes',
      `at;level;text\n${lined(
        log.map(([at = '', level = '', said = '']) => [at, level, `'${said.replace('said', "it\\'s")}'`]),
        ';',
      )}`,
      log.map(([at = '', level = '', said = '']) => [at, level, said.replace('said', "it's")]),
      {
        columns: ['at', 'level', 'text'],
        types: [TIME, TEXT, TEXT],
        dialect: { delimiter: ';', quote: "'", escape: '\\' },
      },
    ),
    file('quotes inside plain cells', `at\tlevel\ttext\n${lined(log, '\t')}`, log, {
      ...{ columns: ['at', 'level', 'text'], types: [TIME, TEXT, TEXT], dialect: { delimiter: '\t' } },
    }),
    file('years above quarters', `,2023,,2024,\nregion,Q1,Q2,Q1,Q2\n${lined(wide, ',')}`, wide, {
      columns: ['region', '2023 Q1', '2023 Q2', '2024 Q1', '2024 Q2'],
      types: [TEXT, INTEGER, INTEGER, INTEGER, INTEGER],
      dialect: { headerRows: 2 },
    }),
    file('repeated years above quarters', `year,2023,2023,2024,2024\nregion,Q1,Q2,Q1,Q2\n${lined(wide, ',')}`, wide, {
      columns: ['year region', '2023 Q1', '2023 Q2', '2024 Q1', '2024 Q2'],
      types: [TEXT, INTEGER, INTEGER, INTEGER, INTEGER],
      dialect: { headerRows: 2 },
    }),
    file(
      'a total in a row of the usual length',
      `region,a,b,c,d\n${lined([...wide, ...wide], ',')}Total,x,x,x,x\n`,
      [...wide, ...wide, ['Total', 'x', 'x', 'x', 'x']],
      {
        columns: ['region', 'a', 'b', 'c', 'd'],
        types: [TEXT, INTEGER, INTEGER, INTEGER, INTEGER],
      },
    ),
    file(
      'names longer than the rows',
      `region,a,b,c,d,e,f\n${lined(wide, ',')}`,
      wide.map((row) => [...row, '', '']),
      {
        columns: ['region', 'a', 'b', 'c', 'd', 'e', 'f'],
        types: [TEXT, INTEGER, INTEGER, INTEGER, INTEGER, TEXT, TEXT],
        dialect: { fewestFields: 5 },
      },
    ),
    file('spaced signs of two characters', `x => y => z\n${lined(measured, ' => ')}`, measured, {
      ...{ columns: ['x', 'y', 'z'], types: [INTEGER, NUMBER, INTEGER], dialect: { delimiter: '=>', trims: true } },
    }),
    file(
      'sep= and a decimal comma',
      `sep=;\r\nx;y\r\n${lined(
        measured.map(([x = '', y = '']) => [x, y.replace('.', ',')]),
        ';',
        '\r\n',
      )}`,
      measured.map(([x = '', y = '']) => [x, y.replace('.', ',')]),
      {
        columns: ['x', 'y'],
        types: [INTEGER, NUMBER],
        dialect: { delimiter: ';', preambleLines: 1, decimal: ',' },
      },
    ),
  ];
}
