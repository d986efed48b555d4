import { t } from '@lingui/core/macro';
import { Pagination } from '@mantine/core';
import type { ReactNode } from 'react';

interface PagerProps {
  /** From 0. */
  readonly page: number;
  readonly total: number;
  readonly size: number;
  readonly onChange: (page: number) => void;
}

/** Leads from page to page; nothing where one is enough. */
export function Pager({ page, total, size, onChange }: PagerProps): ReactNode {
  if (total <= size) return null;
  const names = { first: t`First page`, previous: t`Previous page`, next: t`Next page`, last: t`Last page` };
  return (
    <Pagination
      mt="md"
      total={Math.ceil(total / size)}
      value={page + 1}
      getControlProps={(control) => ({ 'aria-label': names[control] })}
      onChange={(next) => {
        onChange(next - 1);
      }}
    />
  );
}
