import { AppError } from '../../shared/app-error.js';

const AGAIN_LATER = [408, 425, 429];
/** A receiver that asks for more patience is asked again after this. */
const MAX_WAIT_SECONDS = 3600;

const SECONDS = /^\d{1,9}$/;
const HTTP_DATE = /^[A-Za-z]{3}, .{1,40} GMT$/;

/** What a receiver answered. */
export interface WebhookAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

/** Null when the receiver took it; else why it did not, by kind of whether trying again makes sense. */
export function failureOf({ status, retryAfter }: WebhookAnswer, now: Date): AppError | null {
  if (status >= 200 && status < 300) return null;
  const message = `the receiver answered ${status}`;
  if (status < 500 && !AGAIN_LATER.includes(status)) return new AppError('invalid_input', message);
  const seconds = secondsUntil(retryAfter, now);
  return new AppError('unavailable', message, seconds === null ? {} : { retryAfter: seconds });
}

/** Reads `retry-after`: seconds, or a date of HTTP. */
function secondsUntil(text = '', now: Date): number | null {
  const seconds = SECONDS.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000);
  const isKnown = (SECONDS.test(text) || HTTP_DATE.test(text)) && !Number.isNaN(seconds);
  return isKnown ? Math.min(Math.max(seconds, 0), MAX_WAIT_SECONDS) : null;
}
