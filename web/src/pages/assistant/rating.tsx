import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Group, Modal, Text, Textarea, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useIsManager } from '../../app/session.js';
import { date } from '../../shared/format.js';
import { failed } from '../../shared/toast.js';
import { useChange } from '../../shared/use-change.js';
import { Form, typed } from '../../ui/form.js';
import { IconRosetteDiscountCheck, IconThumbDown, IconThumbUp, type Icon } from '../../ui/icons.js';
import { assistantKeys, type Answer } from './assistant.queries.js';

type Mark = 'up' | 'down' | null;

function opinionsQuery(conversationId: string) {
  return queryOptions({
    queryKey: assistantKeys.opinions(conversationId),
    queryFn: async ({ signal }) => {
      const query = { params: { query: { conversation_id: conversationId } }, signal };
      return (await call(api.GET('/api/v1/secure/assistant/feedback', query))).feedback;
    },
  });
}

function useOpinion(messageId: string) {
  const { id } = useParams({ from: '/assistant/$id' });
  const known = useQuery(opinionsQuery(id)).data?.find((one) => one.message_id === messageId);
  const save = useChange({
    change: (opinion: { readonly rating: Mark; readonly correction: string }) =>
      call(
        api.POST('/api/v1/secure/assistant/feedback', {
          body: { conversation_id: id, message_id: messageId, ...opinion },
        }),
      ),
    stale: [assistantKeys.opinions(id)],
  });
  return { rating: known?.rating ?? null, correction: known?.correction ?? '', save };
}

interface RatingProps {
  readonly messageId: string;
  readonly answer: Answer;
  readonly question: string | null;
}

/** Whether the answer is good, what would be right, and for managers: that it is right from now on. */
export function Rating({ messageId, answer, question }: RatingProps): ReactNode {
  const { rating, correction, save } = useOpinion(messageId);
  const [corrects, correcting] = useDisclosure();
  const isManager = useIsManager();
  const rate = (next: Mark): void => {
    save.mutate(
      { rating: next, correction: next === 'down' ? correction : '' },
      {
        onError: (error) => {
          failed(t`Your rating was not saved`, error);
        },
      },
    );
  };
  return (
    <Group gap={2}>
      <Thumb
        icon={IconThumbUp}
        label={t`Good answer`}
        isPressed={rating === 'up'}
        onClick={() => {
          rate(rating === 'up' ? null : 'up');
        }}
      />
      <Thumb
        icon={IconThumbDown}
        label={t`Bad answer`}
        isPressed={rating === 'down'}
        onClick={() => {
          rate(rating === 'down' ? null : 'down');
          if (rating !== 'down') correcting.open();
        }}
      />
      {isManager &&
        answer.kind === 'answer' &&
        answer.dbquery !== '' &&
        answer.verified !== true &&
        question !== null && <Verify messageId={messageId} answer={answer} question={question} />}
      <Modal opened={corrects} onClose={correcting.close} title={t`What would be the right answer?`} centered>
        <Correction
          start={correction}
          saving={save}
          onSave={(words) => {
            save.mutate({ rating: 'down', correction: words }, { onSuccess: correcting.close });
          }}
        />
      </Modal>
    </Group>
  );
}

interface ThumbProps {
  readonly icon: Icon;
  readonly label: string;
  readonly isPressed: boolean;
  readonly onClick: () => void;
}

function Thumb({ icon: Icon, label, isPressed, onClick }: ThumbProps): ReactNode {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isPressed ? 'light' : 'subtle'}
        color={isPressed ? 'accent' : 'gray'}
        aria-label={label}
        aria-pressed={isPressed}
        onClick={onClick}
      >
        <Icon />
      </ActionIcon>
    </Tooltip>
  );
}

interface CorrectionProps {
  readonly start: string;
  readonly saving: ReturnType<typeof useOpinion>['save'];
  readonly onSave: (words: string) => void;
}

function Correction({ start, saving, onSave }: CorrectionProps): ReactNode {
  const [words, setWords] = useState(start);
  return (
    <Form
      saving={saving}
      problem={t`Your correction was not saved`}
      action={t`Send`}
      onSubmit={() => {
        onSave(words);
      }}
    >
      <Textarea
        label={t`Correction`}
        description={t`Managers of your company see it together with the question and the answer.`}
        autosize
        minRows={3}
        maxLength={2000}
        data-autofocus
        value={words}
        onChange={typed(setWords)}
      />
    </Form>
  );
}

interface VerifyProps extends RatingProps {
  readonly question: string;
}

function Verify(props: VerifyProps): ReactNode {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<IconRosetteDiscountCheck size={15} aria-hidden />}
        onClick={open}
      >
        {t`Verify`}
      </Button>
      <Modal opened={opened} onClose={close} title={t`Verify this answer`} size="lg" centered>
        <VerifyForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

/** The words of an answer without what ages with its rows: its table, and the figure where it has only one. */
function lastingWords({ response, data }: Answer): string {
  const words = response.replaceAll(/^\|.*$\n?/gm, '').trim();
  const figures = words.match(/\*\*[^*]+\*\*/g) ?? [];
  const [column] = data?.columns ?? [];
  const isOne = data?.rows.length === 1 && data.columns.length === 1 && figures.length === 1;
  if (isOne && column !== undefined) return words.replace(/\*\*[^*]+\*\*/, () => `**{${column}}**`);
  return words === '' ? response : words;
}

function VerifyForm({
  messageId,
  answer,
  question,
  onClose,
}: VerifyProps & { readonly onClose: () => void }): ReactNode {
  const opinion = useOpinion(messageId);
  const [asked, setAsked] = useState(question);
  const [wording, setWording] = useState(() => lastingWords(answer));
  const verify = useChange({
    change: async () => {
      // Makes it a candidate, with the query and the chart that the service knows.
      await opinion.save.mutateAsync({ rating: 'up', correction: '' });
      return call(
        api.PATCH('/api/v1/secure/verified/{id}', {
          params: { path: { id: messageId } },
          body: { state: 'verified', question: asked, wording },
        }),
      );
    },
    says: t`Verified. From now on, this question gets this answer.`,
    done: onClose,
  });
  return (
    <Form saving={verify} problem={t`The answer was not verified`} action={t`Verify`} onSubmit={verify.mutate}>
      <Text size="sm" c="dimmed">
        {t`Whoever asks this question gets this text, with the table and the chart of the rows as they are then.`}
      </Text>
      <Textarea
        label={t`Question`}
        description={t`It must make sense without the questions before it`}
        autosize
        maxLength={2000}
        value={asked}
        onChange={typed(setAsked)}
      />
      <Textarea
        label={t`Answer`}
        description={t`${'{column}'} stands for the value of that column in the first row. Figures that are written out stay as they are.`}
        autosize
        minRows={3}
        maxRows={14}
        maxLength={20_000}
        value={wording}
        onChange={typed(setWording)}
      />
    </Form>
  );
}

/** Who has verified the answer, and when. */
export function VerifiedBy({ answer }: { readonly answer: Answer }): ReactNode {
  if (answer.verified !== true) return null;
  const name = answer.verified_by?.name ?? t`a manager`;
  return (
    <Text size="sm" fw={600}>
      <IconRosetteDiscountCheck aria-hidden />{' '}
      {answer.verified_at === undefined ? t`Verified by ${name}` : t`Verified by ${name}, ${date(answer.verified_at)}`}
    </Text>
  );
}
