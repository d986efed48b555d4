import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { counted } from '../../../shared/format.js';
import { keys } from '../../../shared/keys.js';
import { told } from '../../../shared/toast.js';
import type { Datasource } from '../../../shared/wire.js';
import { DeleteDialog } from '../../../ui/delete-dialog.js';

/** The button, and the question that it asks first. */
export function DeleteDatasource({ datasource }: { readonly datasource: Datasource }): ReactNode {
  const { id, name, doc_count: rows, updating } = datasource;
  const [isOpen, { open, close }] = useDisclosure();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/v1/secure/datasource', { body: { id } })),
    onSuccess: async () => {
      told(`“${name}” was deleted.`);
      await navigate({ to: '/datasources' });
      queries.removeQueries({ queryKey: keys.datasource(id) });
      void queries.invalidateQueries({ queryKey: [...keys.datasources, 'list'] });
    },
  });
  return (
    <>
      <Button variant="outline" color="red" onClick={open}>
        Delete datasource
      </Button>
      <DeleteDialog
        opened={isOpen}
        title={`Delete “${name}”?`}
        consequences={[
          `its ${counted(rows, 'row')}`,
          'all conversations about it, of everybody in the company, with their charts',
          'agent tasks that use it stay, and their next run fails',
          ...(updating ? ['the import that is running'] : []),
        ]}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => {
          remove.mutate();
        }}
        onClose={close}
      />
    </>
  );
}
