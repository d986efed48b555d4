import { AppError, type FieldProblem } from '../../shared/app-error.js';

/** The refusal of a second document with the same id or unique fields; both stores say it alike, by field and never by value. */
export function alreadyTaken(fields: readonly string[]): AppError {
  const own = fields.filter((field) => field !== 'companyId');
  return new AppError('conflict', `${(own.length > 0 ? own : fields).join(' and ')} is already taken`);
}

export function doesNotFit(details: readonly FieldProblem[]): AppError {
  const [first] = details;
  return new AppError('invalid_input', first?.problem ?? 'the document does not fit its schema', { details });
}

export function refused(field: string, problem: string): AppError {
  return doesNotFit([{ field, problem: `${field} ${problem}` }]);
}
