import { t } from '@lingui/core/macro';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useIsManager } from '../../app/session.js';
import { ForManagers } from '../../ui/not-found.js';
import { Page } from '../../ui/page.js';
import { Loaded } from '../../ui/states.js';
import { AssistantSettings } from './assistant-settings.js';
import { settingsQuery } from './company.queries.js';
import { RetentionSettings } from './retention-settings.js';
import { SignInSettings } from './sign-in-settings.js';
import { Usage } from './usage.js';
import { WebhookSettings } from './webhook-settings.js';

/** What the company wants of its assistant, and where it wants to hear of results. */
export function SettingsPage(): ReactNode {
  return useIsManager() ? <Settings /> : <ForManagers title={t`Settings`} />;
}

function Settings(): ReactNode {
  const query = useQuery(settingsQuery);
  return (
    <Page title={t`Settings`} subtitle={t`For everyone in your company`}>
      <Loaded query={query} skeleton={<Skeleton h={480} />}>
        {(config) => (
          <Stack gap="lg" maw={720}>
            <AssistantSettings config={config} />
            <Usage />
            <WebhookSettings config={config} />
            <SignInSettings />
            <RetentionSettings config={config} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
