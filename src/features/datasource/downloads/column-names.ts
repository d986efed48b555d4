import { AppError } from '../../../shared/app-error.js';

/** A name in quotes, or anything up to the next comma. */
const NAME = /\s*(?:"((?:[^"]|"")*)"\s*|([^,]*))(,|$)/y;

/**
 * Names from a list parted by commas. A name that holds a comma, or begins or ends with a blank, stands in quotes as in a CSV file.
 *
 * @throws AppError `invalid_input` when a name is there twice.
 */
export function columnNamesIn(list: string): readonly string[] {
  const names: string[] = [];
  NAME.lastIndex = 0;
  for (let more = true; more;) {
    const [, quoted, plain = '', end] = NAME.exec(list) ?? [];
    names.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    more = end === ',';
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return names;
  const problem = `columns has "${twice}" twice`;
  throw new AppError('invalid_input', problem, { details: [{ field: 'columns', problem }] });
}
