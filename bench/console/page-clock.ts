import type { Page } from 'playwright-core';
import { eventually } from '../../test/support/eventually.js';

/** What a page has taken the time of, in milliseconds since it was begun. */
interface PageTimes {
  /** The sign-in form could be typed in. */
  readonly usable: number;
  readonly asked: number;
  readonly firstWord: number;
  readonly answered: number;
  readonly clicked: number;
  readonly plotted: number;
  readonly wheeled: number;
  /** The first frame after the wheel was turned was painted. */
  readonly painted: number;
  /** Nothing was being loaded for the plot any more. */
  readonly detailed: number;
}

/**
 * Runs in the page before anything else and takes the time of what is seen there, to a frame. Waiting from outside would add the way to the browser
 * and back to each figure.
 */
export const PAGE_CLOCK = `(() => {
  const times = (globalThis.pageTimes = {});
  const eachFrame = (look) => { const next = () => { if (!look()) requestAnimationFrame(next); }; requestAnimationFrame(next); };
  const note = (name) => { times[name] = performance.now(); return true; };
  const answers = () => [...document.querySelectorAll('article[aria-label="Answer"]')];
  const wordsOf = (answer) => {
    const copy = answer.cloneNode(true);
    for (const status of copy.querySelectorAll('[role=status]')) status.remove();
    return copy.textContent.trim();
  };
  eachFrame(() => document.querySelector('form input[type=email]') !== null && note('usable'));
  addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.target.tagName !== 'TEXTAREA') return;
    const before = answers().length;
    times.firstWord = times.answered = 0;
    note('asked');
    const newest = () => (answers().length > before ? answers().at(-1) : undefined);
    eachFrame(() => newest() !== undefined && wordsOf(newest()) !== '' && note('firstWord'));
    eachFrame(() => {
      const answer = newest();
      return answer !== undefined && answer.querySelector('[aria-busy=true]') === null && wordsOf(answer) !== '' && note('answered');
    });
  }, true);
  addEventListener('click', (event) => {
    if (event.target.closest?.('[role=tab]') === null) return;
    times.plotted = 0;
    note('clicked');
    eachFrame(() => document.querySelector('.u-over') !== null && note('plotted'));
  }, true);
  addEventListener('wheel', () => {
    times.painted = times.detailed = 0;
    note('wheeled');
    // Asked for before the plot asks for the same frame; the message comes when the frame is done.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => note('painted');
      port2.postMessage(null);
    });
    let loads = false;
    eachFrame(() => {
      const isLoading = document.body.textContent.includes('Loading detail');
      loads ||= isLoading;
      return loads && !isLoading && note('detailed');
    });
  }, true);
  globalThis.frames = async (ms) => {
    const begin = performance.now();
    const lengths = [];
    let last = begin;
    await new Promise((done) => {
      const next = (now) => {
        if (now > last) lengths.push(now - last);
        last = Math.max(now, last);
        if (now - begin < ms) requestAnimationFrame(next); else done();
      };
      requestAnimationFrame(next);
    });
    return lengths.slice(1);
  };
})()`;

/** Resolves when the page has taken that time, with all of them. */
export function timesOf(page: Page, name: keyof PageTimes): Promise<PageTimes> {
  const read = (): Promise<PageTimes> => page.evaluate<PageTimes>('globalThis.pageTimes');
  return eventually(read, (times) => times[name] > 0, 60_000);
}

/** How far the frames of the next `ms` milliseconds are apart. */
export function framesOf(page: Page, ms: number): Promise<readonly number[]> {
  return page.evaluate<readonly number[]>(`globalThis.frames(${ms})`);
}
