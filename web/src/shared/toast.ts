import { notifications } from '@mantine/notifications';
import { ApiError, SignedOutError } from '@data-analytics/client';
import { sentence } from './format.js';

const CLOSABLE = { closeButtonProps: { 'aria-label': 'Close' } };

/** Work is done. */
export function told(message: string): void {
  notifications.show({ ...CLOSABLE, message, color: 'teal', withBorder: true, autoClose: 5000 });
}

/** Work failed, and the page has no better place to say so. */
export function failed(what: string, error: unknown): void {
  // The page asks to sign in, which says it all.
  if (error instanceof SignedOutError) return;
  notifications.show({
    ...CLOSABLE,
    title: what,
    message: problemOf(error),
    color: 'red',
    withBorder: true,
    autoClose: 10_000,
  });
}

/** What went wrong as a sentence that says what to do, where that is known. */
export function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong in this page. Reload it and try again.';
  if (error.isOffline) return 'The service can’t be reached. Check your connection; nothing was changed.';
  if (error.status === 429) return `Too much at once. Try again in ${String(error.retryAfter ?? 5)} seconds.`;
  return sentence(inPlainWords(error));
}

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
