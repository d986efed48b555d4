import { plural, t } from '@lingui/core/macro';
import { Button, FileButton, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { client } from '../../app/client.js';
import { useStreamEvent } from '../../app/stream.js';
import { bytes } from '../../shared/format.js';
import { capabilitiesQuery } from '../../shared/queries.js';
import { told } from '../../shared/toast.js';
import { useFileDrop } from '../../ui/file-drop.js';
import { IconFiles, IconUpload } from '../../ui/icons.js';
import { Page } from '../../ui/page.js';
import { Empty, Failure, Loaded, ListSkeleton } from '../../ui/states.js';
import { FileList } from './file-list.js';
import { FILES, filesQuery } from './files.queries.js';
import classes from './files.module.css';

/** The company's documents that answers may quote. */
export function FilesPage(): ReactNode {
  const queries = useQueryClient();
  const query = useQuery(filesQuery);
  useStreamEvent('context-file-status', () => {
    void queries.invalidateQueries({ queryKey: FILES });
  });
  return (
    <Page
      title={t`Context files`}
      subtitle={
        query.data === undefined
          ? '\u00a0'
          : plural(query.data.length, { one: '# file that answers can quote', other: '# files that answers can quote' })
      }
    >
      <Stack gap="lg">
        <Upload />
        <Loaded query={query} skeleton={<ListSkeleton h={56} />}>
          {(files) =>
            files.length === 0 ? (
              <Empty icon={IconFiles} title={t`No files yet`}>
                {t`Upload manuals, definitions or contracts. The assistant can quote them, with the page.`}
              </Empty>
            ) : (
              <FileList files={files} />
            )
          }
        </Loaded>
      </Stack>
    </Page>
  );
}

const ACCEPTED = '.txt,.md,.pdf,.docx,text/plain,application/pdf';

/** Takes several files at once, by a drop or a choice. */
function Upload(): ReactNode {
  const queries = useQueryClient();
  const { data: capabilities } = useQuery(capabilitiesQuery);
  const [progress, setProgress] = useState<number | null>(null);
  const upload = useMutation({
    mutationFn: (files: readonly File[]) =>
      client.uploadContextFiles(files, {
        onProgress: ({ sent, total }) => {
          setProgress(total === null ? null : (100 * sent) / total);
        },
      }),
    onSuccess: ({ files }) => {
      told(
        plural(files.length, {
          one: '# file uploaded. Answers can quote it once it has been read.',
          other: '# files uploaded. Answers can quote them once they have been read.',
        }),
      );
      return queries.invalidateQueries({ queryKey: FILES });
    },
    onSettled: () => {
      setProgress(null);
    },
  });
  const send = (files: readonly File[]): void => {
    if (files.length > 0 && !upload.isPending) upload.mutate(files);
  };
  const drop = useFileDrop(send);
  const limits = capabilities?.limits;
  return (
    <div className={classes.drop} {...drop}>
      <Group justify="space-between" gap="md">
        <div>
          <Text fw={600}>{t`Drop files here`}</Text>
          <Text size="sm" c="dimmed">
            {limits === undefined
              ? t`Text, PDF or Word`
              : t`Text, PDF or Word, up to ${String(limits.context_files_per_request)} files of ${bytes(limits.context_file_bytes)} each`}
          </Text>
        </div>
        <FileButton multiple accept={ACCEPTED} onChange={send}>
          {(props) => (
            <Button {...props} leftSection={<IconUpload />} loading={upload.isPending}>
              {t`Choose files`}
            </Button>
          )}
        </FileButton>
      </Group>
      {upload.isPending && (
        <Progress mt="sm" value={progress ?? 100} animated={progress === null} aria-label={t`Upload`} />
      )}
      {upload.error !== null && (
        <div className={classes.failure}>
          <Failure error={upload.error} title={t`The files were not uploaded`} />
        </div>
      )}
    </div>
  );
}
