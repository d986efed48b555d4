import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Alert, Anchor, Badge, Button, Collapse, CopyButton, Group, Menu, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, memo, Suspense, useContext, useMemo, type ComponentProps, type ReactNode } from 'react';
import type { ExtraProps } from 'react-markdown';
import { client } from '../../app/client.js';
import { rowTime, sentence, whole } from '../../shared/format.js';
import { saveBlob, saveDownload } from '../../shared/save.js';
import { failed } from '../../shared/toast.js';
import { useSaving } from '../../ui/download-button.js';
import {
  IconBell,
  IconCheck,
  IconCode,
  IconCopy,
  IconDownload,
  IconFileText,
  IconInfoCircle,
  IconLink,
  IconListDetails,
  IconNotebook,
  IconPhoto,
  IconRefresh,
  IconShare,
  IconTable,
} from '../../ui/icons.js';
import { PinButton } from '../boards/pin-button.js';
import { ShareDialog } from '../boards/share-dialog.js';
import type { Answer } from './assistant.queries.js';
import { Markdown } from './markdown.js';
import { Rating, VerifiedBy } from './rating.js';
import { csvOf, PagedTable, QueryPart, rowCount, RowsTable, useSaveResult, useWholeResult } from './result-table.js';
import { behindFigures, rowsBehind } from './rows-behind.js';
import { aboutAnswer, AskAgain, type Asking, UnderstoodChips } from './understood.js';
import { AlertMe, onlyFigureIn, type WatchedFigure } from '../alerts/alert-me.js';
import classes from './answer.module.css';

const AnswerChart = lazy(() => import('./answer-chart.js'));

interface AnswerCardProps {
  readonly answer: Answer;
  readonly messageId: string;
  /** What was asked; null when that is not known here. */
  readonly question: string | null;
}

/** A whole answer: its words, chart, sources, and what the figures rest on. */
export function AnswerCard(props: AnswerCardProps): ReactNode {
  const { answer } = props;
  const asking = useContext(AskAgain);
  const about = useMemo(() => (asking === null ? null : aboutAnswer(asking, answer)), [asking, answer]);
  return (
    <AskAgain value={about}>
      <AnswerParts {...props} />
    </AskAgain>
  );
}

const AnswerParts = memo(function AnswerParts({ answer, messageId, question }: AnswerCardProps): ReactNode {
  return (
    <Stack gap="sm">
      {answer.kind !== 'answer' && <KindBadge kind={answer.kind} />}
      <VerifiedBy answer={answer} />
      <Words answer={answer} />
      {answer.error !== undefined && answer.error !== '' && (
        <Alert color="yellow" title={t`This answer is incomplete`}>
          {sentence(answer.error)}
        </Alert>
      )}
      {answer.evidence.joins.some(({ of, rows }) => rows > of) && (
        <Alert color="yellow" title={t`The join multiplies rows`}>
          {answer.evidence.joins
            .filter(({ of, rows }) => rows > of)
            .map(joinWords)
            .join('; ')}
        </Alert>
      )}
      {answer.evidence.unverified.length > 0 && (
        <Alert color="yellow" title={t`Figures that could not be verified`}>
          {t`Not found in the data behind this answer: ${answer.evidence.unverified.join(', ')}`}
        </Alert>
      )}
      <Sources sources={answer.sources} />
      {answer.notice !== undefined && (
        <Text size="sm" c="dimmed">
          {answer.notice}
        </Text>
      )}
      <Basis answer={answer} messageId={messageId} question={question} />
    </Stack>
  );
});

/** First the sentence with the figure, then what was understood and the chart; below all words where several questions were answered. */
function Words({ answer }: { readonly answer: Answer }): ReactNode {
  const { response, understood, chart, kind } = answer;
  const end = understood === null || NO_SENTENCE.test(response) ? -1 : response.indexOf('\n\n');
  const [first, rest] = end === -1 ? [response, ''] : [response.slice(0, end), response.slice(end)];
  return (
    <>
      <Markdown text={first} {...(kind === 'clarify' && { entry: Choice })} />
      {understood !== null && <UnderstoodChips understood={understood} />}
      {chart !== null && <ChartPart answer={answer} chart={chart} />}
      {rest !== '' && <Markdown text={rest} />}
    </>
  );
}

/** What can be answered to a question back, or asked instead, by a click. */
function Choice({ children, node }: ExtraProps & { readonly children?: ReactNode }): ReactNode {
  const asking = useContext(AskAgain);
  const isNested = node?.children.some((part) => 'tagName' in part && /^[ou]l$/.test(part.tagName)) ?? false;
  if (asking === null || isNested) return <li>{children}</li>;
  return (
    <li>
      <Anchor
        component="button"
        type="button"
        ta="left"
        // It keeps the focus while the answer is written.
        aria-disabled={asking.isBusy}
        onClick={({ currentTarget }) => {
          if (!asking.isBusy) asking.ask({ message: currentTarget.textContent });
        }}
      >
        {children}
      </Anchor>
    </li>
  );
}

/** A table, list, heading or code, or the answers to several questions. */
const NO_SENTENCE = /^(?:[|#>`]|[-+*] |\d+\. |\*\*\d+\. |I could not answer the )/;

const KINDS = { clarify: msg`Question for you`, cannot: msg`Can’t be answered` } as const;

function KindBadge({ kind }: { readonly kind: 'clarify' | 'cannot' }): ReactNode {
  return (
    <Badge variant="dot" color={kind === 'clarify' ? 'accent' : 'yellow'} className={classes.kind}>
      {i18n._(KINDS[kind])}
    </Badge>
  );
}

export function ChartPlace({
  chart,
  label,
}: {
  readonly chart: NonNullable<Answer['chart']>;
  readonly label: string;
}): ReactNode {
  return (
    <Suspense fallback={<Skeleton h={280} />}>
      <AnswerChart chart={chart} label={label} />
    </Suspense>
  );
}

function ChartPart({
  answer,
  chart,
}: {
  readonly answer: Answer;
  readonly chart: NonNullable<Answer['chart']>;
}): ReactNode {
  return <ChartPlace chart={chart} label={answer.query === '' ? t`Chart of the answer` : t`Chart: ${answer.query}`} />;
}

function Sources({ sources }: Pick<Answer, 'sources'>): ReactNode {
  if (sources.length === 0) return null;
  return (
    <ol className={classes.sources} aria-label={t`Sources`}>
      {sources.map(({ file_id: fileId, filename, page, quote }, index) => (
        <li key={`${fileId}-${String(index)}`}>
          <Text size="sm" fw={600}>
            <IconFileText size={14} aria-hidden /> {filename}
            {page === null ? '' : t`, page ${whole(page)}`}
          </Text>
          <Text size="sm" c="dimmed" component="blockquote" className={classes.quote}>
            {quote}
          </Text>
        </li>
      ))}
    </ol>
  );
}

/** What it rests on: rows, filters, figures, the query. Folded, since the words come first. */
function Basis({ answer, messageId, question }: AnswerCardProps): ReactNode {
  const [showsTable, table] = useDisclosure();
  const [showsQuery, query] = useDisclosure();
  const [showsEvidence, evidence] = useDisclosure();
  const { data, dbquery } = answer;
  const whole = useWholeResult(answer);
  const behind = behindFigures(answer);
  return (
    <div>
      <Group gap={4} className={classes.tools}>
        {data !== null && (
          <Tool icon={IconTable} opened={showsTable} onClick={table.toggle} label={t`Table (${rowCount(answer)})`} />
        )}
        {dbquery !== '' && <Tool icon={IconCode} opened={showsQuery} onClick={query.toggle} label={t`Query`} />}
        <TheseRows answer={answer} />
        {dbquery !== '' && <PinAnswer messageId={messageId} />}
        {answer.kind !== 'clarify' && (
          <>
            <ShareAnswer messageId={messageId} />
            <Takeaways answer={answer} messageId={messageId} />
            <Tool icon={IconInfoCircle} opened={showsEvidence} onClick={evidence.toggle} label={t`Details`} />
          </>
        )}
        <AlertTool answer={answer} question={question} />
        {question !== null && <Retry question={question} />}
        <Rating messageId={messageId} answer={answer} question={question} />
      </Group>
      {data !== null && (
        <Collapse expanded={showsTable} keepMounted={false}>
          {whole === null ? <RowsTable {...data} behind={behind} /> : <PagedTable asked={whole} behind={behind} />}
        </Collapse>
      )}
      <Collapse expanded={showsQuery}>
        <QueryPart text={dbquery} />
      </Collapse>
      <Collapse expanded={showsEvidence}>
        <EvidenceList answer={answer} />
      </Collapse>
    </div>
  );
}

/** Leads to the rows that the answer looked at. */
function TheseRows({ answer }: { readonly answer: Answer }): ReactNode {
  const asking = useContext(AskAgain);
  const list = rowsBehind(answer);
  if (asking === null || list === null) return null;
  return (
    <Button
      renderRoot={(props) => (
        <Link to="/datasources/$id" params={{ id: asking.datasourceId }} search={{ tab: 'rows', list }} {...props} />
      )}
      size="compact-sm"
      variant="subtle"
      color="gray"
      leftSection={<IconListDetails size={15} aria-hidden />}
    >
      {t`Show these rows`}
    </Button>
  );
}

function PinAnswer({ messageId }: Pick<AnswerCardProps, 'messageId'>): ReactNode {
  const { id } = useParams({ from: '/assistant/$id' });
  return <PinButton pinned={{ conversation_id: id, message_id: messageId }} />;
}

function ShareAnswer({ messageId }: Pick<AnswerCardProps, 'messageId'>): ReactNode {
  const { id } = useParams({ from: '/assistant/$id' });
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Tool icon={IconShare} label={t`Share`} onClick={open} />
      <ShareDialog shared={{ conversation_id: id, message_id: messageId }} opened={isOpen} onClose={close} />
    </>
  );
}

/** The answer as text, figures, picture, Jupyter notebook and link. */
function Takeaways({ answer, messageId }: Pick<AnswerCardProps, 'answer' | 'messageId'>): ReactNode {
  const { data, response, visualization } = answer;
  const { id } = useParams({ from: '/assistant/$id' });
  const whole = useWholeResult(answer);
  const { save } = useSaveResult();
  const query = { conversation_id: id, message_id: messageId };
  const notebook = useSaving(() => saveDownload('/api/v1/secure/assistant/history/notebook', query, 0));
  return (
    <Menu position="bottom-start" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Tool icon={IconDownload} label={t`Save or copy`} isDisabled={notebook.isPending} />
      </Menu.Target>
      <Menu.Dropdown>
        {data !== null && (
          <Item
            icon={IconDownload}
            label="CSV"
            onClick={() => {
              if (whole === null) saveBlob(csvOf(data), 'answer.csv');
              else save(whole);
            }}
          />
        )}
        {visualization !== '' && <PngItem filename={visualization} />}
        <Item
          icon={IconNotebook}
          label={t`Notebook`}
          onClick={() => {
            notebook.mutate();
          }}
        />
        {response !== '' && <CopyItem icon={IconCopy} label={t`Copy text`} value={response} />}
        <CopyItem icon={IconLink} label={t`Copy link`} value={`${location.origin}${location.pathname}#${messageId}`} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Watches the figure of an answer that has one. */
function AlertTool({ answer, question }: Pick<AnswerCardProps, 'answer' | 'question'>): ReactNode {
  const asking = useContext(AskAgain);
  const [opened, { open, close }] = useDisclosure();
  const figure = asking === null ? null : figureIn(answer, asking, question);
  if (figure === null) return null;
  return (
    <>
      <Tool icon={IconBell} label={t`Alert me`} onClick={open} />
      <AlertMe figure={figure} opened={opened} onClose={close} />
    </>
  );
}

function figureIn(
  { data, dbquery, understood, query }: Answer,
  { datasourceId, datasourceIds }: Asking,
  question: string | null,
): WatchedFigure | null {
  const plan = understood?.plan ?? null;
  const value = onlyFigureIn(data, plan);
  if (value === null || (plan === null && dbquery === '')) return null;
  const others = datasourceIds.filter((id) => id !== datasourceId);
  return { datasourceId, others, name: question ?? query, value, plan, dbquery };
}

function CopyItem({ icon, label, value }: Pick<ToolProps, 'icon' | 'label'> & { readonly value: string }): ReactNode {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Item
          icon={copied ? IconCheck : icon}
          label={copied ? t`Copied` : label}
          closeMenuOnClick={false}
          onClick={copy}
        />
      )}
    </CopyButton>
  );
}

/** Asks the same words again. */
function Retry({ question }: { readonly question: string }): ReactNode {
  const asking = useContext(AskAgain);
  if (asking === null) return null;
  return (
    <Tool
      icon={IconRefresh}
      label={t`Ask again`}
      isDisabled={asking.isBusy}
      onClick={() => {
        asking.ask({ message: question });
      }}
    />
  );
}

interface ToolProps extends ComponentProps<typeof Button<'button'>> {
  readonly icon: typeof IconCode;
  readonly label: string;
  /** Of what it folds; without it, it does something else. */
  readonly opened?: boolean;
  readonly isDisabled?: boolean;
}

function Tool({ icon: Icon, label, opened, isDisabled = false, ...rest }: ToolProps): ReactNode {
  return (
    <Button
      size="compact-sm"
      variant={opened === true ? 'light' : 'subtle'}
      color={opened === true ? 'accent' : 'gray'}
      leftSection={<Icon size={15} aria-hidden />}
      aria-expanded={opened}
      disabled={isDisabled}
      {...rest}
    >
      {label}
    </Button>
  );
}

interface ItemProps extends Pick<ToolProps, 'icon' | 'label'> {
  readonly closeMenuOnClick?: boolean;
  readonly onClick: () => void;
}

function Item({ icon: Icon, label, ...rest }: ItemProps): ReactNode {
  return (
    <Menu.Item leftSection={<Icon size={15} aria-hidden />} {...rest}>
      {label}
    </Menu.Item>
  );
}

function PngItem({ filename }: { readonly filename: string }): ReactNode {
  const download = async (): Promise<void> => {
    const { response } = await client.download(`/api/v1/secure/assistant/visualizations/${filename}`);
    saveBlob(await response.blob(), 'chart.png');
  };
  return (
    <Item
      icon={IconPhoto}
      label="PNG"
      onClick={() => {
        download().catch((error: unknown) => {
          failed(t`The image could not be loaded`, error);
        });
      }}
    />
  );
}

function joinWords({ left, right, of, rows, alone }: Answer['evidence']['joins'][number]): string {
  const made =
    rows > of
      ? t`${left} with ${right}: ${whole(of)} rows become ${whole(rows)}, so that figures count some more than once`
      : t`${left} with ${right}: ${whole(of)} rows`;
  return alone === 0 ? made : t`${made}; ${whole(alone)} without a partner`;
}

function EvidenceList({ answer: { evidence, query, model } }: { readonly answer: Answer }): ReactNode {
  const range = evidence.time_range;
  const facts: readonly (readonly [string, string])[] = [
    [t`Understood as`, query === '' ? '–' : query],
    [t`Rows read`, whole(evidence.rows_scanned)],
    [t`Rows in the result`, whole(evidence.rows_returned)],
    [t`Period (UTC)`, range === null ? '–' : t`${rowTime(range.from)} to ${rowTime(range.to)}`],
    [t`Filters`, evidence.filters.length === 0 ? t`none` : evidence.filters.join('; ')],
    ...evidence.joins.map((join): readonly [string, string] => [t`Joined`, joinWords(join)]),
    [t`Queries`, whole(evidence.queries)],
    [t`Answered by`, model],
  ];
  return (
    <dl className={classes.evidence}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
