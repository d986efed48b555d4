import { withBeyond } from './beyond-marks.js';
import { withColumns } from './column-marks.js';
import { withFigures } from './figure-marks.js';
import { PatternBook } from './mark-patterns.js';
import type { Mark } from './marks.js';
import { withRelations } from './relation-marks.js';
import { withTests } from './test-marks.js';

/** All that is read before the words of the table. */
export const MARK_BOOK: PatternBook<Mark> = withBeyond(
  withColumns(withTests(withRelations(withFigures(new PatternBook<Mark>())))),
);

export const REMOVING: PatternBook<Mark> = new PatternBook<Mark>().add(
  'exclude|excluding|remove|removing|removed|drop|dropping|dropped|ignore|ignoring|omit|omitting|discard|discarding|disregard|ignored|excluded|omitted|discarded|disregarded|left out|skipped|skip|after removing/excluding/dropping|leave out|leaving out|filter out|without',
  { kind: 'removing' },
);
