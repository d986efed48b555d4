import { t } from '@lingui/core/macro';
import { NumberInput, SimpleGrid, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Config } from './company.queries.js';
import { numberOf, partOf, useSaveSettings } from './use-save-settings.js';
import { Form } from '../../ui/form.js';
import { useUnsaved } from '../../ui/use-unsaved.js';

/** How long the company keeps conversations and its audit log. */
export function RetentionSettings({ config }: { readonly config: Config }): ReactNode {
  const stored = partOf(config, 'retention');
  const storedConversations = numberOf(stored.conversations_days);
  const storedAudit = numberOf(stored.audit_days);
  const [conversations, setConversations] = useState<number | string>(storedConversations);
  const [audit, setAudit] = useState<number | string>(storedAudit);
  const save = useSaveSettings();
  useUnsaved(conversations !== storedConversations || audit !== storedAudit);
  return (
    <Form
      title={t`How long data is kept`}
      saving={save}
      problem={t`The settings were not saved`}
      action={t`Save`}
      onSubmit={() => {
        const days = (value: number | string): number | null => (typeof value === 'number' ? value : null);
        save.mutate({ retention: { conversations_days: days(conversations), audit_days: days(audit) } });
      }}
    >
      <Text size="sm" c="dimmed">
        {t`Older data is deleted for good, also from the bin. A conversation is as old as its last answer.`}
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
    </Form>
  );
}
