import { ApiError } from '@data-analytics/client';
import { Button } from '@mantine/core';
import { IconLock, IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from './page.js';
import { Empty } from './states.js';

/** An address that leads nowhere. */
export function NotFound(): ReactNode {
  return <Missing what="page" />;
}

/** Whether what an address names is not there; an address of the wrong form names nothing either. */
export function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

/** A page that the service keeps to managers, for everybody else. */
export function ForManagers({ title }: { readonly title: string }): ReactNode {
  return (
    <Page title={title}>
      <Empty icon={IconLock} title="This page is for managers">
        Only managers of your company can open it. Ask one of them for what you need.
      </Empty>
    </Page>
  );
}

/** Something that is gone, or of another company. */
export function Missing({ what }: { readonly what: string }): ReactNode {
  return (
    <Page title="Not found">
      <Empty
        icon={IconMapOff}
        title={`There is no such ${what}`}
        action={
          <Button component={Link} to="/">
            To the start
          </Button>
        }
      >
        It may have been deleted, or it belongs to another company.
      </Empty>
    </Page>
  );
}
