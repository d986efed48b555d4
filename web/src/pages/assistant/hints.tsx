import { Alert, Button, Group, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** What nobody finds by themselves, on a first answer. */
const HINTS = [
  'What was understood stands above the chart, part by part. Choose another part, or take one away, and it is asked again.',
  '“Table” and “Query” show what the answer rests on. “Show these rows” leads to the rows themselves.',
  'Ask in your own words below, or choose one of the questions. “Datasources” is where you upload a file of your own.',
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
      title={`Hint ${String(hint)} of ${String(HINTS.length)}`}
      withCloseButton
      closeButtonLabel="Close the hints"
      onClose={() => {
        show(undefined);
      }}
    >
      <Group gap="sm" justify="space-between" wrap="nowrap" align="flex-end">
        <Text size="sm">{text}</Text>
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          onClick={() => {
            show(isLast ? undefined : hint + 1);
          }}
        >
          {isLast ? 'Done' : 'Next'}
        </Button>
      </Group>
    </Alert>
  );
}
