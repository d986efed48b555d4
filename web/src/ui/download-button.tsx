import { t } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { saveDownload } from '../shared/save.js';
import { failed, told } from '../shared/toast.js';
import { begins } from './form.js';
import { IconChevronDown, IconDownload } from './icons.js';

interface DownloadButtonProps {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly label: string;
  /** How much it will be, if it may be a lot: from a point on it goes to the disk as it comes. */
  readonly rows?: number;
}

/** How the service writes rows; the first is what a click on the button itself saves. */
const ROW_FORMATS = [
  { format: 'csv', label: 'CSV' },
  { format: 'xlsx', label: 'Excel (XLSX)' },
  { format: 'parquet', label: 'Parquet' },
] as const;
export type RowFormat = (typeof ROW_FORMATS)[number]['format'];

interface ExportButtonProps {
  /** Resolves as that of a button that saves. */
  readonly save: (format: RowFormat) => Promise<string | null>;
}

/** Saves rows as CSV, or in a format that is chosen. */
export function ExportButton({ save }: ExportButtonProps): ReactNode {
  const saving = useSaving(save);
  return (
    <Button.Group>
      <Button variant="default" leftSection={<IconDownload />} {...begins(saving, 'csv')}>
        {t`Export CSV`}
      </Button>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="default" px="xs" aria-label={t`Export in another format`} disabled={saving.isPending}>
            <IconChevronDown />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {ROW_FORMATS.slice(1).map(({ format, label }) => (
            <Menu.Item
              key={format}
              onClick={() => {
                saving.mutate(format);
              }}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
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

function SaveButton({ label, save }: SaveButtonProps): ReactNode {
  const saving = useSaving(save);
  return (
    <Button variant="default" leftSection={<IconDownload />} {...begins(saving)}>
      {label}
    </Button>
  );
}

/** Saves, and says how that went. */
export function useSaving<T = void>(
  save: (asked: T) => Promise<string | null>,
): UseMutationResult<string | null, Error, T> {
  return useMutation({
    mutationFn: save,
    onSuccess: (name) => {
      if (name !== null) told(t`“${name}” was saved.`);
    },
    onError: (error) => {
      failed(t`The download failed`, error);
    },
  });
}
