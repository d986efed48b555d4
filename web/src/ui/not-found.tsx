import { Button } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from './page.js';
import { Empty } from './states.js';

/** An address that leads nowhere. */
export function NotFound(): ReactNode {
  return <Missing what="page" />;
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
