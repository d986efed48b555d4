import { t } from '@lingui/core/macro';
import { NativeSelect, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { keys } from '../../../shared/keys.js';
import { failed, told } from '../../../shared/toast.js';
import type { Datasource } from '../../../shared/wire.js';
import { Loaded } from '../../../ui/states.js';
import { roleLabel, ROLES, roleOf, semanticsQuery, withRole, type Known, type Role } from './semantics.queries.js';

/** What is done with the numbers of several rows; changed at once by those who may. */
export function ColumnRoles({ datasource: { id } }: { readonly datasource: Datasource }): ReactNode {
  const query = useQuery(semanticsQuery(id));
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{t`How its numbers are used`}</Title>
      <Text size="sm" c="dimmed">
        {t`What answers, reports and charts do with the numbers of several rows, unless a question says “total” or “average”.`}
      </Text>
      <Loaded query={query} skeleton={<Skeleton h={160} />}>
        {(known) => <RoleTable id={id} known={known} />}
      </Loaded>
    </Stack>
  );
}

function RoleTable({ id, known }: { readonly id: string; readonly known: Known }): ReactNode {
  const { current, draft } = known;
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: ({ name, role }: { readonly name: string; readonly role: Role }) => {
      const body = { id, version: current.version, semantics: withRole(current.semantics, name, role) };
      return call(api.PUT('/api/v1/secure/datasource/semantics', { body }));
    },
    onSuccess: (saved, { name, role }) => {
      queries.setQueryData(keys.semantics(id), { ...known, current: saved });
      void queries.invalidateQueries({ queryKey: keys.rows(id) });
      told(`${name}: ${roleLabel(role)}.`);
    },
    onError: (error) => {
      // Somebody else may have written another version.
      void queries.invalidateQueries({ queryKey: keys.semantics(id) });
      failed(t`It was not saved`, error);
    },
  });
  const numbers = draft.columns.filter(({ role }) => role !== '').map(({ name }) => name);
  if (numbers.length === 0) return <Text size="sm">{t`None of its columns holds numbers.`}</Text>;
  return (
    <Table.ScrollContainer minWidth={280} maxHeight={420}>
      <Table withTableBorder className="card" aria-label={t`How its numbers are used`}>
        <Table.Tbody>
          {numbers.map((name) => {
            const role = roleOf(known, name);
            return (
              <Table.Tr key={name}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
                <Table.Td w={160}>
                  {current.editable ? (
                    <NativeSelect
                      size="xs"
                      aria-label={t`Use of ${name}`}
                      data={ROLES.flatMap(({ value }) => (value === '' ? [] : [{ value, label: roleLabel(value) }]))}
                      value={role}
                      disabled={save.isPending}
                      onChange={({ currentTarget: { value } }) => {
                        const chosen = ROLES.find((one) => one.value === value);
                        if (chosen !== undefined) save.mutate({ name, role: chosen.value });
                      }}
                    />
                  ) : (
                    <Text size="sm">{roleLabel(role)}</Text>
                  )}
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
