import { ApiError } from '@data-analytics/client';
import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconLock, IconMapOff } from './icons.js';
import { Page } from './page.js';
import { Empty } from './states.js';

/** An address that leads nowhere. */
export function NotFound(): ReactNode {
  return <Missing title={t`This page does not exist`} />;
}

/** Whether what an address names is not there; an address of the wrong form names nothing either. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

/** A page that the service keeps to managers, for everybody else. */
export function ForManagers({ title }: { readonly title: string }): ReactNode {
  return (
    <Page title={title}>
      <Empty icon={IconLock} title={t`This page is for managers`}>
        {t`Only managers of your company can open it. Ask one of them if you need it.`}
      </Empty>
    </Page>
  );
}

/** Something that is gone, or of another company. */
export function Missing({ title }: { readonly title: string }): ReactNode {
  return (
    <Page title={t`Not found`}>
      <Empty
        icon={IconMapOff}
        title={title}
        action={
          <Button component={Link} to="/">
            {t`Back to the start`}
          </Button>
        }
      >
        {t`It may have been deleted, or it belongs to another company.`}
      </Empty>
    </Page>
  );
}
