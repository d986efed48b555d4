import { Badge, Checkbox, Group, Select, Stack, Switch, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { isNumeric, type Column, type ColumnChoice } from './columns.js';

interface ColumnsStepProps {
  readonly columns: readonly Column[];
  readonly choice: ColumnChoice;
  readonly onChange: (choice: ColumnChoice) => void;
}

/** Which column is the time, which says what a row is about, and which are measured. */
export function ColumnsStep({ columns, choice, onChange }: ColumnsStepProps): ReactNode {
  const names = columns.map(({ name }) => name);
  const withoutTaken = (next: ColumnChoice): ColumnChoice => ({
    ...next,
    values: next.values.filter((name) => name !== next.metafield && (!next.isTimeseries || name !== next.timefield)),
  });
  return (
    <Stack gap="md">
      <Switch
        label="Rows have a time"
        description="Then they can be plotted, and asked about by day, week or month."
        checked={choice.isTimeseries}
        onChange={({ currentTarget }) => {
          onChange({ ...choice, isTimeseries: currentTarget.checked });
        }}
      />
      <Group align="flex-start" grow preventGrowOverflow={false}>
        {choice.isTimeseries && (
          <Select
            label="Time column"
            description="When each row was"
            data={names}
            searchable={names.length > 10}
            allowDeselect={false}
            placeholder="Choose a column"
            value={choice.timefield === '' ? null : choice.timefield}
            onChange={(timefield) => {
              onChange(withoutTaken({ ...choice, timefield: timefield ?? '' }));
            }}
            miw={220}
          />
        )}
        <Select
          label="Subject column"
          description="What each row is about: a device, a place, a product"
          data={names}
          searchable={names.length > 10}
          allowDeselect={false}
          placeholder="Choose a column"
          value={choice.metafield === '' ? null : choice.metafield}
          onChange={(metafield) => {
            onChange(withoutTaken({ ...choice, metafield: metafield ?? '' }));
          }}
          miw={220}
        />
      </Group>
      <ColumnTable columns={columns} choice={choice} onChange={onChange} />
    </Stack>
  );
}

function ColumnTable({ columns, choice, onChange }: ColumnsStepProps): ReactNode {
  return (
    <Table.ScrollContainer minWidth={280} maxHeight={420}>
      <Table verticalSpacing={6} stickyHeader aria-label="Columns of the file">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={110}>Measured</Table.Th>
            <Table.Th>Column</Table.Th>
            <Table.Th visibleFrom="xs">Type</Table.Th>
            <Table.Th>First row</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map((column) => (
            <Table.Tr key={column.name}>
              <Table.Td>
                <Measured column={column} choice={choice} onChange={onChange} />
              </Table.Td>
              <Table.Td fw={500}>{column.name}</Table.Td>
              <Table.Td visibleFrom="xs">
                <Badge color="gray">{column.type}</Badge>
              </Table.Td>
              <Table.Td maw={280}>
                <Text size="sm" truncate title={column.sample} className="mono">
                  {column.sample === '' ? '—' : column.sample}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface MeasuredProps {
  readonly column: Column;
  readonly choice: ColumnChoice;
  readonly onChange: (choice: ColumnChoice) => void;
}

function Measured({ column: { name, type }, choice, onChange }: MeasuredProps): ReactNode {
  if (choice.isTimeseries && name === choice.timefield) return <Badge>Time</Badge>;
  if (name === choice.metafield) return <Badge>Subject</Badge>;
  return (
    <Checkbox
      aria-label={`${name} is measured`}
      title={isNumeric(type) ? undefined : 'Only columns of numbers can be measured'}
      disabled={!isNumeric(type)}
      checked={choice.values.includes(name)}
      onChange={({ currentTarget: { checked } }) => {
        const others = choice.values.filter((one) => one !== name);
        onChange({ ...choice, values: checked ? [...others, name] : others });
      }}
    />
  );
}
