import { AppError } from '../../shared/app-error.js';

export const noSuchDatasource = (): AppError => new AppError('not_found', 'datasource not found');
export const noSuchUpload = (): AppError =>
  new AppError('not_found', 'uploaded file not found: it was never uploaded, already used, or older than 24 hours');

export const nothingToChange = (): AppError => new AppError('invalid_input', 'send a name or a context to change');

export const isUpdating = (): AppError =>
  new AppError('conflict', 'the datasource is updating: try again when it is done');
export const hasNoRows = (): AppError =>
  new AppError('conflict', 'the datasource has no rows: its import failed, and it has to be created again');

/** A part of the config that does not fit the file. */
export function configProblem(field: string, problem: string): AppError {
  const sentence = `config.${field} ${problem}`;
  return new AppError('invalid_input', sentence, { details: [{ field: `config.${field}`, problem: sentence }] });
}
