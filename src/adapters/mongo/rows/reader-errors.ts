import { AppError, messageOf } from '../../../shared/app-error.js';
import { isRecord } from '../../../shared/json.js';

const LONGEST = 600;
/** What the server says when a pipeline holds too much at once, or a document becomes too large. */
const TOO_LARGE = [...[146, 292, 10_334, 16_819, 16_820, 16_945, 17_419, 4_217_501, 5_643_002, 5_897_900]];
const LARGE = /memory|too large|exceed|over the limit|BufBuilder|larger than/i;
/** Failures of the server, not of what was asked. */
const INTERNAL = [1, 8, 96, 13_388, 13_436];
/** "… on namespace: database.collection :: caused by :: what went wrong" */
const FRAMES = /^.*:: caused by :: /s;
const PLACES = /\b[\w-]+\.(?:system\.buckets\.)?[\w.-]*rows[\w.-]*|system\.buckets\.\S+/g;

/**
 * What may be told of the server's complaint about a pipeline that was let through: no name of a database or a collection, no
 * address. What is no complaint about the pipeline is thrown as it is.
 *
 * @param internal names that must not be seen
 */
export function pipelineError(error: unknown, internal: readonly string[]): unknown {
  const code = isRecord(error) ? error['code'] : null;
  if (error instanceof AppError || typeof code !== 'number' || INTERNAL.includes(code)) return error;
  const said = messageOf(error);
  if (TOO_LARGE.includes(code) || LARGE.test(said)) {
    return new AppError('invalid_input', 'the query needs more memory than a query may use', { cause: error });
  }
  return new AppError('invalid_input', tellable(said, internal), { cause: error });
}

function tellable(said: string, internal: readonly string[]): string {
  const clean = internal
    .reduce((text, name) => text.replaceAll(name, 'data'), said.replace(FRAMES, '').replace(PLACES, 'data'))
    .trim();
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean;
}

/** Whether the server says that numbers have become too large. */
export function isOutOfRange(error: unknown): boolean {
  return (
    !(error instanceof AppError) &&
    /overflow|out of range|too large to (?:convert|be represented)/i.test(messageOf(error))
  );
}
