import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api, call } from '../app/client.js';
import { closable, failed, told } from '../shared/toast.js';

/** Brings back what was deleted, and has everything that is shown looked at again. */
export function useRestore(): (id: string, name: string) => Promise<void> {
  const queries = useQueryClient();
  return async (id, name) => {
    try {
      await call(api.POST('/api/v1/secure/bin/{id}/restore', { params: { path: { id } } }));
      told(t`“${name}” is back.`);
      await queries.invalidateQueries();
    } catch (error) {
      failed(t`“${name}” was not restored`, error);
    }
  };
}

/** Says that something went to the bin, with a button that brings it back. */
export function useDeleted(): (id: string, name: string) => void {
  const restore = useRestore();
  return (id, name) => {
    const toast = notifications.show({
      ...closable(),
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" lineClamp={2}>
            {t`“${name}” is in the bin.`}
          </Text>
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => {
              notifications.hide(toast);
              void restore(id, name);
            }}
          >
            {t`Undo`}
          </Button>
        </Group>
      ),
      color: 'teal',
      withBorder: true,
      autoClose: 10_000,
    });
  };
}
