import { Injectable } from '@nestjs/common';
import { AppError } from '../../../shared/app-error.js';
import { detectTimeFormats, layoutsOf, parseLayout } from '../../../shared/time-format/time-format.js';

export interface DetectedTimeFormat {
  readonly format: string;
  readonly layouts: ReturnType<typeof layoutsOf>;
  /** The other readings, when the order of day, month and year can't be told. */
  readonly ambiguous: readonly string[];
}

/** Says in which layout a timestamp is written. */
@Injectable()
export class TimeFormatService {
  /** @throws AppError `invalid_input` when no layout fits. */
  detect(timestamp: string): DetectedTimeFormat {
    // An import trims its cells too.
    const { best, ambiguous } = detectTimeFormats([timestamp.trim()]);
    if (best === null) throw new AppError('invalid_input', 'time format not recognised');
    return { format: best, layouts: layoutsOf(parseLayout(best)), ambiguous };
  }
}
