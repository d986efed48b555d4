import { Alert, Group, SegmentedControl, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { amount, percent, whole } from '../../shared/format.js';
import type { Wire } from '../../shared/wire.js';
import { Loaded } from '../../ui/states.js';
import { usageQuery, type UsageGroup } from './company.queries.js';
import classes from './company.module.css';

type Report = Wire['UsageResponse'];
type Spending = Wire['SpendingView'];

const GROUPS: readonly { readonly value: UsageGroup; readonly label: string }[] = [
  { value: 'day', label: 'Days' },
  { value: 'user', label: 'Users' },
  { value: 'model', label: 'Models' },
];

/** What the answers of this month took and cost. */
export function Usage(): ReactNode {
  const [group, setGroup] = useState<UsageGroup>('day');
  const query = useQuery(usageQuery(group));
  return (
    <section className={`card ${classes.part ?? ''}`} aria-label="Usage">
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={2}>Usage this month</Title>
          <SegmentedControl
            size="xs"
            aria-label="Rows of"
            data={[...GROUPS]}
            value={group}
            onChange={(value) => {
              setGroup(value);
            }}
          />
        </Group>
        <Loaded query={query} skeleton={<Skeleton h={120} />}>
          {(report) => (
            <>
              <Budget report={report} />
              <UsageTable report={report} />
            </>
          )}
        </Loaded>
      </Stack>
    </section>
  );
}

function Budget({ report: { budget, currency, unpriced_models: unpriced } }: { readonly report: Report }): ReactNode {
  const { per_month: most, spent, state } = budget;
  const share = most === null || most === 0 ? '' : `, ${percent(spent / most)}`;
  return (
    <>
      {most !== null && (
        <Alert color={state === 'spent' ? 'red' : state === 'warning' ? 'yellow' : 'gray'} p="sm">
          {`${amount(spent, currency)} of the budget of ${amount(most, currency)} are spent${share}.`}
          {state === 'spent' && ' Models don’t answer until the next month, or until the budget is raised.'}
        </Alert>
      )}
      {unpriced.length > 0 && (
        <Text size="sm" c="dimmed">
          Without a price, so that their cost is not known: {unpriced.join(', ')}.
        </Text>
      )}
    </>
  );
}

function UsageTable({ report: { usage, total, currency } }: { readonly report: Report }): ReactNode {
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th />
            {['Questions', 'Tokens read', 'From cache', 'Tokens written', 'Cost'].map((label) => (
              <Table.Th key={label} ta="right">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {usage.map((row) => (
            <Row key={row.key} name={row.name ?? 'A user who is gone'} spending={row} currency={currency} />
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Row name="Total" spending={total} currency={currency} />
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  );
}

interface RowProps {
  readonly name: string;
  readonly spending: Spending;
  readonly currency: string;
}

function Row({ name, spending, currency }: RowProps): ReactNode {
  const figures = [spending.questions, spending.input_tokens, spending.cached_tokens, spending.output_tokens].map(
    whole,
  );
  return (
    <Table.Tr>
      <Table.Th scope="row">{name}</Table.Th>
      {[...figures, amount(spending.cost, currency)].map((figure, at) => (
        <Table.Td key={at} ta="right">
          {figure}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
