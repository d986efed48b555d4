import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NumberInput, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Failure } from '../../ui/states.js';
import type { Config } from './company.queries.js';
import { numberOf, partOf, useSaveSettings } from './use-save-settings.js';
import classes from './company.module.css';

/** How long the company keeps conversations and its audit log. */
export function RetentionSettings({ config }: { readonly config: Config }): ReactNode {
  const stored = partOf(config, 'retention');
  const [conversations, setConversations] = useState<number | string>(numberOf(stored.conversations_days));
  const [audit, setAudit] = useState<number | string>(numberOf(stored.audit_days));
  const save = useSaveSettings();
  return (
    <form
      className={`card ${classes.part ?? ''}`}
      aria-label={t`How long data is kept`}
      onSubmit={(event) => {
        event.preventDefault();
        const days = (value: number | string): number | null => (typeof value === 'number' ? value : null);
        save.mutate({ retention: { conversations_days: days(conversations), audit_days: days(audit) } });
      }}
    >
      <Stack gap="md">
        <Title order={2}>
          <Trans>How long data is kept</Trans>
        </Title>
        <Text size="sm" c="dimmed">
          <Trans>Older data is deleted for good, also from the bin. A conversation is as old as its last answer.</Trans>
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput
            label={t`Conversations, in days`}
            description={t`Leave empty to keep them until someone deletes them`}
            min={1}
            max={3650}
            allowDecimal={false}
            value={conversations}
            onChange={setConversations}
          />
          <NumberInput
            label={t`Audit log, in days`}
            description={t`Leave empty for one year`}
            min={1}
            max={365}
            allowDecimal={false}
            value={audit}
            onChange={setAudit}
          />
        </SimpleGrid>
        {save.error !== null && <Failure error={save.error} title={t`The settings were not saved`} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            <Trans>Save</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
