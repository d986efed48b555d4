import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Badge, Loader, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useIsManager, useUser } from '../../app/session.js';
import { ago, bytes, moment, sentence } from '../../shared/format.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import { DeleteDialog, type DialogProps } from '../../ui/delete-dialog.js';
import { IconFileText, IconTrash } from '../../ui/icons.js';
import { useDeleted } from '../../ui/undo.js';
import { FILES } from './files.queries.js';
import classes from './files.module.css';

type ContextFile = Wire['ContextFileView'];

/** The files with what became of each. */
export function FileList({ files }: { readonly files: readonly ContextFile[] }): ReactNode {
  return (
    <ul className="card lines" aria-label={t`Context files`}>
      {files.map((file) => (
        <Line key={file.id} file={file} />
      ))}
    </ul>
  );
}

interface LineProps {
  readonly file: ContextFile;
}

function Line({ file }: LineProps): ReactNode {
  const [deleting, { open, close }] = useDisclosure();
  const { filename, metadata, uploaded_date: uploaded } = file;
  const isPending = metadata.status === 'pending';
  const user = useUser();
  const mayDelete = useIsManager() || metadata.created_by === user.id;
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
      {mayDelete && (
        <Tooltip label={isPending ? t`You can delete it once it has been read` : t`Delete`}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t`Delete ${filename}`}
            aria-disabled={isPending}
            data-disabled={isPending || undefined}
            onClick={() => {
              if (!isPending) open();
            }}
          >
            <IconTrash />
          </ActionIcon>
        </Tooltip>
      )}
      <Deletion file={file} opened={deleting} onClose={close} />
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
        {t`Ready`}
      </Badge>
    );
  if (status === 'failed')
    return (
      <Badge variant="dot" color="red">
        {t`Failed`}
      </Badge>
    );
  return (
    <Badge variant="dot" color="gray" leftSection={<Loader size={10} color="gray" aria-hidden />}>
      {t`Reading`}
    </Badge>
  );
}

function Deletion({ file: { id, filename }, ...dialog }: LineProps & DialogProps): ReactNode {
  const deleted = useDeleted();
  const deletion = useChange({
    change: () => call(api.DELETE('/api/v1/secure/contextfiles/{fileId}', { params: { path: { fileId: id } } })),
    done: () => {
      deleted(id, filename);
      dialog.onClose();
    },
    stale: [FILES],
  });
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete “${filename}”?`}
      consequences={[t`Answers can no longer quote it.`]}
      restorable
      deletion={deletion}
    />
  );
}
