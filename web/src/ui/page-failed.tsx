import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { IconRefreshAlert } from './icons.js';
import { Page } from './page.js';
import { Empty } from './states.js';

function reload(): void {
  window.location.reload();
}

/** A page broke, or could not be loaded (after an update its file has another name); it is tried again when the connection is back. */
export function PageFailed(): ReactNode {
  useEffect(() => {
    window.addEventListener('online', reload);
    return () => {
      window.removeEventListener('online', reload);
    };
  }, []);
  return (
    <Page title={t`Something went wrong`}>
      <Empty
        icon={IconRefreshAlert}
        title={t`This page could not be shown`}
        action={<Button onClick={reload}>{t`Reload`}</Button>}
      >
        {t`The service may have been updated, or the connection was lost. Reloading helps in both cases.`}
      </Empty>
    </Page>
  );
}
