import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Badge, Loader, Text, Tooltip } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { ago, bytes, moment, sentence } from '../../shared/format.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import { DeleteDialog } from '../../ui/delete-dialog.js';
import { IconFileText, IconTrash } from '../../ui/icons.js';
import { useDeleted } from '../../ui/undo.js';
import { FILES } from './files.queries.js';
import classes from './files.module.css';

type ContextFile = Wire['ContextFileView'];

/** The files with what became of each. */
export function FileList({ files }: { readonly files: readonly ContextFile[] }): ReactNode {
  const [toDelete, setToDelete] = useState<ContextFile | null>(null);
  return (
    <>
      <ul className={`card ${classes.list ?? ''}`} aria-label={t`Context files`}>
        {files.map((file) => (
          <Line key={file.id} file={file} onDelete={setToDelete} />
        ))}
      </ul>
      <Deletion
        file={toDelete}
        onClose={() => {
          setToDelete(null);
        }}
      />
    </>
  );
}

interface LineProps {
  readonly file: ContextFile;
  readonly onDelete: (file: ContextFile) => void;
}

function Line({ file, onDelete }: LineProps): ReactNode {
  const { filename, metadata, uploaded_date: uploaded } = file;
  const isPending = metadata.status === 'pending';
  return (
    <li className={classes.line}>
      <IconFileText size={20} stroke={1.4} className={classes.icon} aria-hidden />
      <div className={classes.name}>
        <Text fw={600} truncate title={filename}>
          {filename}
        </Text>
        <Text size="sm" c={metadata.status === 'failed' ? 'red' : 'dimmed'}>
          {metadata.status === 'failed'
            ? metadata.reason == null
              ? t`It could not be read.`
              : sentence(metadata.reason)
            : contentOf(file)}
        </Text>
      </div>
      <Text size="sm" c="dimmed" title={moment(uploaded)} className={classes.when}>
        {ago(uploaded)}
      </Text>
      <State status={metadata.status} />
      <Tooltip label={isPending ? t`You can delete it once it has been read` : t`Delete`}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t`Delete ${filename}`}
          aria-disabled={isPending}
          data-disabled={isPending || undefined}
          onClick={() => {
            if (!isPending) onDelete(file);
          }}
        >
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

function contentOf({ metadata: { size, pages, passages, status } }: ContextFile): string {
  const parts = [bytes(size), ...(pages === null ? [] : [plural(pages, { one: '# page', other: '# pages' })])];
  return [...parts, ...(status === 'ready' ? [plural(passages, { one: '# passage', other: '# passages' })] : [])].join(
    ' · ',
  );
}

function State({ status }: Pick<ContextFile['metadata'], 'status'>): ReactNode {
  if (status === 'ready')
    return (
      <Badge variant="dot" color="teal">
        <Trans>Ready</Trans>
      </Badge>
    );
  if (status === 'failed')
    return (
      <Badge variant="dot" color="red">
        <Trans>Failed</Trans>
      </Badge>
    );
  return (
    <Badge variant="dot" color="gray" leftSection={<Loader size={10} color="gray" aria-hidden />}>
      <Trans>Reading</Trans>
    </Badge>
  );
}

function Deletion({ file, onClose }: { readonly file: ContextFile | null; readonly onClose: () => void }): ReactNode {
  const deleted = useDeleted();
  const deletion = useChange({
    change: ({ id }: ContextFile) =>
      call(api.DELETE('/api/v1/secure/contextfiles/{fileId}', { params: { path: { fileId: id } } })),
    done: (_answer, { id, filename }) => {
      deleted(id, filename);
      onClose();
    },
    stale: [FILES],
  });
  return (
    <DeleteDialog
      opened={file !== null}
      title={t`Delete “${file?.filename ?? ''}”?`}
      consequences={[t`Answers can no longer quote it.`]}
      restorable
      isBusy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => {
        if (file !== null) deletion.mutate(file);
      }}
      onClose={onClose}
    />
  );
}
