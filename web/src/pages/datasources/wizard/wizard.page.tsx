import { NativeSelect, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Upload } from '../../../shared/wire.js';
import { Page } from '../../../ui/page.js';
import { onlySheet, sheetsOf } from './columns.js';
import { CreateForm } from './create-form.js';
import { FileStep } from './file-step.js';
import { Step } from './step.js';
import { useUpload } from './use-upload.js';

/** From a file to a datasource: the file, its columns, what they mean. */
export function NewDatasourcePage(): ReactNode {
  const { state, start, reset } = useUpload();
  const isSending = state.stage === 'sending';
  useBlocker({
    shouldBlockFn: () => !window.confirm('The upload is not complete. Leave, and cancel it?'),
    enableBeforeUnload: isSending,
    disabled: !isSending,
  });
  return (
    <Page title="New datasource" crumbs={[{ label: 'Datasources', to: '/datasources' }]}>
      <Stack gap="md">
        <Step number={1} title="File">
          <FileStep state={state} onFile={start} onReset={reset} />
        </Step>
        {state.stage === 'done' && <FromUpload key={state.upload.filename} upload={state.upload} />}
      </Stack>
    </Page>
  );
}

/** Of a workbook one sheet is taken. */
function FromUpload({ upload }: { readonly upload: Upload }): ReactNode {
  const sheets = sheetsOf(upload);
  const [sheet, setSheet] = useState(sheets[0] ?? null);
  if (sheet === null) return <CreateForm upload={upload} />;
  return (
    <>
      {sheets.length > 1 && (
        <NativeSelect
          label="Sheet"
          description="One sheet becomes the datasource."
          data={[...sheets]}
          value={sheet}
          onChange={({ currentTarget }) => {
            setSheet(currentTarget.value);
          }}
        />
      )}
      <CreateForm key={sheet} upload={onlySheet(upload, sheet)} />
    </>
  );
}
