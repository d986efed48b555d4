import { Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../../ui/page.js';
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
        {state.stage === 'done' && <CreateForm key={state.upload.filename} upload={state.upload} />}
      </Stack>
    </Page>
  );
}
