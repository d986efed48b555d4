import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { IconBulb } from '../../ui/icons.js';

/** What nobody finds by themselves, on a first answer. */
const HINTS = [
  msg`Above the chart you see how your question was understood. Change or remove a part, and it is asked again.`,
  msg`“Table” and “Query” show where the answer comes from. “Show these rows” opens the rows themselves.`,
  msg`Ask in your own words below, or pick a suggestion. You can upload your own file under “Datasources”.`,
] as const;

/** A tour of three hints. Which one is shown stands in the address. */
export function Hints(): ReactNode {
  const { hint } = useSearch({ from: '/assistant/$id' });
  const navigate = useNavigate({ from: '/assistant/$id' });
  const text = hint === undefined ? undefined : HINTS[hint - 1];
  if (hint === undefined || text === undefined) return null;
  const show = (next: number | undefined): void => {
    void navigate({
      search: ({ hint: _before, ...rest }) => (next === undefined ? rest : { ...rest, hint: next }),
      replace: true,
      resetScroll: false,
    });
  };
  const isLast = hint === HINTS.length;
  return (
    <Alert
      variant="light"
      p="sm"
      icon={<IconBulb size={18} />}
      title={t`Hint ${String(hint)} of ${String(HINTS.length)}`}
      withCloseButton
      closeButtonLabel={t`Close the hints`}
      onClose={() => {
        show(undefined);
      }}
    >
      <Group gap="sm" justify="space-between" wrap="nowrap" align="flex-end">
        <Text size="sm">{i18n._(text)}</Text>
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          onClick={() => {
            show(isLast ? undefined : hint + 1);
          }}
        >
          {isLast ? t`Done` : t`Next`}
        </Button>
      </Group>
    </Alert>
  );
}
