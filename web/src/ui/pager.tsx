import { t } from '@lingui/core/macro';
import { Button, Pagination } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface TurnsProps {
  /** What the two buttons say. */
  readonly words: readonly [back: string, on: string];
  /** Where they lead; null: nowhere. */
  readonly back: number | null;
  readonly on: number | null;
  readonly size: 'xs' | 'compact-sm';
  readonly onGo: (place: number) => void;
}

/** Leads one step back, and one on. */
export function Turns({ words, back, on, size, onGo }: TurnsProps): ReactNode {
  return [back, on].map((place, index) => (
    <Button
      key={index}
      size={size}
      variant="default"
      disabled={place === null}
      onClick={() => {
        if (place !== null) onGo(place);
      }}
    >
      {words[index]}
    </Button>
  ));
}

interface PagerProps {
  /** From 0. */
  readonly page: number;
  readonly total: number;
  readonly size: number;
  readonly onChange: (page: number) => void;
}

/** The page of a list that stands in the address, and how to go to another. */
export function usePage(): readonly [page: number, show: (page: number) => void] {
  const { page = 0 } = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (next: number): void => {
    void navigate({ to: '.', search: (known) => ({ ...known, page: next > 0 ? next : undefined }) });
  };
  return [page, show];
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
