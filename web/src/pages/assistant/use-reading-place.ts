import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** What stays where it is: a message at so many pixels below the top of the view, or the end of the messages. */
type Anchor = { readonly element: Element; readonly below: number } | 'end' | null;

interface ReadingPlace {
  /** What is scrolled. */
  readonly place: RefObject<HTMLDivElement | null>;
  /** All messages. */
  readonly content: RefObject<HTMLDivElement | null>;
  /** Below the messages: as much as the last question needs to come to the top. */
  readonly room: RefObject<HTMLDivElement | null>;
  readonly isEndSeen: boolean;
  readonly toEnd: () => void;
}

/** The id of a question until it is stored and has its own, with which it is brought to the top again. */
export const SENT = 'sent';

const NEAR = 24;
/** So long after a wheel, a finger or a key the view may still be scrolled by it. */
const HAND_MS = 1000;
const BY_HAND = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Where the reader is in a conversation. A question that they ask is brought to the top, and its answer grows below it. Whatever becomes
 * larger or comes above what they read, that stays where it is. The browser's own anchoring is off: it knows nothing of the question, and
 * not every browser has it.
 */
export function useReadingPlace(lastQuestion: string | undefined, asked: number): ReadingPlace {
  const place = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor>(null);
  /** The view as it was last looked at. */
  const seen = useRef({ top: 0, height: 0 });
  const hand = useRef(-Infinity);
  const shown = useRef({ question: '', asked: 0 });
  const [isEndSeen, setIsEndSeen] = useState(true);
  const keep = useCallback(() => {
    const [view, messages] = [place.current, content.current];
    if (view === null || messages === null || room.current === null) return;
    const scrolled = view.scrollTop - seen.current.top;
    // What became shorter scrolls back to its end by itself, and may have become longer again since.
    const isMoved = view.scrollHeight !== seen.current.height && performance.now() - hand.current > HAND_MS;
    const isAtEnd = view.scrollTop >= view.scrollHeight - view.clientHeight - 1;
    // Anything else was scrolled by the reader.
    const isReader = scrolled >= 1 || (scrolled <= -1 && !isAtEnd && !isMoved);
    if (isReader) hand.current = performance.now();
    giveRoom(view, messages, room.current);
    if (isReader) anchor.current = scrolledBy(scrolled, anchor.current);
    const moved = distance(view, messages, anchor.current);
    // Parts of pixels would be rounded again and again.
    if (Math.abs(moved) >= 1) view.scrollTop += moved;
    seen.current = { top: view.scrollTop, height: view.scrollHeight };
    if (isReader) anchor.current = readIn(view, messages);
    setIsEndSeen(distance(view, messages, 'end') <= NEAR);
  }, []);
  useEffect(() => {
    const [view, messages] = [place.current, content.current];
    if (view === null || messages === null) return;
    const grown = new ResizeObserver(keep);
    grown.observe(messages);
    grown.observe(view);
    view.addEventListener('scroll', keep, { passive: true });
    const touched = (): void => {
      hand.current = performance.now();
    };
    for (const event of BY_HAND) view.addEventListener(event, touched, { passive: true });
    return () => {
      grown.disconnect();
      view.removeEventListener('scroll', keep);
      for (const event of BY_HAND) view.removeEventListener(event, touched);
    };
  }, [keep]);
  // After each drawing, and before it can be seen.
  useLayoutEffect(() => {
    const before = shown.current;
    const isFirst = before.question === '';
    const isOwn = asked > before.asked && lastQuestion !== before.question;
    if (lastQuestion !== undefined && (isFirst || isOwn)) {
      const element = (isFirst ? linked() : null) ?? document.getElementById(lastQuestion);
      if (element !== null) anchor.current = { element, below: 0 };
      // It has asked, and scrolls nothing.
      hand.current = -Infinity;
      shown.current = { question: lastQuestion, asked: lastQuestion === SENT ? before.asked : asked };
    }
    keep();
  });
  const toEnd = useCallback(() => {
    anchor.current = 'end';
    keep();
  }, [keep]);
  return { place, content, room, isEndSeen, toEnd };
}

/** What the address names. */
function linked(): Element | null {
  return document.getElementById(location.hash.slice(1));
}

/** So that the last question can stand at the top, however short its answer is. */
function giveRoom(view: HTMLElement, messages: HTMLElement, room: HTMLElement): void {
  const questions = messages.querySelectorAll(':scope > [data-question]');
  const last = questions.item(questions.length - 1) as Element | null;
  const needed = last === null ? 0 : view.clientHeight - (bottomOf(messages) - last.getBoundingClientRect().top);
  room.style.height = `${String(Math.max(0, Math.floor(needed)))}px`;
}

function scrolledBy(pixels: number, anchor: Anchor): Anchor {
  return anchor === null || anchor === 'end' ? null : { ...anchor, below: anchor.below - pixels };
}

/** How far the view has to be scrolled for what is anchored to stand in its place. */
function distance(view: HTMLElement, messages: HTMLElement, anchor: Anchor): number {
  if (anchor === null) return 0;
  if (anchor === 'end') return bottomOf(messages) - bottomOf(view);
  if (!anchor.element.isConnected) return 0;
  const wanted = anchor.element.getBoundingClientRect().top - view.getBoundingClientRect().top - anchor.below;
  // The view can't be scrolled further than to its ends.
  const most = view.scrollHeight - view.clientHeight - view.scrollTop;
  return Math.min(Math.max(wanted, -view.scrollTop), most);
}

/** The message at the top of the view. */
function readIn(view: HTMLElement, messages: HTMLElement): Anchor {
  const { top } = view.getBoundingClientRect();
  const element = [...messages.children].find((child) => child.tagName === 'ARTICLE' && bottomOf(child) > top);
  return element === undefined ? null : { element, below: element.getBoundingClientRect().top - top };
}

function bottomOf(element: Element): number {
  return element.getBoundingClientRect().bottom;
}
