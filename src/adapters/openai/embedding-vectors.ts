import { z } from 'zod';
import { AppError } from '../../shared/app-error.js';

const answerSchema = z.object({ data: z.array(z.object({ index: z.number().nullish(), embedding: z.unknown() })) });
type Place = z.infer<typeof answerSchema>['data'][number];

/**
 * The vectors of an endpoint's answer in the order of the texts, each brought to length 1.
 *
 * @throws AppError `unavailable` when there are more or fewer than `count`, or one is no vector.
 */
export function vectorsOf(answer: unknown, count: number): readonly Float32Array[] {
  const checked = answerSchema.safeParse(answer);
  if (!checked.success) throw unreadable('sent something unreadable');
  const { data } = checked.data;
  if (data.length !== count) throw unreadable('did not send one vector for each text');
  return inOrder(data).map(({ embedding }) => ofLengthOne(numbersOf(embedding)));
}

/** Endpoints may answer in any order and say so; one whose numbers make no sense is taken to keep the order. */
function inOrder(data: readonly Place[]): readonly Place[] {
  const ordered = new Array<Place | undefined>(data.length).fill(undefined);
  for (const place of data) ordered[place.index ?? -1] ??= place;
  const whole = ordered.filter((place) => place !== undefined);
  return whole.length === data.length ? whole : data;
}

/** Some servers send base64 to everybody. */
function numbersOf(embedding: unknown): Float32Array {
  if (typeof embedding === 'string') return decoded(embedding);
  if (!Array.isArray(embedding)) throw unreadable('sent something unreadable');
  const numbers: readonly unknown[] = embedding;
  // Whatever is no number becomes NaN, which is refused with the rest.
  return Float32Array.from(numbers, (value) => (typeof value === 'number' ? value : NaN));
}

/** Four bytes a number, the least significant first. */
function decoded(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length % 4 !== 0) throw unreadable('sent something unreadable');
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
}

function ofLengthOne(vector: Float32Array): Float32Array {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const norm = Math.sqrt(sum);
  if (!Number.isFinite(norm) || norm === 0) throw unreadable('sent a vector that says nothing');
  return vector.map((value) => value / norm);
}

function unreadable(what: string): AppError {
  return new AppError('unavailable', `the embedding model ${what}`);
}
