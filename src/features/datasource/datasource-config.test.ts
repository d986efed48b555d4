import { describe, expect, it } from 'vitest';
import type { CsvDescription } from '../../ports/csv-inspector.js';
import { completeConfig, loadColumns } from './datasource-config.js';
import type { DatasourceDraft } from './datasource.types.js';

const FILE: CsvDescription = {
  dialect: { delimiter: ',', quote: '"', encoding: 'utf-8', hasHeader: true, decimal: '.' },
  columns: ['device', 'at', 'temperature', 'note', 'count'],
  types: ['text', 'time', 'number', 'text', 'integer'],
  sample: ['d1', '2024-01-01 00:00:00', '20.5', 'ok', '3'],
  samples: [
    ['d1', '2024-01-01 00:00:00', '20.5', 'ok', '3'],
    ['d2', '2024-01-01 01:00:00', '21.5', '', '4'],
  ],
  size: 100,
};

function wanted(changes: Partial<DatasourceDraft['config']> = {}): DatasourceDraft['config'] {
  return {
    isTimeseries: true,
    timeField: 'at',
    metaField: 'device',
    values: [],
    timeFormat: '',
    granularity: '',
    lifespan: 0,
    context: '',
    ...changes,
  };
}

describe('a datasource config', () => {
  it('takes every numeric column as a measure when none is named', () => {
    expect(completeConfig(wanted(), FILE).values).toEqual(['temperature', 'count']);
  });

  it('detects the layout of the timestamps', () => {
    expect(completeConfig(wanted(), FILE).timeFormat).toBe('yyyy-MM-dd HH:mm:ss');
  });

  it('detects it also when some of them are broken', () => {
    const rows = ['2024-01-01', 'soon', '2024-01-02', '2024-13-45', '2024-01-03'].map((at) => ['d', at, '1', '', '1']);
    expect(completeConfig(wanted(), { ...FILE, samples: rows }).timeFormat).toBe('yyyy-MM-dd');
  });

  it('asks which it is when day and month can not be told apart', () => {
    const rows = ['01/02/2024', '03/04/2024', '02/05/2024'].map((at) => ['d', at, '1', '', '1']);
    expect(() => completeConfig(wanted(), { ...FILE, samples: rows })).toThrow(
      'config.timeformat is required: for example "01/02/2024" can be dd/MM/yyyy or MM/dd/yyyy',
    );
  });

  it.each([
    ['Go', '2006-01-02 15:04:05'],
    ['strftime', '%Y-%m-%d %H:%M:%S'],
    ['Unicode', 'yyyy-MM-dd HH:mm:ss'],
  ])('keeps a %s layout that matches', (_language, timeFormat) => {
    expect(completeConfig(wanted({ timeFormat }), FILE).timeFormat).toBe(timeFormat);
  });

  it.each([
    [{ metaField: '' }, 'config.metafield is required'],
    [{ metaField: 'nope' }, 'config.metafield is not a column of the file'],
    [{ timeField: '' }, 'config.timefield is required'],
    [{ timeField: 'nope' }, 'config.timefield is not a column of the file'],
    [{ timeField: 'device' }, 'config.metafield must be another column than timefield'],
    [{ values: ['nope'] }, 'config.values is not a column of the file'],
    [{ values: ['device'] }, "config.values can't hold device"],
    [{ values: ['note'] }, "config.values can't hold note: it is not numeric"],
    [{ timeFormat: '%d.%m.%Y' }, 'config.timeformat %d.%m.%Y does not match at: for example "2024-01-01 00:00:00"'],
    [{ timeField: 'note' }, 'config.timeformat is required'],
  ])('refuses %j', (changes, message) => {
    expect(() => completeConfig(wanted(changes), FILE)).toThrow(message);
  });

  it('generates the time column of a table that is no time series, beside one of that name', () => {
    const plain = wanted({ isTimeseries: false, timeField: '' });
    expect(completeConfig(plain, FILE)).toMatchObject({ timeField: 'created_at', timeFormat: '' });
    const taken = { ...FILE, columns: ['created_at', '_created_at', 'c', 'd', 'device'] };
    expect(completeConfig(plain, taken).timeField).toBe('__created_at');
  });

  it('loads every column: the time as time, the metadata as text, a named measure as a number', () => {
    const config = completeConfig(wanted({ metaField: 'count' }), FILE);
    const source = { name: 'a.csv', dialect: FILE.dialect, columns: FILE.columns, types: FILE.types };
    expect(loadColumns(config, source)).toEqual([
      { name: 'device', type: 'text' },
      { name: 'at', type: 'time' },
      { name: 'temperature', type: 'number' },
      { name: 'note', type: 'text' },
      { name: 'count', type: 'text' },
    ]);
  });
});
