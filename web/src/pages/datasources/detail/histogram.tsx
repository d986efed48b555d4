import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { figure, whole } from '../../../shared/format.js';
import type { Wire } from '../../../shared/wire.js';
import classes from './histogram.module.css';

type Bin = Wire['HistogramBinView'];

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
            <title>{`${from === to ? figure(from) : t`${figure(from)} to ${figure(to)}`}: ${whole(count)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
