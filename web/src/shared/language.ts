import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

/** What the console is written in, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

/** Where the browser keeps the reader's choice. */
export const LANGUAGE_KEY = 'data-analytics.language';

// Outside of a browser there is neither.
const { navigator } = globalThis as { readonly navigator?: { readonly languages?: readonly string[] } };
const wanted = navigator?.languages ?? [];

/** The reader's choice, or what their browser asks for first. It changes with a reload. */
export const LANGUAGE: Language =
  [chosen(), ...wanted].map((tag) => tag.split('-')[0]).find((tag) => tag === 'en' || tag === 'de') ?? 'en';

/** With the region that the browser names: `en-GB` writes other dates than `en-US`. */
export const LOCALE = wanted.find((tag) => tag.split('-')[0] === LANGUAGE) ?? LANGUAGE;

i18n.setMessagesCompiler(compileMessage);
i18n.loadAndActivate({ locale: LANGUAGE, locales: LOCALE, messages: {} });

function chosen(): string {
  try {
    const { localStorage } = globalThis as { readonly localStorage?: { getItem(key: string): string | null } };
    return localStorage?.getItem(LANGUAGE_KEY) ?? '';
  } catch {
    // Storage is switched off.
    return '';
  }
}
