import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Text, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useStreamEvent } from '../../app/stream.js';
import { useChange } from '../../shared/use-change.js';
import { begins } from '../../ui/form.js';
import { IconRefresh } from '../../ui/icons.js';
import { assistantKeys, suggestionsQuery } from './assistant.queries.js';
import classes from './assistant.module.css';

interface SuggestionsProps {
  readonly conversationId: string;
  /** How much was said: with it the suggestions change. */
  readonly turns: number;
  /** Questions of this conversation, as they were asked and as they were understood. */
  readonly asked: readonly string[];
  readonly onPick: (question: string) => void;
}

/** Questions that can be answered, to be asked with one click. */
export function Suggestions({ conversationId, turns, asked, onPick }: SuggestionsProps): ReactNode {
  const queries = useQueryClient();
  const { data: offered = [] } = useQuery(suggestionsQuery(conversationId));
  const known = new Set(asked.map(sameWords));
  const questions = offered.filter((question) => !known.has(sameWords(question)));
  const renew = (): void => {
    void queries.invalidateQueries({ queryKey: assistantKeys.suggestions(conversationId) });
  };
  useEffect(renew, [queries, conversationId, turns]);
  useStreamEvent('suggestions-updated', (told) => {
    if (told.conversation_id === conversationId) renew();
  });
  const others = useChange({
    change: () =>
      call(
        api.GET('/api/v1/secure/assistant/suggestionsquery/reload', {
          params: { query: { conversation_id: conversationId } },
        }),
      ),
    done: renew,
    problem: t`There are no other suggestions now`,
  });
  if (questions.length === 0) return null;
  return (
    <div className={classes.suggestions}>
      <Group gap={4}>
        <Text size="sm" c="dimmed">
          {t`You could ask`}
        </Text>
        <Tooltip label={t`Other questions`}>
          <ActionIcon size="sm" variant="subtle" color="gray" aria-label={t`Other questions`} {...begins(others)}>
            <IconRefresh size={14} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Group gap="xs">
        {questions.map((question) => (
          <Button
            key={question}
            size="compact-sm"
            variant="default"
            fw={400}
            className={classes.suggestion}
            onClick={() => {
              onPick(question);
            }}
          >
            {question}
          </Button>
        ))}
      </Group>
    </div>
  );
}

/** Two spellings of one question are the same. */
function sameWords(question: string): string {
  const words = question.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.map((word) => (word === 'per' ? 'by' : word)).join(' ');
}
