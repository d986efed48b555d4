import { ActionIcon, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Icon } from './icons.js';

interface IconButtonProps {
  readonly icon: Icon;
  /** What it does, shown where it is pointed at. */
  readonly tip: string;
  /** The same with what it does it to, for whoever does not see that. */
  readonly label?: string;
  readonly loading?: boolean;
  readonly onClick: () => void;
}

/** A quiet button at the end of a line. */
export function IconButton({ icon: Icon, tip, label = tip, loading = false, onClick }: IconButtonProps): ReactNode {
  return (
    <Tooltip label={tip}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        loading={loading}
        onClick={() => {
          onClick();
        }}
      >
        <Icon />
      </ActionIcon>
    </Tooltip>
  );
}
