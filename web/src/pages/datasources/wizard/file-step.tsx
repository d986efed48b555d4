import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { bytes, duration, percent } from '../../../shared/format.js';
import { problemOf } from '../../../shared/toast.js';
import { ApiError } from '@data-analytics/client';
import { FileDrop } from '../../../ui/file-drop.js';
import { IconAlertTriangle, IconFileCheck, IconFileTypeCsv } from '../../../ui/icons.js';
import { sheetsOf } from './columns.js';
import { FileProblem, type UploadState } from './use-upload.js';

interface FileStepProps {
  readonly state: UploadState;
  readonly onFile: (file: File) => void;
  readonly onReset: () => void;
}

/** Choosing a file, watching it go, and what to do when it does not. */
export function FileStep({ state, onFile, onReset }: FileStepProps): ReactNode {
  switch (state.stage) {
    case 'idle':
      return (
        <FileDrop
          label={t`Drop a file here, or choose one`}
          hint={t`CSV, Excel (XLSX), Parquet or JSON, up to 10 GiB. A ZIP archive of them counts as one file.`}
          accept=".csv,.tsv,.txt,.xlsx,.xlsm,.parquet,.json,.ndjson,.jsonl,.zip,.gz,.zst"
          onFiles={([file]) => {
            if (file !== undefined) onFile(file);
          }}
        />
      );
    case 'sending':
      return <Sending state={state} onCancel={onReset} />;
    case 'failed':
      return <Failed state={state} onRetry={onFile} onReset={onReset} />;
    case 'done':
      return <Done state={state} onReset={onReset} />;
  }
}

type Of<Stage extends UploadState['stage']> = Extract<UploadState, { stage: Stage }>;

function Sending({ state, onCancel }: { readonly state: Of<'sending'>; readonly onCancel: () => void }): ReactNode {
  const { file, sent, speed } = state;
  const share = file.size === 0 ? 0 : sent / file.size;
  const left = speed === null || speed === 0 ? null : (file.size - sent) / speed;
  const isRead = sent >= file.size;
  return (
    <Stack gap="sm">
      <Group justify="space-between" wrap="nowrap">
        <FileName file={file} />
        <Button variant="default" size="xs" flex="none" onClick={onCancel}>
          {t`Cancel`}
        </Button>
      </Group>
      <Progress value={share * 100} animated={isRead} aria-label={t`Upload of ${file.name}`} />
      <Text size="sm" c="dimmed" className="numbers" aria-live="off">
        {isRead
          ? t`Uploaded. Reading the columns…`
          : [
              percent(share),
              t`${bytes(sent)} of ${bytes(file.size)}`,
              ...(speed === null ? [] : [`${bytes(speed)}/s`]),
              ...(left === null ? [] : [t`${duration(left)} left`]),
            ].join(' · ')}
      </Text>
    </Stack>
  );
}

interface FailedProps {
  readonly state: Of<'failed'>;
  readonly onRetry: (file: File) => void;
  readonly onReset: () => void;
}

function Failed({ state: { file, error, sent }, onRetry, onReset }: FailedProps): ReactNode {
  const isOffline = error instanceof ApiError && error.isOffline;
  const canRetry = isOffline || (error instanceof ApiError && error.status >= 500);
  return (
    <Stack gap="sm">
      <FileName file={file} />
      <Alert
        role="alert"
        color={canRetry ? 'yellow' : 'red'}
        variant="light"
        icon={<IconAlertTriangle size={18} />}
        title={isOffline ? t`The connection was lost at ${percent(sent / file.size)}` : t`This file can’t be used`}
      >
        {isOffline
          ? t`Nothing was stored. The file is still chosen: try again when you are back online.`
          : reasonOf(error)}
      </Alert>
      <Group>
        {canRetry && (
          <Button
            onClick={() => {
              onRetry(file);
            }}
          >
            {t`Try again`}
          </Button>
        )}
        <Button variant="default" onClick={onReset}>
          {t`Choose another file`}
        </Button>
      </Group>
    </Stack>
  );
}

function reasonOf(error: Error): string {
  if (!(error instanceof FileProblem)) return problemOf(error);
  return error.problem === 'empty'
    ? t`It is empty.`
    : t`It is larger than ${bytes(error.most)}, the most that can be uploaded.`;
}

function Done({
  state: { file, upload },
  onReset,
}: {
  readonly state: Of<'done'>;
  readonly onReset: () => void;
}): ReactNode {
  const files = upload.files.length;
  const sheets = sheetsOf(upload).length;
  const columns = new Set(upload.columns.flat().map((name) => name.toLowerCase())).size;
  const [dialect] = upload.dialects;
  const details = [
    bytes(upload.size),
    ...(sheets > 0
      ? [plural(sheets, { one: '# sheet', other: '# sheets' })]
      : files > 1
        ? [plural(files, { one: '# file', other: '# files' })]
        : []),
    // Of several sheets one is taken, and its columns are shown below.
    ...(sheets > 1 ? [] : [plural(columns, { one: '# column', other: '# columns' })]),
    ...(dialect === undefined || sheets > 0 ? [] : [encodingName(dialect.encoding), separation(dialect.delimiter)]),
  ];
  return (
    <Group justify="space-between" align="flex-start">
      <div>
        <FileName file={file} isDone />
        <Text size="sm" c="dimmed" mt={4}>
          {details.join(' · ')}
        </Text>
      </div>
      <Button variant="default" size="xs" flex="none" onClick={onReset}>
        {t`Choose another`}
      </Button>
    </Group>
  );
}

/** As it is usually written: UTF-8, Windows-1252, Shift_JIS. */
function encodingName(encoding: string): string {
  return encoding.toUpperCase().replace(/(?<=^[WS])(INDOWS|HIFT)/, (rest) => rest.toLowerCase());
}

const SEPARATIONS: Readonly<Record<string, MessageDescriptor>> = {
  ',': msg`separated by commas`,
  ';': msg`separated by semicolons`,
  '\t': msg`separated by tabs`,
  '|': msg`separated by vertical bars`,
  ' ': msg`separated by spaces`,
};

function separation(delimiter: string): string {
  const known = SEPARATIONS[delimiter];
  return known === undefined ? t`separated by “${delimiter}”` : i18n._(known);
}

function FileName({ file, isDone = false }: { readonly file: File; readonly isDone?: boolean }): ReactNode {
  const Icon = isDone ? IconFileCheck : IconFileTypeCsv;
  return (
    <Group gap="xs" wrap="nowrap" miw={0}>
      <Icon size={20} aria-hidden />
      <Text fw={600} truncate>
        {file.name}
      </Text>
    </Group>
  );
}
