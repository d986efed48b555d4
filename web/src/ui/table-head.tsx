import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

interface TableHeadProps {
  readonly names: readonly string[];
  /** Of a last column of buttons, what they do. */
  readonly actions?: string;
}

/** The names of a table's columns. */
export function TableHead({ names, actions }: TableHeadProps): ReactNode {
  return (
    <Table.Thead>
      <Table.Tr>
        {names.map((name, place) => (
          <Table.Th key={place}>{name}</Table.Th>
        ))}
        {actions !== undefined && <Table.Th aria-label={actions} />}
      </Table.Tr>
    </Table.Thead>
  );
}
