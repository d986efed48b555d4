import { describe, expect, it } from 'vitest';
import { plainDialect } from '../../ports/csv-inspector.js';
import type { CsvDescription } from '../../ports/csv-inspector.js';
import { completeConfig, loadColumns } from './datasource-config.js';
import type { DatasourceConfig, DatasourceDraft } from './datasource.types.js';
import { unite } from './united-table.js';
import { describedFile } from './upload/described-file.js';

const FILE: CsvDescription = {
  dialect: plainDialect(3),
  columns: ['device', 'at', 'temperature', 'note', 'count'],
  types: ['text', 'time', 'number', 'text', 'integer'],
  timeFormats: [],
  sample: ['d1', '2024-01-01 00:00:00', '20.5', 'ok', '3'],
  samples: [
    ['d1', '2024-01-01 00:00:00', '20.5', 'ok', '3'],
    ['d2', '2024-01-01 01:00:00', '21.5', '', '4'],
  ],
  size: 100,
};

function wanted(changes: Partial<DatasourceDraft['config']> = {}): DatasourceDraft['config'] {
  const fields = { timeField: 'at', metaField: 'device', values: [], timeFormat: '' };
  return { ...fields, isTimeseries: true, granularity: '', lifespan: 0, context: '', ...changes };
}

/** The config for one file, or several: the second is called `2.csv`. */
function completed(config: DatasourceDraft['config'], ...files: readonly CsvDescription[]): DatasourceConfig {
  return completeConfig(config, unite(files.map((file, index) => describedFile(`${index + 1}.csv`, file.size, file))));
}

describe('a datasource config', () => {
  it('takes every numeric column as a measure when none is named, and the layout of the timestamps', () => {
    expect(completed(wanted(), FILE)).toMatchObject({
      values: ['temperature', 'count'],
      timeFormat: 'yyyy-MM-dd HH:mm:ss',
    });
    // As it was written where it is given, and also when some of them are broken.
    expect(completed(wanted({ timeFormat: '%Y-%m-%d %H:%M:%S' }), FILE).timeFormat).toBe('%Y-%m-%d %H:%M:%S');
    const rows = ['2024-01-01', 'soon', '2024-01-02', '2024-13-45', '2024-01-03'].map((at) => ['d', at, '1', '', '1']);
    expect(completed(wanted(), { ...FILE, samples: rows }).timeFormat).toBe('yyyy-MM-dd');
  });

  it('asks which it is when day and month can not be told apart', () => {
    const rows = ['01/02/2024', '03/04/2024', '02/05/2024'].map((at) => ['d', at, '1', '', '1']);
    expect(() => completed(wanted(), { ...FILE, samples: rows })).toThrow(
      'config.timeformat is required: for example "01/02/2024" can be dd/MM/yyyy or MM/dd/yyyy',
    );
  });

  it.each([
    [{ metaField: '' }, 'config.metafield is required'],
    [{ metaField: 'nope' }, 'config.metafield is nope, which is not a column of the file'],
    [{ timeField: '' }, 'config.timefield is required'],
    [{ timeField: 'nope' }, 'config.timefield is nope, which is not a column of the file'],
    [{ timeField: 'device' }, 'config.metafield must be another column than timefield'],
    [{ values: ['nope'] }, 'config.values has nope, which is not a column of the file'],
    [{ values: ['device'] }, "config.values can't hold device"],
    [{ values: ['note'] }, "config.values can't hold note: it is not numeric"],
    [{ timeFormat: '%d.%m.%Y' }, 'config.timeformat %d.%m.%Y does not match at: for example "2024-01-01 00:00:00"'],
    [{ timeField: 'note' }, 'config.timeformat is required'],
  ])('refuses %j', (changes, message) => {
    expect(() => completed(wanted(changes), FILE)).toThrow(message);
  });

  it('generates the time column of a table that is no time series, beside one of that name', () => {
    const plain = wanted({ isTimeseries: false, timeField: '' });
    expect(completed(plain, FILE)).toMatchObject({ timeField: 'created_at', timeFormat: '' });
    const taken = { ...FILE, columns: ['created_at', '_created_at', 'c', 'd', 'device'] };
    expect(completed(plain, taken).timeField).toBe('__created_at');
  });

  it('loads every column: the time as time, the metadata as text, a named measure as a number', () => {
    const config = completed(wanted({ metaField: 'count' }), FILE);
    const { columns } = unite([describedFile('a.csv', 100, FILE)]);
    const types = { device: 'text', at: 'time', temperature: 'number', note: 'text', count: 'text' };
    expect(loadColumns(config, columns)).toEqual(Object.entries(types).map(([name, type]) => ({ name, type })));
  });
});

describe('a config for several files', () => {
  const OTHER: CsvDescription = {
    ...FILE,
    columns: ['at', 'device', 'pressure'],
    types: ['time', 'text', 'integer'],
    sample: ['2024-02-01 00:00:00', 'd3', '1000'],
    samples: [['2024-02-01 00:00:00', 'd3', '1000']],
  };

  it('takes the measures of all of them, and does not mind one without rows', () => {
    const config = completed(wanted(), FILE, OTHER);
    expect(config.values).toEqual(['temperature', 'count', 'pressure']);
    expect(config.columns).toEqual([FILE.columns, OTHER.columns]);
    const empty = { ...OTHER, columns: ['when'], types: ['text'] as const, sample: [], samples: [] };
    expect(completed(wanted(), FILE, empty).values).toEqual(['temperature', 'count']);
  });

  it.each([
    ['metafield', { columns: ['at', 'machine', 'pressure'] }],
    ['timefield', { columns: ['when', 'device', 'pressure'] }],
  ])('needs the %s in each, and names the file that lacks it', (field, changes) => {
    expect(() => completed(wanted(), FILE, { ...OTHER, ...changes })).toThrow(
      `config.${field} is ${field === 'metafield' ? 'device' : 'at'}, which is not a column of the file 2.csv: ${changes.columns.join(', ')}`,
    );
  });

  it('needs one layout that fits each of them, and tells day and month apart by what another file says', () => {
    const on = (...texts: string[]): CsvDescription => ({ ...OTHER, samples: texts.map((text) => [text, 'd', '1']) });
    const other = (): DatasourceConfig => completed(wanted(), FILE, on('01.02.2024'));
    expect(other).toThrow('yyyy-MM-dd HH:mm:ss does not match at in 2.csv');
    expect(completed(wanted(), on('01/02/2024', '03/04/2024'), on('31/01/2024')).timeFormat).toBe('dd/MM/yyyy');
  });

  it('refuses a measure that is text in one of them', () => {
    const words = { ...OTHER, columns: ['at', 'device', 'count'], types: ['time', 'text', 'text'] as const };
    const samples = ['many', 'few', 'nobody'].map((count) => ['2024-02-01 00:00:00', 'd3', count]);
    const config = wanted({ values: ['count'] });
    expect(() => completed(config, FILE, { ...words, samples })).toThrow("can't hold count: it is not numeric");
  });
});
