import { Alert, Badge, Button, Collapse, CopyButton, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconCheck,
  IconCode,
  IconCopy,
  IconDownload,
  IconFileText,
  IconInfoCircle,
  IconPhoto,
  IconTable,
} from '@tabler/icons-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { client } from '../../app/client.js';
import { counted, figure, rowTime, whole } from '../../shared/format.js';
import { failed } from '../../shared/toast.js';
import type { Answer } from './assistant.queries.js';
import { csvOf, save } from './downloads.js';
import { Markdown } from './markdown.js';
import { UnderstoodChips } from './understood.js';
import classes from './answer.module.css';

const AnswerChart = lazy(() => import('./answer-chart.js'));

/** A whole answer: its words, chart, sources, and what the figures rest on. */
export function AnswerCard({ answer }: { readonly answer: Answer }): ReactNode {
  return (
    <Stack gap="sm">
      {answer.kind !== 'answer' && <KindBadge kind={answer.kind} />}
      <Words answer={answer} />
      {answer.error !== undefined && answer.error !== '' && (
        <Alert color="yellow" title="This answer is not whole">
          {answer.error}
        </Alert>
      )}
      {answer.evidence.unverified.length > 0 && (
        <Alert color="yellow" title="Figures that could not be verified">
          {answer.evidence.unverified.join(', ')} stand in nothing that this answer rests on.
        </Alert>
      )}
      <Sources sources={answer.sources} />
      <Basis answer={answer} />
    </Stack>
  );
}

/** First the sentence with the figure, then what was understood and the chart; below all words where several questions were answered. */
function Words({ answer }: { readonly answer: Answer }): ReactNode {
  const { response, understood, chart } = answer;
  const end = understood === null || NO_SENTENCE.test(response) ? -1 : response.indexOf('\n\n');
  const [first, rest] = end === -1 ? [response, ''] : [response.slice(0, end), response.slice(end)];
  return (
    <>
      <Markdown text={first} />
      {understood !== null && <UnderstoodChips understood={understood} />}
      {chart !== null && <ChartPart answer={answer} chart={chart} />}
      {rest !== '' && <Markdown text={rest} />}
    </>
  );
}

/** A table, list, heading or code, or the answers to several questions. */
const NO_SENTENCE = /^(?:[|#>`]|[-+*] |\d+\. |\*\*\d+\. |I could not answer the )/;

const KINDS = { clarify: 'Asks back', cannot: 'Can’t be answered' } as const;

function KindBadge({ kind }: { readonly kind: 'clarify' | 'cannot' }): ReactNode {
  return (
    <Badge variant="dot" color={kind === 'clarify' ? 'accent' : 'yellow'} className={classes.kind}>
      {KINDS[kind]}
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
  return <ChartPlace chart={chart} label={`Chart: ${answer.query === '' ? 'the answer' : answer.query}`} />;
}

function Sources({ sources }: Pick<Answer, 'sources'>): ReactNode {
  if (sources.length === 0) return null;
  return (
    <ol className={classes.sources} aria-label="Sources">
      {sources.map(({ file_id: fileId, filename, page, quote }, index) => (
        <li key={`${fileId}-${String(index)}`}>
          <Text size="sm" fw={600}>
            <IconFileText size={14} stroke={1.6} aria-hidden /> {filename}
            {page === null ? '' : `, page ${whole(page)}`}
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
function Basis({ answer }: { readonly answer: Answer }): ReactNode {
  const [showsTable, table] = useDisclosure();
  const [showsQuery, query] = useDisclosure();
  const [showsEvidence, evidence] = useDisclosure();
  const { data, dbquery, visualization } = answer;
  return (
    <div>
      <Group gap={4} className={classes.tools}>
        {data !== null && (
          <Tool
            icon={IconTable}
            opened={showsTable}
            onClick={table.toggle}
            label={`Table (${counted(data.rows.length, 'row')})`}
          />
        )}
        {dbquery !== '' && <Tool icon={IconCode} opened={showsQuery} onClick={query.toggle} label="Query" />}
        <Tool icon={IconInfoCircle} opened={showsEvidence} onClick={evidence.toggle} label="Basis" />
        {data !== null && (
          <Tool
            icon={IconDownload}
            label="CSV"
            onClick={() => {
              save('answer.csv', csvOf(data));
            }}
          />
        )}
        {visualization !== '' && <PngButton filename={visualization} />}
      </Group>
      <Collapse expanded={showsTable}>{data !== null && <DataTable data={data} />}</Collapse>
      <Collapse expanded={showsQuery}>
        <QueryText text={dbquery} />
      </Collapse>
      <Collapse expanded={showsEvidence}>
        <EvidenceList answer={answer} />
      </Collapse>
    </div>
  );
}

interface ToolProps {
  readonly icon: typeof IconCode;
  readonly label: string;
  /** Of what it folds; without it, it does something else. */
  readonly opened?: boolean;
  readonly onClick: () => void;
}

function Tool({ icon: Icon, label, opened, onClick }: ToolProps): ReactNode {
  return (
    <Button
      size="compact-sm"
      variant={opened === true ? 'light' : 'subtle'}
      color={opened === true ? 'accent' : 'gray'}
      leftSection={<Icon size={15} stroke={1.6} aria-hidden />}
      aria-expanded={opened}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

function PngButton({ filename }: { readonly filename: string }): ReactNode {
  const download = async (): Promise<void> => {
    const { response } = await client.download(`/api/v1/secure/assistant/visualizations/${filename}`);
    save('chart.png', await response.blob());
  };
  return (
    <Tool
      icon={IconPhoto}
      label="PNG"
      onClick={() => {
        download().catch((error: unknown) => {
          failed('The picture could not be fetched', error);
        });
      }}
    />
  );
}

const SHOWN_ROWS = 100;

function DataTable({ data: { columns, rows } }: { readonly data: NonNullable<Answer['data']> }): ReactNode {
  return (
    <Table.ScrollContainer
      minWidth={Math.min(columns.length * 110, 900)}
      maxHeight={360}
      mt="xs"
      className={classes.data}
    >
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            {columns.map((name, index) => (
              <Table.Th key={index} ta={typeof rows[0]?.[index] === 'number' ? 'right' : undefined}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, SHOWN_ROWS).map((row, line) => (
            <Table.Tr key={line}>
              {row.map((cell, index) => (
                <Table.Td key={index} className="numbers" ta={typeof cell === 'number' ? 'right' : undefined}>
                  <CellText cell={cell} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function CellText({ cell }: { readonly cell: string | number | boolean | null }): ReactNode {
  if (cell === null)
    return (
      <Text span c="dimmed" size="sm">
        none
      </Text>
    );
  if (typeof cell === 'number') return figure(cell);
  return typeof cell === 'string' && TIME.test(cell) ? rowTime(cell) : String(cell);
}

function QueryText({ text }: { readonly text: string }): ReactNode {
  return (
    <div className={classes.query}>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button
            size="compact-sm"
            variant="default"
            className={classes.copy}
            leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            onClick={copy}
          >
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}

function EvidenceList({ answer: { evidence, query, model } }: { readonly answer: Answer }): ReactNode {
  const range = evidence.time_range;
  const facts: readonly (readonly [string, string])[] = [
    ['Understood as', query === '' ? '–' : query],
    ['Rows looked at', whole(evidence.rows_scanned)],
    ['Rows in the result', whole(evidence.rows_returned)],
    ['Times (UTC)', range === null ? '–' : `${rowTime(range.from)} to ${rowTime(range.to)}`],
    ['Conditions', evidence.filters.length === 0 ? 'none' : evidence.filters.join('; ')],
    ['Queries', whole(evidence.queries)],
    ['Answered by', model],
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
