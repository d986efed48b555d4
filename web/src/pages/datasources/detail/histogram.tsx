import type { ReactNode } from 'react';
import { figure, whole } from '../../../shared/format.js';
import classes from './histogram.module.css';

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Equal bins from the lowest to the highest value; one when all are alike, none without values. */
export function binned(values: readonly number[], most: number): readonly Bin[] {
  if (values.length === 0) return [];
  const [low, high] = values.reduce(
    ([min, max], value) => [Math.min(min, value), Math.max(max, value)],
    [Infinity, -Infinity],
  );
  if (low === high) return [{ from: low, to: high, count: values.length }];
  const width = (high - low) / most;
  const counts = new Array<number>(most).fill(0);
  for (const value of values) {
    const place = Math.min(Math.floor((value - low) / width), most - 1);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts.map((count, place) => ({ from: low + place * width, to: low + (place + 1) * width, count }));
}

const HEIGHT = 68;
const WIDTH = 240;
const GAP = 2;

/** Small, without axes: the shape of a column. */
export function Histogram({ bins, label }: { readonly bins: readonly Bin[]; readonly label: string }): ReactNode {
  const highest = Math.max(...bins.map(({ count }) => count));
  const width = WIDTH / bins.length;
  return (
    <svg
      viewBox={`0 0 ${String(WIDTH)} ${String(HEIGHT)}`}
      className={classes.picture}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {bins.map(({ from, to, count }, place) => {
        const height = count === 0 ? 0 : Math.max((count / highest) * HEIGHT, 1.5);
        return (
          <rect
            key={from}
            x={place * width}
            y={HEIGHT - height}
            width={Math.max(width - GAP, 1)}
            height={height}
            rx={1}
          >
            <title>{`${figure(from)} to ${figure(to)}: ${whole(count)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
