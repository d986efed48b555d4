import { t } from '@lingui/core/macro';
import { Badge, Checkbox, Group, NativeSelect, Select, Stack, Switch, Table, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { roleLabel, ROLES } from '../detail/semantics.queries.js';
import { isNumeric, typeName, TYPES, useNamed, type Column, type ColumnChoice } from './columns.js';

interface ColumnsStepProps {
  readonly columns: readonly Column[];
  readonly choice: ColumnChoice;
  readonly onChange: (choice: ColumnChoice) => void;
}

/** Which column is the time, which says what a row is about, which are measured; what each is called, and what it holds. */
export function ColumnsStep({ columns, choice, onChange }: ColumnsStepProps): ReactNode {
  const names = columns.map(({ name }) => name);
  const withoutTaken = (next: ColumnChoice): ColumnChoice => ({
    ...next,
    values: next.values.filter((name) => name !== next.metafield && (!next.isTimeseries || name !== next.timefield)),
  });
  return (
    <Stack gap="md">
      <Switch
        label={t`Rows have a time`}
        description={t`You can then plot them, and ask by day, week or month.`}
        checked={choice.isTimeseries}
        onChange={({ currentTarget }) => {
          onChange({ ...choice, isTimeseries: currentTarget.checked });
        }}
      />
      <Group align="flex-start" grow preventGrowOverflow={false}>
        {choice.isTimeseries && (
          <Select
            label={t`Time column`}
            description={t`When each row was recorded`}
            data={names}
            searchable={names.length > 10}
            allowDeselect={false}
            placeholder={t`Choose a column`}
            value={choice.timefield === '' ? null : choice.timefield}
            onChange={(timefield) => {
              onChange(withoutTaken({ ...choice, timefield: timefield ?? '' }));
            }}
            miw={220}
          />
        )}
        <Select
          label={t`Subject column`}
          description={t`What each row is about: a device, a place, a product`}
          data={names}
          searchable={names.length > 10}
          allowDeselect={false}
          placeholder={t`Choose a column`}
          value={choice.metafield === '' ? null : choice.metafield}
          onChange={(metafield) => {
            onChange(withoutTaken({ ...choice, metafield: metafield ?? '' }));
          }}
          miw={220}
        />
      </Group>
      <ColumnTable columns={columns} choice={choice} onChange={onChange} />
      {Object.values(choice.types).length > 0 && (
        <Text size="sm" c="dimmed" role="status">
          {t`Where you changed the type, values that do not fit count as missing. Their rows stay.`}
        </Text>
      )}
    </Stack>
  );
}

function ColumnTable({ columns, choice, onChange }: ColumnsStepProps): ReactNode {
  return (
    <Table.ScrollContainer minWidth={800} maxHeight={480}>
      <Table verticalSpacing={6} stickyHeader aria-label={t`Columns of the file`}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={110}>{t`Measured`}</Table.Th>
            <Table.Th>{t`Name`}</Table.Th>
            <Table.Th w={150}>{t`Type`}</Table.Th>
            <Table.Th w={130}>{t`Use`}</Table.Th>
            <Table.Th>{t`First row`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map((column) => (
            <Line key={column.name} column={column} choice={choice} onChange={onChange} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

interface LineProps {
  readonly column: Column;
  readonly choice: ColumnChoice;
  readonly onChange: (choice: ColumnChoice) => void;
}

function Line({ column, choice, onChange }: LineProps): ReactNode {
  const {
    name,
    samples: [sample = ''],
  } = column;
  return (
    <Table.Tr>
      <Table.Td>
        <Measured column={column} choice={choice} onChange={onChange} />
      </Table.Td>
      <Table.Td>
        <TextInput
          size="xs"
          aria-label={t`Name of ${name}`}
          title={choice.names[name] ?? name}
          maxLength={1000}
          placeholder={name}
          value={choice.names[name] ?? name}
          onChange={({ currentTarget: { value } }) => {
            onChange({ ...choice, names: { ...choice.names, [name]: value } });
          }}
        />
      </Table.Td>
      <Table.Td>
        <TypeOf column={column} choice={choice} onChange={onChange} />
      </Table.Td>
      <Table.Td>
        <UseOf column={column} choice={choice} onChange={onChange} />
      </Table.Td>
      <Table.Td maw={240}>
        <Text size="sm" truncate title={sample} className="mono">
          {sample === '' ? '—' : sample}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** What answers and charts do with its numbers. */
function UseOf({ column, choice, onChange }: LineProps): ReactNode {
  const { name, type } = column;
  if (keyOf(column, choice) !== null || !isNumeric(choice.types[name] ?? type)) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label={t`Use of ${name}`}
      data={ROLES.map(({ value }) => ({ value, label: value === '' ? t`automatic` : roleLabel(value) }))}
      value={choice.uses[name] ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const { [name]: _before, ...others } = choice.uses;
        const use = useNamed(value);
        onChange({ ...choice, uses: use === undefined ? others : { ...others, [name]: use } });
      }}
    />
  );
}

/** Time and subject have the type that they ask for. */
function keyOf({ name }: Column, { isTimeseries, timefield, metafield }: ColumnChoice): 'time' | 'subject' | null {
  if (isTimeseries && name === timefield) return 'time';
  return name === metafield ? 'subject' : null;
}

function TypeOf({ column, choice, onChange }: LineProps): ReactNode {
  const { name, type } = column;
  const key = keyOf(column, choice);
  if (key !== null) return <Text size="sm">{typeName(key === 'time' ? 'time' : 'text')}</Text>;
  return (
    <NativeSelect
      size="xs"
      aria-label={t`Type of ${name}`}
      data={Object.keys(TYPES).map((value) => ({ value, label: typeName(value) }))}
      value={choice.types[name] ?? type}
      onChange={({ currentTarget: { value } }) => {
        const { [name]: _before, ...others } = choice.types;
        const rest = choice.values.filter((one) => one !== name);
        onChange({
          ...choice,
          types: value === type ? others : { ...others, [name]: value },
          values: isNumeric(value) ? [...rest, name] : rest,
        });
      }}
    />
  );
}

function Measured({ column, choice, onChange }: LineProps): ReactNode {
  const { name, type } = column;
  const key = keyOf(column, choice);
  if (key !== null) return <Badge>{key === 'time' ? t`Time` : t`Subject`}</Badge>;
  const canBe = isNumeric(choice.types[name] ?? type);
  return (
    <Checkbox
      aria-label={t`${name} is measured`}
      title={canBe ? undefined : t`Only numbers can be measured. Change the type first.`}
      disabled={!canBe}
      checked={choice.values.includes(name)}
      onChange={({ currentTarget: { checked } }) => {
        const others = choice.values.filter((one) => one !== name);
        onChange({ ...choice, values: checked ? [...others, name] : others });
      }}
    />
  );
}
