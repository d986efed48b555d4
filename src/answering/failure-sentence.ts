import { isAppError } from '../shared/app-error.js';

/** What a user is told of a failure: a foreseen one in its own words, of any other only that there was one. */
export function failureSentence(error: unknown): string {
  return isAppError(error) ? error.message : 'the answer could not be finished';
}
