import { AppError } from '../../shared/app-error.js';

export const noSuchFile = (): AppError => new AppError('not_found', 'context file not found');
export const stillProcessing = (): AppError => new AppError('conflict', 'file is still processing');

export function tooManyFiles(most: number): AppError {
  return new AppError(
    'conflict',
    `a company can have up to ${most} context files: delete some first, also from the bin`,
  );
}

export function unsupportedType(filename: string, mediaType: string): AppError {
  const message = `invalid input: unsupported file type ${mediaType}`;
  const problem = `${filename} is ${mediaType}; text, PDF and Word (.docx) files are supported`;
  return new AppError('unsupported_type', message, { details: [{ field: 'files', problem }] });
}

export function emptyFile(filename: string): AppError {
  const problem = `${filename} is empty`;
  return new AppError('invalid_input', problem, { details: [{ field: 'files', problem }] });
}
