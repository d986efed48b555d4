import { ActionIcon, Badge, Loader, Text, Tooltip } from '@mantine/core';
import { IconFileText, IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { ago, bytes, counted, moment, sentence } from '../../shared/format.js';
import { told } from '../../shared/toast.js';
import type { Wire } from '../../shared/wire.js';
import { DeleteDialog } from '../../ui/delete-dialog.js';
import { FILES } from './files.queries.js';
import classes from './files.module.css';

type ContextFile = Wire['ContextFileView'];

/** The files with what became of each. */
export function FileList({ files }: { readonly files: readonly ContextFile[] }): ReactNode {
  const [toDelete, setToDelete] = useState<ContextFile | null>(null);
  return (
    <>
      <ul className={`card ${classes.list ?? ''}`} aria-label="Context files">
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
          {metadata.status === 'failed' ? sentence(metadata.reason ?? 'it could not be read') : contentOf(file)}
        </Text>
      </div>
      <Text size="sm" c="dimmed" title={moment(uploaded)} className={classes.when}>
        {ago(uploaded)}
      </Text>
      <State status={metadata.status} />
      <Tooltip label={isPending ? 'It can be deleted when it has been read' : 'Delete'}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Delete ${filename}`}
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
  const parts = [bytes(size), ...(pages === null ? [] : [counted(pages, 'page')])];
  return [...parts, ...(status === 'ready' ? [counted(passages, 'passage')] : [])].join(' · ');
}

function State({ status }: Pick<ContextFile['metadata'], 'status'>): ReactNode {
  if (status === 'ready')
    return (
      <Badge variant="dot" color="teal">
        Ready
      </Badge>
    );
  if (status === 'failed')
    return (
      <Badge variant="dot" color="red">
        Failed
      </Badge>
    );
  return (
    <Badge variant="dot" color="gray" leftSection={<Loader size={10} color="gray" aria-hidden />}>
      Being read
    </Badge>
  );
}

function Deletion({ file, onClose }: { readonly file: ContextFile | null; readonly onClose: () => void }): ReactNode {
  const queries = useQueryClient();
  const deletion = useMutation({
    mutationFn: ({ id }: ContextFile) =>
      call(api.DELETE('/api/v1/secure/contextfiles/{fileId}', { params: { path: { fileId: id } } })),
    onSuccess: (_answer, { filename }) => {
      told(`“${filename}” was deleted`);
      onClose();
      return queries.invalidateQueries({ queryKey: FILES });
    },
  });
  return (
    <DeleteDialog
      opened={file !== null}
      title={`Delete “${file?.filename ?? ''}”?`}
      consequences={['its passages: answers from now on can’t quote them']}
      isBusy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => {
        if (file !== null) deletion.mutate(file);
      }}
      onClose={onClose}
    />
  );
}
