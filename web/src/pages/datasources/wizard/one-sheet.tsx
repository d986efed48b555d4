import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { Fragment, useState, type ReactNode } from 'react';
import type { Upload } from '../../../shared/wire.js';
import { typed } from '../../../ui/form.js';
import { onlySheet, sheetsOf } from './columns.js';

interface OneSheetProps {
  readonly upload: Upload;
  readonly hint: string;
  readonly children: (upload: Upload) => ReactNode;
}

/** Of a workbook one sheet is taken; every other upload is taken whole. */
export function OneSheet({ upload, hint, children }: OneSheetProps): ReactNode {
  const sheets = sheetsOf(upload);
  const [sheet, setSheet] = useState(sheets[0] ?? null);
  if (sheet === null) return children(upload);
  return (
    <>
      {sheets.length > 1 && (
        <NativeSelect label={t`Sheet`} description={hint} data={[...sheets]} value={sheet} onChange={typed(setSheet)} />
      )}
      <Fragment key={sheet}>{children(onlySheet(upload, sheet))}</Fragment>
    </>
  );
}
