import { Alert, Button, Code, CopyButton, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
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
      aria-label="Webhook"
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
        <Title order={2}>Webhook</Title>
        <Text size="sm" c="dimmed">
          A signed message comes to this address whenever an agent task has ended, well or not.
        </Text>
        <TextInput
          type="url"
          label="Address"
          description="https, on the public internet. Empty: no webhook"
          placeholder="https://example.com/hooks/analytics"
          value={url}
          onChange={({ currentTarget }) => {
            setUrl(currentTarget.value);
          }}
        />
        <PasswordInput
          label="Secret"
          description={
            stored === ''
              ? 'At least 16 characters. Left empty, one is made and shown once'
              : 'Left empty, it stays as it is. It is never shown'
          }
          autoComplete="new-password"
          value={secret}
          onChange={({ currentTarget }) => {
            setSecret(currentTarget.value);
          }}
        />
        {made !== undefined && <MadeSecret secret={made} />}
        {save.error !== null && <Failure error={save.error} title="The settings were not saved" />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function MadeSecret({ secret }: { readonly secret: string }): ReactNode {
  return (
    <Alert color="yellow" title="Keep this secret now: it is not shown again">
      <Group gap="sm">
        <Code className={classes.secret}>{secret}</Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button size="compact-sm" variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  );
}
