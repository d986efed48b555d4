import { Pagination, Skeleton, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useIsManager } from '../../app/session.js';
import { counted } from '../../shared/format.js';
import { Page } from '../../ui/page.js';
import { Empty, Loaded } from '../../ui/states.js';
import { KeyList } from './key-list.js';
import { KEYS_A_PAGE, keysQuery } from './keys.queries.js';
import { NewKey } from './new-key.js';

/** Keys for programs and for assistants: made, shown once, revoked. */
export function KeysPage(): ReactNode {
  const isManager = useIsManager();
  const [page, setPage] = useState(0);
  const query = useQuery(keysQuery(page));
  const total = query.data?.total;
  const whose = isManager ? 'of your company' : 'of yours';
  return (
    <Page title="API keys" subtitle={total === undefined ? '\u00a0' : `${counted(total, 'key')} ${whose}`}>
      <Stack gap="lg" maw={820}>
        <NewKey />
        <Loaded query={query} skeleton={<Skeleton h={160} />}>
          {({ api_keys: keys }) =>
            keys.length === 0 ? (
              <Empty icon={IconKey} title="No keys yet">
                A key lets a script or an assistant such as Claude or Cursor work with your data, without your password.
              </Empty>
            ) : (
              <KeyList keys={keys} />
            )
          }
        </Loaded>
        {total !== undefined && total > KEYS_A_PAGE && (
          <Pagination
            total={Math.ceil(total / KEYS_A_PAGE)}
            value={page + 1}
            getControlProps={(control) => ({ 'aria-label': `${control} page` })}
            onChange={(next) => {
              setPage(next - 1);
            }}
          />
        )}
      </Stack>
    </Page>
  );
}
