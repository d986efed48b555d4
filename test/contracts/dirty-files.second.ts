import type { ColumnType } from '../../src/ports/table.js';
import { moreSecondFiles } from './dirty-files.second-more.js';
import { type Cells, file, lined, repeated, type TypedDirtyFile, type Wanted } from './dirty-files.typed.js';
import { encoded } from './dirty-files.writer.js';

const [INTEGER, NUMBER, TEXT, TIME, BOOLEAN] = ['integer', 'number', 'text', 'time', 'boolean'] as const;

/** Files as people and programs write them, with several kinds of dirt at once; none of the rules was made by looking at them. */
export function secondDirtyFiles(): readonly TypedDirtyFile[] {
  return [...exports(), ...notations(), ...oddOnes(), ...moreSecondFiles()];
}

function exports(): readonly TypedDirtyFile[] {
  const bank = repeated(24, (index) => [
    `${String((index % 28) + 1).padStart(2, '0')}.03.2024`,
    `Überweisung ${index}`,
    `${index % 2 === 0 ? '-' : ''}${index + 1}.${String((index * 111) % 1000).padStart(3, '0')},${10 + index}`,
    'EUR',
  ]);
  const plant = repeated(30, (index) => [
    `2024-05-01 ${String(index % 24).padStart(2, '0')}:00`,
    String(20 + (index % 7) / 10),
    String(40 + index),
    index % 2 === 0 ? 'on' : 'off',
  ]);
  const survey = repeated(18, (index) => [
    String(index + 1),
    ['Yes, often', 'No', 'Sometimes; it depends', 'I "do" not know'][index % 4] ?? '',
    String((index % 5) + 1),
  ]);
  const quoted = (rows: readonly Cells[]): readonly Cells[] =>
    rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`));
  const logger = repeated(40, (index) => [String(index), String(index * 0.25), String(index * 2), `ok${index}`]);
  return [
    file(
      'a German bank statement',
      encoded(
        `Kontoauszug;Girokonto\r\nZeitraum: 01.03.2024 - 31.03.2024\r\n\r\nBuchungstag;Zweck;Betrag;Währung\r\n${lined(bank, ';', '\r\n')}`,
        'windows-1252',
      ),
      bank,
      {
        columns: ['Buchungstag', 'Zweck', 'Betrag', 'Währung'],
        types: [TEXT, TEXT, NUMBER, TEXT],
        dialect: { delimiter: ';', decimal: ',', preambleLines: 3, headerRows: 1 },
      },
    ),
    file('a plant with units and a total', `time,temp,load,state\n,°C,kW,\n${lined(plant, ',')}\nmean,20.3\n`, plant, {
      columns: ['time', 'temp °C', 'load kW', 'state'],
      types: [TIME, NUMBER, INTEGER, TEXT],
      dialect: { delimiter: ',', headerRows: 2, preambleLines: 0 },
      rejectedLines: [34],
    }),
    file('a survey with everything quoted', `"no","answer","score"\r\n${lined(quoted(survey), ',', '\r\n')}`, survey, {
      columns: ['no', 'answer', 'score'],
      types: [INTEGER, TEXT, INTEGER],
      dialect: { quote: '"', escape: '"' },
    }),
    file(
      'a logger with remarks',
      `; logger 7\n; started 2024\n#\nid\tvolts\tcount\tflag\n${lined(logger, '\t')}`,
      logger,
      {
        columns: ['id', 'volts', 'count', 'flag'],
        types: [INTEGER, NUMBER, INTEGER, TEXT],
        dialect: { delimiter: '\t', preambleLines: 3, headerRows: 1 },
      },
    ),
    file(
      'rows that end in a delimiter, the header too',
      `id;v;c;f;\n${lined(logger, ';', ';\n')}`,
      logger.map((row) => [...row, '']),
      {
        columns: ['id', 'v', 'c', 'f', 'column5'],
        types: [INTEGER, NUMBER, INTEGER, TEXT, TEXT],
        dialect: { delimiter: ';', fewestFields: 5 },
      },
    ),
    file('an index without a name', `,v,c,f\n${lined(logger, ',')}`, logger, {
      columns: ['column1', 'v', 'c', 'f'],
      types: [INTEGER, NUMBER, INTEGER, TEXT],
      dialect: { headerRows: 1 },
    }),
    file('a header that lacks the name of the index', `v,c,f\n${lined(logger, ',')}`, logger, {
      columns: ['v', 'c', 'f', 'column4'],
      types: [INTEGER, NUMBER, INTEGER, TEXT],
      dialect: { headerRows: 1, fewestFields: 4 },
    }),
    file('a table of pipes with blanks', `id | v | c | f\n${lined(logger, ' | ')}`, logger, {
      columns: ['id', 'v', 'c', 'f'],
      types: [INTEGER, NUMBER, INTEGER, TEXT],
      dialect: { delimiter: '|', trims: true },
    }),
    file('no header and a footer of stars', `${lined(logger, '|')}*** end of file ***\n`, logger, {
      columns: ['column1', 'column2', 'column3', 'column4'],
      types: [INTEGER, NUMBER, INTEGER, TEXT],
      dialect: { delimiter: '|', headerRows: 0 },
      rejectedLines: [41],
    }),
  ];
}

function column(
  name: string,
  values: readonly string[],
  delimiter: string,
  wanted: Wanted['dialect'],
  type: ColumnType,
): TypedDirtyFile {
  const rows = values.map((value, index) => [`k${index}`, value]);
  const shown = rows.map((row) => row.map((cell) => (cell.includes(delimiter) ? `"${cell}"` : cell)));
  return file(name, `key${delimiter}amount\n${lined(shown, delimiter)}`, rows, {
    ...{ columns: ['key', 'amount'], types: [TEXT, type], dialect: wanted ?? {} },
  });
}

function notations(): readonly TypedDirtyFile[] {
  return [
    column(
      'commas for thousands in a comma file',
      ['1,234', '12,345', '999', '1,234,567'],
      ',',
      { decimal: '.' },
      INTEGER,
    ),
    column('decimal commas in a comma file', ['12,5', '7,25', '0,5', '100'], ',', { decimal: ',' }, NUMBER),
    column('points for thousands', ['1.234,50', '12.000,00', '7,10'], ';', { decimal: ',' }, NUMBER),
    column('thousands between semicolons', ['1,234,567', '2,345', '999'], ';', { decimal: '.' }, INTEGER),
    column(
      'three digits behind a comma between semicolons',
      ['1,234', '2,345', '0,999'],
      ';',
      { decimal: ',' },
      NUMBER,
    ),
    column('three digits behind a comma between tabs', ['1,234', '22,345', '999'], '\t', { decimal: '.' }, INTEGER),
    column('thousands with blanks', ['1 234,5', '12 345,75', '3,5'], ';', { decimal: ',' }, NUMBER),
    column('thousands with apostrophes', ["1'234.50", "12'345.75", '3.5'], ';', { decimal: '.' }, NUMBER),
    column('telephone numbers with a plus', ['+4917012345678', '+4930123456', '+4940998877'], ',', {}, TEXT),
    column('telephone numbers in groups', ['555 123 456', '555 987 654', '555 111 222', '555 333 444'], ',', {}, TEXT),
    column('postal codes', ['01067', '10115', '80331'], ',', {}, TEXT),
    column('account numbers', ['1234567890123456789', '2234567890123456789'], ',', {}, TEXT),
    column(
      'one stray word among many',
      [...repeated(400, (index) => [String(index)]).flat(), 'broken', '7'],
      ',',
      {},
      INTEGER,
    ),
    column('two stray words among few', ['1', '2', 'broken', '4', 'lost', '6'], ',', {}, TEXT),
    column(
      'codes of which some have letters',
      repeated(90, (index) => [index % 9 === 0 ? `A${index}` : String(index)]).flat(),
      ',',
      {},
      TEXT,
    ),
    column('booleans in all cases', ['TRUE', 'false', 'True', 'N/A'], ';', {}, BOOLEAN),
    column('exponents', ['1e5', '2.5E-3', '7'], '\t', {}, NUMBER),
    column('percentages', ['5%', '7.5%', '10%'], ',', {}, TEXT),
    column('versions', ['1.2.3', '1.2.4', '2.0.0'], ';', { decimal: '.' }, TEXT),
  ];
}

function oddOnes(): readonly TypedDirtyFile[] {
  const rows = repeated(20, (index) => [`d${index % 3}`, `2024-02-01T0${index % 10}:00:00Z`, String(index + 0.5)]);
  const text = lined(rows, ',');
  const wanted: Wanted = { columns: ['device', 'at', 'value'], types: [TEXT, TIME, NUMBER] };
  const head = 'device,at,value\n';
  return [
    file('a bad row right below the header', `${head}d1,broken\n${text}`, rows, { ...wanted, rejectedLines: [2] }),
    file('a bad first row without a header', `d1,2024-02-01T00:00:00Z\n${text}`, rows, {
      ...wanted,
      columns: ['column1', 'column2', 'column3'],
      ...{ dialect: { headerRows: 0, preambleLines: 0 }, rejectedLines: [1] },
    }),
    file('two bad rows right below the header', `${head}d1\nd1,2,3,4,5\n${text}`, rows, {
      ...wanted,
      rejectedLines: [2, 3],
    }),
    file('a blank line below the header and below a title', `Devices\n\n${head}\n${text}`, rows, {
      ...{ ...wanted, dialect: { preambleLines: 2, headerRows: 1 } },
    }),
    file('a title with commas that make three cells', `Devices, of 2024, all\n\n${head}${text}`, rows, {
      ...{ ...wanted, dialect: { preambleLines: 2, headerRows: 1 } },
    }),
    file('an unclosed quote in the middle', `${head}${text}d1,"open,1\n${text}`, [...rows, ...rows], {
      ...{ ...wanted, rejectedLines: [22] },
    }),
    file('two unclosed quotes', `${head}${text}d1,"open,1\n${text}d2,x,"2\n${text}`, [...rows, ...rows, ...rows], {
      ...{ ...wanted, rejectedLines: [22, 43] },
    }),
    file(
      'the table twice with its header',
      `${head}${text}\n${head}${text}`,
      [...rows, ['device', 'at', 'value'], ...rows],
      {
        ...wanted,
      },
    ),
    file('another small table above', `owner,Ada\nplace,Paris\n\n${head}${text}`, rows, {
      ...{ ...wanted, dialect: { preambleLines: 3, headerRows: 1 } },
    }),
    file('CR in the header and LF below', `device,at,value\r${text}`, rows, wanted),
    file('a mark and a preamble', `\uFEFF# devices\n${head}${text}`, rows, {
      ...wanted,
      dialect: { preambleLines: 1 },
    }),
    file(
      'UTF-16 with a preamble and tabs',
      encoded(`Geräte\n\n${head}${text}`.replaceAll(',', '\t'), 'utf-16le', true),
      rows,
      {
        ...{ ...wanted, dialect: { delimiter: '\t', preambleLines: 2, encoding: 'utf-16le' } },
      },
    ),
  ];
}
