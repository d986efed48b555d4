import { FileButton, Text, UnstyledButton } from '@mantine/core';
import { useState, type DragEvent, type ReactNode } from 'react';
import classes from './file-drop.module.css';
import { IconCloudUpload } from './icons.js';

/** Of a place that files can be dropped on. */
export function useFileDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent): void => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (): void => {
      setOver(false);
    },
    onDrop: (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      const files = [...event.dataTransfer.files];
      if (files.length > 0) onFiles(files);
    },
  };
}

interface FileDropProps {
  readonly label: string;
  /** What is taken, in words. */
  readonly hint: string;
  /** As of an `<input type="file">`. */
  readonly accept: string;
  readonly multiple?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A place to drop files on, or to click or press Enter on and choose them. */
export function FileDrop({ label, hint, accept, multiple = false, onFiles }: FileDropProps): ReactNode {
  const drop = useFileDrop((files) => {
    onFiles(multiple ? files : files.slice(0, 1));
  });
  return (
    <FileButton
      accept={accept}
      multiple={multiple}
      onChange={(chosen: File | File[] | null) => {
        const files = [chosen ?? []].flat();
        if (files.length > 0) onFiles(files);
      }}
    >
      {(props) => (
        <UnstyledButton {...props} {...drop} className={classes.drop}>
          <IconCloudUpload size={36} stroke={1.2} aria-hidden />
          <Text fw={600}>{label}</Text>
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        </UnstyledButton>
      )}
    </FileButton>
  );
}
