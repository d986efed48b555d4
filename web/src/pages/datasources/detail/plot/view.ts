import { rangeOf, type Range } from '../ranges.js';

/** A stretch of time in milliseconds since 1970. */
export interface View {
  readonly from: number;
  readonly to: number;
}

/** Times are told in milliseconds: closer than this nothing more can be seen. */
const SHORTEST = 10;

export function lengthOf({ from, to }: View): number {
  return to - from;
}

/** From the first to the last row; of a single moment the second before and after it. */
export function wholeOf({ from, to }: Range): View {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return last > first ? { from: first, to: last } : { from: first - 1000, to: last + 1000 };
}

/** What a range shows; its open ends are the first and the last row. */
export function viewOf({ from, to }: Range, whole: View): View {
  const view = { from: from === '' ? whole.from : Date.parse(from), to: to === '' ? whole.to : Date.parse(to) };
  return lengthOf(view) > 0 ? view : whole;
}

/** The range of a view; null when it is everything. */
export function rangeOfView(view: View, whole: View): Range | null {
  return view.from <= whole.from && view.to >= whole.to ? null : rangeOf(view.from, view.to);
}

/** Moved by a part of its own length, later when positive. */
export function panned(view: View, by: number): View {
  const shift = by * lengthOf(view);
  return { from: view.from + shift, to: view.to + shift };
}

/** So many times as long, where the place `about` (0 at the left, 1 at the right) stays where it is. */
export function zoomed(view: View, times: number, about: number): View {
  const held = view.from + about * lengthOf(view);
  const length = Math.max(lengthOf(view) * times, SHORTEST);
  return { from: held - about * length, to: held + (1 - about) * length };
}

/** As near to the view as can be: no longer than everything, and at least half of it where rows may be. */
export function within(view: View, whole: View): View {
  const length = lengthOf(view);
  if (length >= lengthOf(whole)) return whole;
  const from = Math.min(Math.max(view.from, whole.from - length / 2), whole.to - length / 2);
  return { from, to: from + length };
}

/** Whether nobody could tell them apart. */
export function isSame(one: View, other: View): boolean {
  const least = lengthOf(one) * 1e-5;
  return Math.abs(one.from - other.from) < least && Math.abs(one.to - other.to) < least;
}
