import { plural, t } from '@lingui/core/macro';
import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useIsManager } from '../../app/session.js';
import { IconKey } from '../../ui/icons.js';
import { Page } from '../../ui/page.js';
import { Pager } from '../../ui/pager.js';
import { Empty, Loaded } from '../../ui/states.js';
import { KeyList } from './key-list.js';
import { KEYS_A_PAGE, keysQuery } from './keys.queries.js';
import { NewKey } from './new-key.js';

function countOf(total: number, isManager: boolean): string {
  return isManager
    ? plural(total, { one: '# key in your company', other: '# keys in your company' })
    : plural(total, { one: '# key of yours', other: '# keys of yours' });
}

/** Keys for programs and for assistants: made, shown once, revoked. */
export function KeysPage(): ReactNode {
  const isManager = useIsManager();
  const [page, setPage] = useState(0);
  const query = useQuery(keysQuery(page));
  const total = query.data?.total;
  return (
    <Page title={t`API keys`} subtitle={total === undefined ? '\u00a0' : countOf(total, isManager)}>
      <Stack gap="lg" maw={820}>
        <NewKey />
        <Loaded query={query} skeleton={<Skeleton h={160} />}>
          {({ api_keys: keys }) =>
            keys.length === 0 ? (
              <Empty icon={IconKey} title={t`No keys yet`}>
                {t`A key lets a script or an assistant such as Claude or Cursor work with your data, without your password.`}
              </Empty>
            ) : (
              <KeyList keys={keys} />
            )
          }
        </Loaded>
        <Pager page={page} total={total ?? 0} size={KEYS_A_PAGE} onChange={setPage} />
      </Stack>
    </Page>
  );
}
