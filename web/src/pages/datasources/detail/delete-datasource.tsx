import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { keys } from '../../../shared/keys.js';
import type { Datasource } from '../../../shared/wire.js';
import { DeleteDialog } from '../../../ui/delete-dialog.js';
import { useDeleted } from '../../../ui/undo.js';
import { currentSemanticsQuery } from './semantics.queries.js';

/** For its creator and managers: the button, and the question that it asks first. */
export function DeleteDatasource({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { id, name, doc_count: rows, updating } = datasource;
  const [isOpen, { open, close }] = useDisclosure();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const deleted = useDeleted();
  const { data: current } = useQuery(currentSemanticsQuery(id));
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/v1/secure/datasource', { body: { id } })),
    onSuccess: async () => {
      deleted(id, name);
      await navigate({ to: '/datasources', ignoreBlocker: true });
      queries.removeQueries({ queryKey: keys.datasource(id) });
      void queries.invalidateQueries({ queryKey: [...keys.datasources, 'list'] });
    },
  });
  // Whoever may write its meaning may delete it.
  if (current?.editable !== true) return null;
  return (
    <>
      <Button variant="outline" color="red" onClick={open}>
        {t`Delete datasource`}
      </Button>
      <DeleteDialog
        opened={isOpen}
        title={t`Delete “${name}”?`}
        consequences={[
          plural(rows, { one: 'Its only row is deleted.', other: 'Its # rows are deleted.' }),
          t`All conversations about it are deleted, for everyone in the company.`,
          t`Agent tasks that use it stay, but their next run fails.`,
          ...(updating ? [t`The running import is stopped.`] : []),
        ]}
        restorable
        deletion={remove}
        onClose={close}
      />
    </>
  );
}
