import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import {
  Alert,
  Badge,
  Box,
  Button,
  Code,
  Group,
  Modal,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { useIsManager } from '../../../app/session.js';
import { date } from '../../../shared/format.js';
import { keys } from '../../../shared/keys.js';
import { told } from '../../../shared/toast.js';
import { useChange } from '../../../shared/use-change.js';
import type { Datasource, Wire } from '../../../shared/wire.js';
import { DeleteDialog } from '../../../ui/delete-dialog.js';
import { begins, Form, typed } from '../../../ui/form.js';
import { IconRosetteDiscountCheck } from '../../../ui/icons.js';
import { Pager } from '../../../ui/pager.js';
import { Empty, Loaded } from '../../../ui/states.js';
import { Markdown } from '../../assistant/markdown.js';
import { Evaluations } from './evaluations.js';

type Golden = Wire['GoldenQuestionView'];
type State = Golden['state'];

const STATES = [
  { value: 'verified', label: msg`Verified` },
  { value: 'candidate', label: msg`To review` },
  { value: 'rejected', label: msg`Rejected` },
] as const;

const PAGE = 20;

function goldensQuery(id: string, state: State, page: number) {
  return queryOptions({
    queryKey: keys.goldens(id, state, page),
    queryFn: ({ signal }) =>
      call(api.GET('/api/v1/secure/verified', { params: { query: { id, state, page, page_size: PAGE } }, signal })),
  });
}

/** Questions with verified answers, answers that wait for a verdict, and how well the verified questions are answered without help. */
export default function VerifiedTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  if (!useIsManager()) return <Text c="dimmed">{t`Managers see verified questions and evaluations here.`}</Text>;
  return (
    <Stack gap="xl">
      <Questions id={datasource.id} />
      <Evaluations id={datasource.id} />
    </Stack>
  );
}

function Questions({ id }: { readonly id: string }): ReactNode {
  const [state, setState] = useState<State>('verified');
  const [page, setPage] = useState(0);
  const query = useQuery(goldensQuery(id, state, page));
  const lastPage = Math.max(0, Math.ceil((query.data?.total ?? 0) / PAGE) - 1);
  // What was the only question of its page is not here any more.
  if (query.data !== undefined && page > lastPage) setPage(lastPage);
  return (
    <Stack component="section" aria-label={t`Questions`}>
      <SegmentedControl
        aria-label={t`Which questions`}
        data={STATES.map(({ value, label }) => ({ value, label: i18n._(label) }))}
        value={state}
        onChange={(value) => {
          setState(STATES.find((one) => one.value === value)?.value ?? 'verified');
          setPage(0);
        }}
      />
      <Loaded query={query} skeleton={<Skeleton h={160} />}>
        {({ questions, total }) =>
          total === 0 ? (
            <Empty icon={IconRosetteDiscountCheck} title={t`None yet`}>
              {t`Rate or verify an answer in the assistant, and it appears here.`}
            </Empty>
          ) : (
            <>
              {questions.map((golden) => (
                <GoldenCard key={golden.id} golden={golden} />
              ))}
              <Pager page={page} total={total} size={PAGE} onChange={setPage} />
            </>
          )
        }
      </Loaded>
    </Stack>
  );
}

function useGolden({ id, datasource_id: datasource }: Golden, problem?: string) {
  const stale = [keys.allGoldens(datasource)];
  const change = useChange({
    change: (body: Wire['ChangeQuestionBody']) =>
      call(api.PATCH('/api/v1/secure/verified/{id}', { params: { path: { id } }, body })),
    stale,
    ...(problem !== undefined && { problem }),
  });
  const remove = useChange({
    change: () => call(api.DELETE('/api/v1/secure/verified/{id}', { params: { path: { id } } })),
    stale,
  });
  return { change, remove };
}

function GoldenCard({ golden }: { readonly golden: Golden }): ReactNode {
  const { question, wording, purpose, sql } = golden;
  return (
    <Stack component="article" gap="xs" p="md" className="card" aria-label={question}>
      <Text fw={600}>{question}</Text>
      <Box mah={200} style={{ overflowY: 'auto' }} tabIndex={0}>
        <Markdown text={wording} />
      </Box>
      {sql === null ? (
        <Text size="sm" c="dimmed">
          {purpose}
        </Text>
      ) : (
        <Code block mah={120} tabIndex={0}>
          {sql}
        </Code>
      )}
      <Said golden={golden} />
      <Verdict golden={golden} />
    </Stack>
  );
}

/** What can be done with it. */
function Verdict({ golden }: { readonly golden: Golden }): ReactNode {
  const { question, state } = golden;
  const { change, remove } = useGolden(golden, t`The answer was not rejected`);
  const [edits, setEdits] = useState(false);
  const [removes, setRemoves] = useState(false);
  return (
    <>
      <Group gap="xs">
        <Button
          size="compact-sm"
          onClick={() => {
            setEdits(true);
          }}
        >
          {state === 'verified' ? t`Edit` : t`Verify`}
        </Button>
        {state === 'candidate' && (
          <Button size="compact-sm" variant="default" {...begins(change, { state: 'rejected' })}>
            {t`Reject`}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            setRemoves(true);
          }}
        >
          {t`Remove`}
        </Button>
      </Group>
      <Modal
        opened={edits}
        onClose={() => {
          setEdits(false);
        }}
        title={t`Verify`}
        size="lg"
        centered
      >
        <GoldenForm
          golden={golden}
          onClose={() => {
            setEdits(false);
          }}
        />
      </Modal>
      <DeleteDialog
        opened={removes}
        title={t`Remove “${question}”?`}
        action={t`Remove`}
        consequences={[t`Its answer goes with it. Answers that were given with it stay in their conversations.`]}
        deletion={remove}
        onClose={() => {
          setRemoves(false);
        }}
      />
    </>
  );
}

/** What its asker said, and who has verified it. */
function Said({ golden: { feedback, verified_by: by, verified_at: at } }: { readonly golden: Golden }): ReactNode {
  return (
    <Group gap="xs">
      {feedback?.rating != null && (
        <Badge variant="dot" color={feedback.rating === 'up' ? 'teal' : 'yellow'}>
          {feedback.rating === 'up' ? t`Good` : t`Bad`}
        </Badge>
      )}
      {feedback !== null && feedback.correction !== '' && (
        <Text size="sm">
          {feedback.by}: “{feedback.correction}”
        </Text>
      )}
      {by !== null && at !== null && (
        <Text size="sm" c="dimmed">
          {t`Verified by ${by}, ${date(at)}`}
        </Text>
      )}
    </Group>
  );
}

function GoldenForm({ golden, onClose }: { readonly golden: Golden; readonly onClose: () => void }): ReactNode {
  const { change } = useGolden(golden);
  const [question, setQuestion] = useState(golden.question);
  const [wording, setWording] = useState(golden.wording);
  const [sql, setSql] = useState(golden.sql ?? '');
  return (
    <Form
      saving={change}
      problem={t`The answer was not verified`}
      action={t`Verify`}
      onSubmit={() => {
        const run = sql === (golden.sql ?? '') || sql.trim() === '' ? {} : { sql };
        change.mutate(
          { state: 'verified', question, wording, ...run },
          {
            onSuccess: () => {
              told(t`Verified.`);
              onClose();
            },
          },
        );
      }}
    >
      <Textarea label={t`Question`} autosize maxLength={2000} value={question} onChange={typed(setQuestion)} />
      <Textarea
        label={t`Answer`}
        description={t`${'{column}'} stands for the value of that column in the first row. Figures that are written out stay as they are.`}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={20_000}
        value={wording}
        onChange={typed(setWording)}
      />
      <Textarea
        label="SQL"
        description={golden.plan === null ? t`One SELECT on the table “data”` : t`Leave empty to keep the plan`}
        autosize
        maxRows={12}
        maxLength={20_000}
        value={sql}
        onChange={typed(setSql)}
      />
      {golden.plan === null && golden.sql === null && sql.trim() === '' && (
        <Alert color="yellow">{t`This answer has no query yet. Write one.`}</Alert>
      )}
    </Form>
  );
}
