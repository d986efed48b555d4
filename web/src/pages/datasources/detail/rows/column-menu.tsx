import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Button, Group, NativeSelect, Popover, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { typed } from '../../../../ui/form.js';
import { IconArrowDown, IconArrowUp, IconFilter, IconSelector } from '../../../../ui/icons.js';
import { isNumeric } from '../../wizard/columns.js';
import type { RowFilter, RowOrder } from '../search.js';
import classes from './rows.module.css';

export interface ListedColumn {
  readonly name: string;
  /** number, integer, boolean, time or text. */
  readonly type: string;
}

interface ColumnMenuProps {
  readonly column: ListedColumn;
  readonly order: RowOrder | undefined;
  readonly hasCondition: boolean;
  readonly onOrder: (order: RowOrder | undefined) => void;
  readonly onCondition: (filter: RowFilter | null) => void;
}

/** The head of a column: what it is sorted by, and which of its values are wanted. */
export function ColumnMenu({ column, order, hasCondition, onOrder, onCondition }: ColumnMenuProps): ReactNode {
  const [opened, { toggle, close }] = useDisclosure();
  const { name } = column;
  const direction = order?.by === name ? order.direction : null;
  const Sorted = direction === null ? IconSelector : direction === 'asc' ? IconArrowUp : IconArrowDown;
  const sort = (next: RowOrder['direction']): void => {
    onOrder(direction === next ? undefined : { by: name, direction: next });
    close();
  };
  return (
    <Popover opened={opened} onChange={close} position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.head} onClick={toggle} aria-label={t`${name}: sort and filter`}>
          <span className={classes.cut}>{name}</span>
          {hasCondition && <IconFilter size={13} stroke={1.8} aria-hidden />}
          <Sorted size={13} stroke={1.8} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Sort and filter ${name}`}>
        <Stack gap="sm" w={240}>
          <Directions type={column.type} chosen={direction} onChoose={sort} />
          <ConditionForm
            column={column}
            onCondition={(filter) => {
              onCondition(filter);
              close();
            }}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface DirectionsProps {
  readonly type: string;
  readonly chosen: RowOrder['direction'] | null;
  readonly onChoose: (direction: RowOrder['direction']) => void;
}

function Directions({ type, chosen, onChoose }: DirectionsProps): ReactNode {
  const words = isNumeric(type) ? NUMBERS_FIRST : type === 'time' ? TIMES_FIRST : TEXTS_FIRST;
  return (
    <Group gap="xs" grow>
      {(['asc', 'desc'] as const).map((direction) => (
        <Button
          key={direction}
          size="xs"
          variant={chosen === direction ? 'light' : 'default'}
          onClick={() => {
            onChoose(direction);
          }}
        >
          {i18n._(words[direction])}
        </Button>
      ))}
    </Group>
  );
}

const NUMBERS_FIRST = { asc: msg`Lowest first`, desc: msg`Highest first` } as const;
const TIMES_FIRST = { asc: msg`Oldest first`, desc: msg`Newest first` } as const;
const TEXTS_FIRST = { asc: msg`A to Z`, desc: msg`Z to A` } as const;

type Wish = 'text' | 'is' | 'start' | 'range' | 'true' | 'false' | 'none' | 'some';

const WISHES: Readonly<Record<Wish, MessageDescriptor>> = {
  text: msg`contains`,
  is: msg`is exactly`,
  start: msg`begins with`,
  range: msg`from … to …`,
  true: msg`is true`,
  false: msg`is false`,
  none: msg`has no value`,
  some: msg`has a value`,
};

function wishesFor(type: string): readonly Wish[] {
  const own: readonly Wish[] =
    type === 'text' ? ['text', 'is', 'start'] : type === 'boolean' ? ['true', 'false'] : ['range'];
  return [...own, 'none', 'some'];
}

interface FormProps {
  readonly column: ListedColumn;
  readonly onCondition: (filter: RowFilter | null) => void;
}

function ConditionForm({ column, onCondition }: FormProps): ReactNode {
  const wishes = wishesFor(column.type);
  const [wish, setWish] = useState<Wish>(wishes[0] ?? 'none');
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const filter = filterOf(column, wish, first.trim(), last.trim());
  return (
    <Stack
      component="form"
      gap="xs"
      onSubmit={(event) => {
        event.preventDefault();
        if (filter !== null) onCondition(filter);
      }}
    >
      <NativeSelect
        size="xs"
        label={t`Only rows where it`}
        data={wishes.map((value) => ({ value, label: i18n._(WISHES[value]) }))}
        value={wish}
        onChange={({ currentTarget: { value } }) => {
          setWish(wishes.find((one) => one === value) ?? wish);
        }}
      />
      {wish === 'range' ? (
        <Group gap="xs" grow>
          <Limit label={t`From`} type={column.type} value={first} onChange={setFirst} />
          <Limit label={column.type === 'time' ? t`Until` : t`To`} type={column.type} value={last} onChange={setLast} />
        </Group>
      ) : (
        ['text', 'is', 'start'].includes(wish) && (
          <TextInput size="xs" aria-label={t`Text`} maxLength={1000} value={first} onChange={typed(setFirst)} />
        )
      )}
      {column.type === 'time' && wish === 'range' && (
        <Text size="xs" c="dimmed">
          {t`Times are in UTC.`}
        </Text>
      )}
      <Group gap="xs">
        <Button size="xs" type="submit" disabled={filter === null}>
          {t`Apply`}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            onCondition(null);
          }}
        >
          {t`Clear`}
        </Button>
      </Group>
    </Stack>
  );
}

interface LimitProps {
  readonly label: string;
  readonly type: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Limit({ label, type, value, onChange }: LimitProps): ReactNode {
  return (
    <TextInput
      size="xs"
      label={label}
      type={type === 'time' ? 'datetime-local' : 'number'}
      step="any"
      value={value}
      onChange={typed(onChange)}
    />
  );
}

/** Null: something is still to be said. */
function filterOf({ name: column, type }: ListedColumn, wish: Wish, first: string, last: string): RowFilter | null {
  switch (wish) {
    case 'none':
    case 'some':
      return { kind: 'null', column, negated: wish === 'some' };
    case 'true':
    case 'false':
      return { kind: 'in', column, values: [wish === 'true'], negated: false };
    case 'is':
      return first === '' ? null : { kind: 'in', column, values: [first], negated: false };
    case 'text':
    case 'start':
      return first === ''
        ? null
        : { kind: 'contains', column, text: first, negated: false, at: wish === 'text' ? 'anywhere' : 'start' };
    case 'range':
      return type === 'time' ? timeRange(column, first, last) : numberRange(column, first, last);
  }
}

function timeRange(column: string, from: string, to: string): RowFilter | null {
  if (from === '' && to === '') return null;
  const [first, last] = from !== '' && to !== '' && to < from ? [to, from] : [from, to];
  const instant = (text: string): string | null => (text === '' ? null : new Date(`${text}Z`).toISOString());
  return { kind: 'time', column, from: instant(first), to: instant(last) };
}

function numberRange(column: string, from: string, to: string): RowFilter | null {
  if (from === '' && to === '') return null;
  if (from !== '' && to !== '') {
    const limits = [Number(from), Number(to)] as const;
    return { kind: 'between', column, low: Math.min(...limits), high: Math.max(...limits) };
  }
  const [operator, value] = from === '' ? ['<=', to] : ['>=', from];
  return { kind: 'compare', column, operator, value: Number(value) };
}
