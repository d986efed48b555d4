import { usualRole } from '../../../answering/tasks/general-look.js';
import { isNumeric, type ColumnProfile, type TableProfile } from '../../../ports/table.js';
import {
  NO_SEMANTICS,
  type ColumnFormat,
  type ColumnSemantics,
  type TableSemantics,
} from '../../../ports/table-semantics.js';

const MOST_COLUMNS = 1000;
/** Of a column whose values are a list of categories. */
const MOST_VALUES = 30;
const LAST_IN_BRACKETS = /[([{]([^()[\]{}]{1,30})[)\]}]\s*$/;
const CURRENCY = /^(?:[€$£¥₹]|eur|euros?|usd|gbp|chf|jpy|inr|cny|pln|sek|nok|dkk|dollars?)$/i;

/** What a table says about itself: a first version for people to correct. */
export function draftOf(profile: TableProfile): TableSemantics {
  return {
    ...NO_SEMANTICS,
    columns: profile.columns.slice(0, MOST_COLUMNS).map((column) => columnDraft(column, profile)),
  };
}

function columnDraft(column: ColumnProfile, profile: TableProfile): ColumnSemantics {
  const unit = isNumeric(column.type) ? (LAST_IN_BRACKETS.exec(column.name)?.[1]?.trim() ?? '') : '';
  return {
    name: column.name,
    description: '',
    synonyms: [],
    unit,
    format: formatOf(unit),
    role: usualRole(column, profile),
    allowedValues: allowedValues(column, profile),
  };
}

function formatOf(unit: string): ColumnFormat {
  if (unit === '%') return 'percent';
  return CURRENCY.test(unit) ? 'currency' : '';
}

/** Of categories: few values, each of which several rows have. */
function allowedValues({ type, distinct, topValues }: ColumnProfile, { rowCount }: TableProfile): readonly string[] {
  const isWhole = topValues.length === distinct;
  if (type !== 'text' || !isWhole || distinct > MOST_VALUES || distinct * 2 > rowCount) return [];
  return topValues.map(({ value }) => value);
}
