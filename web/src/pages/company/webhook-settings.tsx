import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { ShownOnce } from '../../ui/shown-once.js';
import { Failure } from '../../ui/states.js';
import type { Config } from './company.queries.js';
import { partOf, textOf, useSaveSettings } from './use-save-settings.js';
import classes from './company.module.css';

/** Where the company wants to hear that tasks have ended. */
export function WebhookSettings({ config }: { readonly config: Config }): ReactNode {
  const stored = textOf(partOf(config, 'webhook').url);
  const [url, setUrl] = useState(stored);
  const [secret, setSecret] = useState('');
  const save = useSaveSettings();
  const made = save.data?.webhook_secret;
  return (
    <form
      className={`card ${classes.part ?? ''}`}
      aria-label={t`Webhook`}
      onSubmit={(event) => {
        event.preventDefault();
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
      <Stack gap="md">
        <Title order={2}>
          <Trans>Webhook</Trans>
        </Title>
        <Text size="sm" c="dimmed">
          <Trans>Whenever an agent task ends, successfully or not, a signed message is sent to this address.</Trans>
        </Text>
        <TextInput
          type="url"
          label={t`Address`}
          description={t`An https address on the public internet. Leave empty for no webhook`}
          placeholder="https://example.com/hooks/analytics"
          value={url}
          onChange={({ currentTarget }) => {
            setUrl(currentTarget.value);
          }}
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
          onChange={({ currentTarget }) => {
            setSecret(currentTarget.value);
          }}
        />
        {made !== undefined && <ShownOnce title={t`Copy this secret now. It is not shown again.`} secret={made} />}
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
