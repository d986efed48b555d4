import { AppError, invalidField } from '../../shared/app-error.js';

export const noSuchUpload = (): AppError =>
  new AppError('not_found', 'uploaded file not found: it was never uploaded, already used, or older than 24 hours');

export const isUpdating = (): AppError =>
  new AppError('conflict', 'the datasource is updating: try again when it is done');
export const comesFromPlace = (): AppError =>
  new AppError(
    'conflict',
    'the rows of this datasource are fetched from a place: others would be lost with the next fetch',
  );
export const hasNoPlace = (): AppError =>
  new AppError('conflict', 'the datasource was made from a file: there is no place to fetch it from');
export const hasNoRows = (): AppError =>
  new AppError('conflict', 'the datasource has no rows: its import failed, and it has to be created again');

/** A part of the config that does not fit the file. */
export function configProblem(field: string, problem: string): AppError {
  return invalidField(`config.${field}`, `config.${field} ${problem}`);
}
