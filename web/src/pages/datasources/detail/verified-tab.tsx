import {
  Alert,
  Badge,
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
import { IconRosetteDiscountCheck } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { useIsManager } from '../../../app/session.js';
import { date } from '../../../shared/format.js';
import { keys } from '../../../shared/keys.js';
import { failed, told } from '../../../shared/toast.js';
import type { Datasource, Wire } from '../../../shared/wire.js';
import { Empty, Failure, Loaded } from '../../../ui/states.js';
import { Evaluations } from './evaluations.js';

type Golden = Wire['GoldenQuestionView'];
type State = Golden['state'];

const STATES = [
  { value: 'verified', label: 'Verified' },
  { value: 'candidate', label: 'To review' },
  { value: 'rejected', label: 'Rejected' },
] as const;

function goldensQuery(id: string, state: State) {
  return queryOptions({
    queryKey: keys.goldens(id, state),
    queryFn: ({ signal }) =>
      call(api.GET('/api/v1/secure/verified', { params: { query: { id, state, page_size: 100 } }, signal })),
  });
}

/** Questions with verified answers, answers that wait for a verdict, and how well the verified questions are answered without help. */
export default function VerifiedTab({ datasource }: { readonly datasource: Datasource }): ReactNode {
  if (!useIsManager()) return <Text c="dimmed">Managers see verified questions and evaluations here.</Text>;
  return (
    <Stack gap="xl">
      <Questions id={datasource.id} />
      <Evaluations id={datasource.id} />
    </Stack>
  );
}

function Questions({ id }: { readonly id: string }): ReactNode {
  const [state, setState] = useState<State>('verified');
  const query = useQuery(goldensQuery(id, state));
  return (
    <Stack component="section" aria-label="Questions">
      <SegmentedControl
        aria-label="Which questions"
        data={[...STATES]}
        value={state}
        onChange={(value) => {
          setState(STATES.find((one) => one.value === value)?.value ?? 'verified');
        }}
      />
      <Loaded query={query} skeleton={<Skeleton h={160} />}>
        {({ questions }) =>
          questions.length === 0 ? (
            <Empty icon={IconRosetteDiscountCheck} title="None yet">
              Rate an answer of the assistant, or verify it there.
            </Empty>
          ) : (
            questions.map((golden) => <GoldenCard key={golden.id} golden={golden} />)
          )
        }
      </Loaded>
    </Stack>
  );
}

function useGolden({ id, datasource_id: datasource }: Golden) {
  const queries = useQueryClient();
  const onSuccess = (): Promise<void> => queries.invalidateQueries({ queryKey: keys.allGoldens(datasource) });
  const change = useMutation({
    mutationFn: (body: Wire['ChangeQuestionBody']) =>
      call(api.PATCH('/api/v1/secure/verified/{id}', { params: { path: { id } }, body })),
    onSuccess,
  });
  const remove = useMutation({
    mutationFn: () => call(api.DELETE('/api/v1/secure/verified/{id}', { params: { path: { id } } })),
    onSuccess,
    onError: (error) => {
      failed('It was not removed', error);
    },
  });
  return { change, remove };
}

function GoldenCard({ golden }: { readonly golden: Golden }): ReactNode {
  const { question, wording, plan, sql, state } = golden;
  const { change, remove } = useGolden(golden);
  const [edits, setEdits] = useState(false);
  return (
    <Stack component="article" gap="xs" p="md" className="card" aria-label={question}>
      <Text fw={600}>{question}</Text>
      <Text size="sm" lineClamp={3}>
        {wording}
      </Text>
      <Code block mah={120} tabIndex={0}>
        {sql ?? JSON.stringify(plan)}
      </Code>
      <Said golden={golden} />
      <Group gap="xs">
        <Button
          size="compact-sm"
          onClick={() => {
            setEdits(true);
          }}
        >
          {state === 'verified' ? 'Edit' : 'Verify'}
        </Button>
        {state === 'candidate' && (
          <Button
            size="compact-sm"
            variant="default"
            loading={change.isPending}
            onClick={() => {
              change.mutate({ state: 'rejected' });
            }}
          >
            Reject
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          loading={remove.isPending}
          onClick={() => {
            remove.mutate();
          }}
        >
          Remove
        </Button>
      </Group>
      <Modal
        opened={edits}
        onClose={() => {
          setEdits(false);
        }}
        title="Verify"
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
    </Stack>
  );
}

/** What its asker said, and who has verified it. */
function Said({ golden: { feedback, verified_by: by, verified_at: at } }: { readonly golden: Golden }): ReactNode {
  return (
    <Group gap="xs">
      {feedback?.rating != null && (
        <Badge variant="dot" color={feedback.rating === 'up' ? 'teal' : 'yellow'}>
          {feedback.rating === 'up' ? 'Good' : 'Bad'}
        </Badge>
      )}
      {feedback !== null && feedback.correction !== '' && (
        <Text size="sm">
          {feedback.by}: “{feedback.correction}”
        </Text>
      )}
      {by !== null && at !== null && (
        <Text size="sm" c="dimmed">
          Verified by {by}, {date(at)}
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
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const run = sql === (golden.sql ?? '') || sql.trim() === '' ? {} : { sql };
        change.mutate(
          { state: 'verified', question, wording, ...run },
          {
            onSuccess: () => {
              told('Verified.');
              onClose();
            },
          },
        );
      }}
    >
      <Stack>
        <Textarea
          label="Question"
          autosize
          maxLength={2000}
          value={question}
          onChange={({ currentTarget }) => {
            setQuestion(currentTarget.value);
          }}
        />
        <Textarea
          label="Answer"
          description="{column} stands for that figure of the first row"
          autosize
          minRows={3}
          maxRows={12}
          maxLength={20_000}
          value={wording}
          onChange={({ currentTarget }) => {
            setWording(currentTarget.value);
          }}
        />
        <Textarea
          label="SQL"
          description={golden.plan === null ? 'One SELECT over the table data' : 'Empty: the plan stays'}
          autosize
          maxRows={12}
          maxLength={20_000}
          value={sql}
          onChange={({ currentTarget }) => {
            setSql(currentTarget.value);
          }}
        />
        {golden.plan === null && golden.sql === null && sql.trim() === '' && (
          <Alert color="yellow">No query is behind this answer: write one.</Alert>
        )}
        {change.error !== null && <Failure error={change.error} title="It was not verified" />}
        <Button type="submit" loading={change.isPending}>
          Verify
        </Button>
      </Stack>
    </form>
  );
}
