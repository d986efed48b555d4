import { t } from '@lingui/core/macro';
import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Form, typed } from '../../ui/form.js';
import { ShownOnce } from '../../ui/shown-once.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import type { Config } from './company.queries.js';
import { partOf, textOf, useSaveSettings } from './use-save-settings.js';

/** Where the company wants to hear that tasks have ended. */
export function WebhookSettings({ config }: { readonly config: Config }): ReactNode {
  const stored = textOf(partOf(config, 'webhook').url);
  const [url, setUrl] = useState(stored);
  const [secret, setSecret] = useState('');
  const save = useSaveSettings();
  useUnsaved(url.trim() !== stored || secret !== '');
  const made = save.data?.webhook_secret;
  return (
    <Form
      title={t`Webhook`}
      saving={save}
      problem={t`The settings were not saved`}
      action={t`Save`}
      onSubmit={() => {
        const webhook = { url: url.trim(), ...(secret === '' ? {} : { secret }) };
        save.mutate(
          { webhook: webhook.url === '' ? null : webhook },
          {
            onSuccess: () => {
              setSecret('');
            },
          },
        );
      }}
    >
      <Text size="sm" c="dimmed">
        {t`Whenever an agent task ends, successfully or not, a signed message is sent to this address.`}
      </Text>
      <TextInput
        type="url"
        label={t`Address`}
        description={t`An https address on the public internet. Leave empty for no webhook`}
        placeholder="https://example.com/hooks/analytics"
        value={url}
        onChange={typed(setUrl)}
      />
      <PasswordInput
        label={t`Secret`}
        description={
          stored === ''
            ? t`At least 16 characters. Leave empty to get one that is shown once`
            : t`Leave empty to keep the current one. It is never shown`
        }
        autoComplete="new-password"
        value={secret}
        onChange={typed(setSecret)}
      />
      {made !== undefined && <ShownOnce title={t`Copy this secret now. It is not shown again.`} secret={made} />}
    </Form>
  );
}
