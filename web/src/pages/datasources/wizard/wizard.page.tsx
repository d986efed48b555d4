import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Stack, Tabs } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useIsManager } from '../../../app/session.js';
import type { Upload } from '../../../shared/wire.js';
import { Page } from '../../../ui/page.js';
import { useUnsaved } from '../../../ui/use-unsaved.js';
import { CreateForm } from './create-form.js';
import { FileStep } from './file-step.js';
import type { PlaceSource } from '../place-fields.js';
import { PlaceStep } from './place-step.js';
import { OneSheet } from './one-sheet.js';
import { Step } from './step.js';
import { useUpload } from './use-upload.js';

type Source = 'file' | PlaceSource;

const SOURCES: readonly { readonly value: Source; readonly label: MessageDescriptor }[] = [
  { value: 'file', label: msg`From a file` },
  { value: 'https', label: msg`From an address` },
  { value: 's3', label: msg`From S3` },
  { value: 'database', label: msg`From a database` },
];

/** From a file or a place to a datasource: the rows, their columns, what they mean. */
export function NewDatasourcePage(): ReactNode {
  const { state, start, reset } = useUpload();
  const [source, setSource] = useState<Source>('file');
  const [fetched, setFetched] = useState<Upload | null>(null);
  const isManager = useIsManager();
  const isSending = state.stage === 'sending';
  useUnsaved(isSending, t`The upload is not finished. Leave and cancel it?`);
  const uploaded = state.stage === 'done' ? state.upload : null;
  const upload = source === 'file' ? uploaded : fetched;
  return (
    <Page title={t`New datasource`} crumbs={[{ label: t`Datasources`, to: '/datasources' }]}>
      <Stack gap="md">
        <Step number={1} title={t`Rows`}>
          <Tabs
            value={source}
            onChange={(value) => {
              setSource(SOURCES.find((one) => one.value === value)?.value ?? 'file');
              setFetched(null);
            }}
          >
            <Tabs.List mb="md">
              {SOURCES.filter(({ value }) => isManager || value !== 'database').map(({ value, label }) => (
                <Tabs.Tab key={value} value={value} disabled={isSending}>
                  {i18n._(label)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {source === 'file' ? (
              <FileStep state={state} onFile={start} onReset={reset} />
            ) : (
              <PlaceStep key={source} source={source} onFetched={setFetched} />
            )}
          </Tabs>
        </Step>
        {upload !== null && (
          <OneSheet key={upload.filename} upload={upload} hint={t`One sheet becomes the datasource.`}>
            {(one) => <CreateForm upload={one} />}
          </OneSheet>
        )}
      </Stack>
    </Page>
  );
}
