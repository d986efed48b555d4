import { AppError } from '../../../shared/app-error.js';

const MOST_COLUMNS = 2000;
/** Headers are kept with the datasource and shown with it: characters of all files together. */
const LONGEST_HEADERS = 2 * 1024 ** 2;
/** What a column takes besides its name. */
const PER_COLUMN = 16;

/** Counts the columns of an archive's files as they become known. */
export class HeaderBudget {
  private readonly different = new Set<string>();
  private length = 0;

  /** @throws AppError `invalid_input` when the files have too many columns for one table, or headers beyond all measure. */
  add(columns: readonly string[]): void {
    for (const name of columns) {
      this.different.add(name.toLowerCase());
      this.length += name.length + PER_COLUMN;
    }
    if (this.different.size > MOST_COLUMNS) {
      throw new AppError('invalid_input', `the files of the archive have more than ${MOST_COLUMNS} columns together`);
    }
    if (this.length > LONGEST_HEADERS) {
      throw new AppError('invalid_input', 'the headers of the files of the archive are too long together');
    }
  }
}
