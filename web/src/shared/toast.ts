import { plural, t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import { ApiError, SignedOutError } from '@data-analytics/client';
import { sentence } from './format.js';

/** Work is done. */
export function told(message: string): void {
  notifications.show({ ...closable(), message, color: 'teal', withBorder: true, autoClose: 5000 });
}

/** Work failed, and the page has no better place to say so. */
export function failed(what: string, error: unknown): void {
  // The page asks to sign in, which says it all.
  if (error instanceof SignedOutError) return;
  notifications.show({
    ...closable(),
    title: what,
    message: problemOf(error),
    color: 'red',
    withBorder: true,
    autoClose: 10_000,
  });
}

export function closable() {
  return { closeButtonProps: { 'aria-label': t`Close` } };
}

/** What went wrong as a sentence that says what to do, where that is known. */
export function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t`Something went wrong on this page. Reload it and try again.`;
  if (error.isOffline)
    return t`The service can’t be reached, and nothing was changed. Check your connection and try again.`;
  if (error.status === 429)
    return t`Too many requests. Try again in ${plural(error.retryAfter ?? 5, { one: '# second', other: '# seconds' })}.`;
  return sentence(inPlainWords(error));
}

/* oxlint-disable lingui/no-unlocalized-strings -- the service's messages are in English */

/** What the console calls fields of requests. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  timefield: 'time column',
  metafield: 'subject column',
  timeformat: 'time format',
  url: 'address',
};

/** The message without the names that only the API knows: `task_id must be a valid identifier` is `there is no such task`. */
function inPlainWords({ message, details }: ApiError): string {
  const path = details[0]?.field ?? '';
  const name = path.split('.').at(-1) ?? '';
  const field = [path, name].find((text) => message.startsWith(`${text} `));
  if (field === undefined) return message;
  const words = FIELD_WORDS[name] ?? name.replace(/_id$/, '').replaceAll('_', ' ');
  const rest = message.slice(field.length);
  return rest === ' must be a valid identifier' ? `there is no such ${words}` : `${words}${rest}`;
}
