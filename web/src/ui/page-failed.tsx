import { Button } from '@mantine/core';
import { IconRefreshAlert } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Page } from './page.js';
import { Empty } from './states.js';

/** A page broke, or could not be loaded (after an update its file has another name). */
export function PageFailed(): ReactNode {
  return (
    <Page title="Something went wrong">
      <Empty
        icon={IconRefreshAlert}
        title="This page could not be shown"
        action={
          <Button
            onClick={() => {
              window.location.reload();
            }}
          >
            Reload
          </Button>
        }
      >
        The service may have been updated, or the connection was lost. Reloading helps in both cases.
      </Empty>
    </Page>
  );
}
