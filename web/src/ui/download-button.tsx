import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { saveDownload } from '../shared/save.js';
import { failed, told } from '../shared/toast.js';

interface DownloadButtonProps {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly label: string;
  /** How much it will be, if it may be a lot: from a point on it goes to the disk as it comes. */
  readonly rows?: number;
}

/** Fetches a file with the session's token and saves it under the name that the service gives. */
export function DownloadButton({ path, query, label, rows = 0 }: DownloadButtonProps): ReactNode {
  return <SaveButton label={label} save={() => saveDownload(path, query, rows)} />;
}

interface SaveButtonProps {
  readonly label: string;
  /** Resolves with the name under which the file was saved; null: the person chose not to save it. */
  readonly save: () => Promise<string | null>;
}

export function SaveButton({ label, save }: SaveButtonProps): ReactNode {
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (name) => {
      if (name !== null) told(`“${name}” was saved.`);
    },
    onError: (error) => {
      failed('The download failed', error);
    },
  });
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.6} />}
      loading={saving.isPending}
      onClick={() => {
        saving.mutate();
      }}
    >
      {label}
    </Button>
  );
}
