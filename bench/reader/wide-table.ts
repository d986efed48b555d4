import type { TableBriefing } from '../../src/ports/chat-model.js';
import type { ColumnProfile } from '../../src/ports/table.js';
import { groupedBy } from '../../src/analyst/reading/words.js';
import { corpusQuestions, corpusTables, TrueTable } from './corpus.js';

const COLUMNS = 200;
const VALUES = 10_000;
const QUESTIONS_EACH = 6;

export interface WideTable {
  readonly briefing: TableBriefing;
  /** About the tables that it is made of. */
  readonly questions: readonly { readonly text: string; readonly now: Date }[];
}

/** A table of 200 columns and 10,000 different values: tables of the training side by side, and values made up. */
export async function wideTable(): Promise<WideTable> {
  const [tables, sets] = [await corpusTables(), await corpusQuestions('train')];
  const first = [...sets.values()].flat().filter(({ after }) => after === undefined);
  const columns = new Map<string, ColumnProfile>();
  const questions: WideTable['questions'][number][] = [];
  for (const [name, asked] of [...groupedBy(first, ({ table }) => table)].reverse()) {
    const known = tables.get(name);
    const own = known?.columns.filter((column) => !columns.has(column.name)) ?? [];
    if (known === undefined || columns.size + own.length > COLUMNS) continue;
    const table = await TrueTable.open(known);
    for (const column of table.briefing.profile.columns) columns.set(column.name, column);
    questions.push(...asked.slice(0, QUESTIONS_EACH).map(({ q: text }) => ({ text, now: table.moment })));
    if (columns.size === COLUMNS) break;
  }
  const profile = {
    ...{ rowCount: 100_000, timeRange: null, metaField: '', values: [] },
    columns: withValues([...columns.values()]),
    timeField: [...columns.values()].find(({ type }) => type === 'time')?.name ?? '',
  };
  return { briefing: { name: 'wide', context: '', profile }, questions };
}

function withValues(columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const texts = columns.filter(({ topValues }) => topValues.length > 0);
  const known = texts.reduce((sum, { topValues }) => sum + topValues.length, 0);
  const each = Math.ceil(Math.max(0, VALUES - known) / texts.length);
  return columns.map((column) => {
    const [like] = column.topValues;
    if (like === undefined) return column;
    const more = Array.from({ length: each }, (_, at) => ({ value: `${like.value} ${at + 1000}`, count: 1 }));
    return { ...column, topValues: [...column.topValues, ...more] };
  });
}
