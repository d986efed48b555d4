import { i18n } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import {
  Alert,
  Badge,
  Button,
  Group,
  NativeSelect,
  Skeleton,
  Stack,
  Table,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { duration, moment, whole } from '../../../shared/format.js';
import { keys } from '../../../shared/keys.js';
import { useChange } from '../../../shared/use-change.js';
import type { Wire } from '../../../shared/wire.js';
import { begins, typed } from '../../../ui/form.js';
import { Failure, Loaded } from '../../../ui/states.js';
import { TableHead } from '../../../ui/table-head.js';

type Evaluation = Wire['EvaluationView'];
type Whole = Wire['WholeEvaluationView'];

const LOOK_MS = 1500;

function isRunning({ state }: Pick<Evaluation, 'state'>): boolean {
  return state === 'waiting' || state === 'running';
}

function runsQuery(id: string) {
  return queryOptions({
    queryKey: keys.evaluations(id),
    queryFn: ({ signal }) => call(api.GET('/api/v1/secure/evaluation/runs', { params: { query: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.evaluations.some(isRunning) === true ? LOOK_MS : false),
  });
}

function runQuery(datasource: string, id: string) {
  return queryOptions({
    queryKey: keys.evaluation(datasource, id),
    queryFn: async ({ signal }) =>
      (await call(api.GET('/api/v1/secure/evaluation/run/{id}', { params: { path: { id } }, signal }))).evaluation,
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? LOOK_MS : false),
  });
}

/** Starts an evaluation of a datasource: `body` names what is tried. */
export function useEvaluate(id: string) {
  return useChange({
    change: async (body: Omit<Wire['RunEvaluationBody'], 'id'>) =>
      (await call(api.POST('/api/v1/secure/evaluation/run', { body: { id, ...body } }))).evaluation,
    stale: [keys.evaluations(id)],
  });
}

/** Runs, schedule, and what came of the last ones. */
export function Evaluations({ id }: { readonly id: string }): ReactNode {
  const query = useQuery(runsQuery(id));
  const [shown, setShown] = useState<string | null>(null);
  return (
    <Stack component="section" aria-label={t`Evaluation`}>
      <Title order={2}>{t`Evaluation`}</Title>
      <Text c="dimmed">
        {t`Every verified question is asked again without its stored answer, and the two results are compared.`}
      </Text>
      <Start id={id} onStarted={setShown} />
      <Loaded query={query} skeleton={<Skeleton h={160} />}>
        {({ evaluations, schedule }) => {
          const chosen = evaluations.find((one) => one.id === shown) ?? evaluations[0];
          return (
            <>
              <Schedule key={schedule?.interval ?? 0} id={id} schedule={schedule} />
              {evaluations.length > 1 && (
                <NativeSelect
                  label={t`Run`}
                  maw={420}
                  data={evaluations.map((one) => ({
                    value: one.id,
                    label: `${moment(one.created_at)} · ${wordsOf(one)}`,
                  }))}
                  value={chosen?.id ?? ''}
                  onChange={typed(setShown)}
                />
              )}
              {chosen !== undefined && <Result datasource={id} id={chosen.id} />}
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}

const STATES = {
  waiting: msg`waiting`,
  running: msg`running`,
  stopped: msg`stopped`,
  failed: msg`failed`,
} as const;

function wordsOf({ state, models, total }: Evaluation): string {
  if (state !== 'done') return i18n._(STATES[state]);
  return models.map(({ right }) => t`${whole(right)} of ${whole(total)} right`).join(', ');
}

function Start({ id, onStarted }: { readonly id: string; readonly onStarted: (run: string) => void }): ReactNode {
  const [model, setModel] = useState('');
  const evaluate = useEvaluate(id);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const models = model.trim() === '' ? [''] : ['', model.trim()];
        evaluate.mutate(
          { models },
          {
            onSuccess: (run) => {
              onStarted(run.id);
            },
          },
        );
      }}
    >
      <Stack gap="xs">
        <Group align="flex-end">
          <TextInput
            label={t`Compare with model`}
            placeholder={t`optional`}
            maxLength={200}
            value={model}
            onChange={typed(setModel)}
          />
          <Button type="submit" loading={evaluate.isPending}>
            {t`Evaluate`}
          </Button>
        </Group>
        {evaluate.error !== null && <Failure error={evaluate.error} title={t`The evaluation could not be started`} />}
      </Stack>
    </form>
  );
}

const INTERVALS = [
  { value: '0', label: msg`On demand only` },
  { value: '60', label: msg`Every hour` },
  { value: '1440', label: msg`Every day` },
  { value: '10080', label: msg`Every week` },
] as const;

interface ScheduleProps {
  readonly id: string;
  readonly schedule: Wire['EvaluationScheduleView'] | null;
}

function Schedule({ id, schedule }: ScheduleProps): ReactNode {
  const save = useChange({
    change: (minutes: number) =>
      call(
        api.POST('/api/v1/secure/evaluation/schedule', {
          body: { id, interval: minutes === 0 ? (schedule?.interval ?? 1440) : minutes, enabled: minutes > 0 },
        }),
      ),
    stale: [keys.evaluations(id)],
    problem: t`The schedule was not changed`,
  });
  const minutes = String(schedule?.enabled === true ? schedule.interval : 0);
  const isListed = INTERVALS.some(({ value }) => value === minutes);
  return (
    <NativeSelect
      label={t`Schedule`}
      maw={240}
      data={[
        ...INTERVALS.map(({ value, label }) => ({ value, label: i18n._(label) })),
        ...(isListed ? [] : [{ value: minutes, label: t`Every ${minutes} minutes` }]),
      ]}
      value={minutes}
      onChange={({ currentTarget }) => {
        save.mutate(Number(currentTarget.value));
      }}
    />
  );
}

const OUTCOMES = { right: msg`right`, wrong: msg`wrong`, refused: msg`refused`, failed: msg`failed` } as const;
const COLOURS = { right: 'teal', wrong: 'red', refused: 'yellow', failed: 'gray' } as const;

/** One evaluation: the models side by side, then question by question. */
export function Result({ datasource, id }: { readonly datasource: string; readonly id: string }): ReactNode {
  const query = useQuery(runQuery(datasource, id));
  return (
    <Loaded query={query} skeleton={<Skeleton h={160} />}>
      {(run) => (
        <Stack>
          <Progress run={run} />
          <Summary run={run} />
          <Questions run={run} />
        </Stack>
      )}
    </Loaded>
  );
}

function Progress({ run }: { readonly run: Whole }): ReactNode {
  const worse = run.models.reduce((sum, { regressed }) => sum + regressed, 0);
  if (isRunning(run))
    return (
      <Group>
        <Text role="status">{t`${whole(run.done)} of ${whole(run.total)} asked`}</Text>
        <Stop run={run} />
      </Group>
    );
  if (run.error !== '')
    return (
      <Alert color="red" title={t`The evaluation could not be finished`}>
        {run.error}
      </Alert>
    );
  if (run.state === 'stopped') return <Text>{t`Stopped.`}</Text>;
  if (worse === 0) return <Alert color="teal" title={t`Nothing got worse: everything that was right still is`} />;
  return (
    <Alert
      color="red"
      title={plural(worse, {
        one: '# answer that was right is not right any more',
        other: '# answers that were right are not right any more',
      })}
    />
  );
}

function Stop({ run: { id, datasource_id: datasource } }: { readonly run: Whole }): ReactNode {
  const stop = useChange({
    change: () => call(api.POST('/api/v1/secure/evaluation/stop', { body: { id } })),
    stale: [keys.evaluations(datasource), keys.evaluation(datasource, id)],
    problem: t`It was not stopped`,
  });
  return (
    <Button size="compact-sm" variant="default" {...begins(stop)}>
      {t`Stop`}
    </Button>
  );
}

function nameOf(model: string | null): string {
  return model ?? t`Company default`;
}

function Summary({ run }: { readonly run: Whole }): ReactNode {
  return (
    <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table>
        <TableHead names={[t`Model`, t`Right`, t`Wrong`, t`Refused`, t`Failed`, t`Tokens`, t`Cost`, t`Duration`]} />
        <Table.Tbody>
          {run.models.map((one, place) => (
            <Table.Tr key={place}>
              <Table.Th scope="row">{nameOf(one.model)}</Table.Th>
              <Table.Td>{whole(one.right)}</Table.Td>
              <Table.Td>{whole(one.wrong)}</Table.Td>
              <Table.Td>{whole(one.refused)}</Table.Td>
              <Table.Td>{whole(one.failed)}</Table.Td>
              <Table.Td>{one.tokens === null ? '–' : whole(one.tokens)}</Table.Td>
              <Table.Td>{one.cost === null ? '–' : String(one.cost)}</Table.Td>
              <Table.Td>{duration(one.ms / 1000)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Questions({ run }: { readonly run: Whole }): ReactNode {
  return (
    <Table.ScrollContainer minWidth={520} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table>
        <TableHead names={[t`Question`, ...run.models.map(({ model }) => nameOf(model))]} />
        <Table.Tbody>
          {run.questions.map(({ id, question, judged }) => (
            <Table.Tr key={id}>
              <Table.Td>{question}</Table.Td>
              {judged.map(({ outcome, reason, regressed }, place) => (
                <Table.Td key={place}>
                  <Badge variant="dot" color={COLOURS[outcome]}>
                    {regressed ? t`${i18n._(OUTCOMES[outcome])}, was right before` : i18n._(OUTCOMES[outcome])}
                  </Badge>
                  {reason !== '' && <Text size="xs">{reason}</Text>}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
