import { buffer } from 'node:stream/consumers';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { CallToolResult, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { AnswerStep } from '../../answering/answer-step.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import { asId, type ConversationId, type DatasourceId } from '../../shared/ids.js';
import { pageFrom } from '../../shared/page.js';
import { LONGEST_MESSAGE, type AskedHere } from '../assistant/assistant.facade.js';
import { plotView } from '../datasource/datasource-reading.facade.js';
import { dataResult, toolResult } from './mcp-call.js';
import type { McpCall } from './mcp-doors.js';
import { answerData, answerText, listedView, queryView, schemaView } from './mcp-views.js';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

const LONGEST_SQL = 20_000;
const MOST_ROWS = 1000;
const LOOKS = { readOnlyHint: true, openWorldHint: false };

const anId = z
  .string()
  .regex(/^[0-9a-fA-F]{24}$/, 'must be an identifier of 24 hexadecimal digits')
  .transform((text) => text.toLowerCase());
const datasourceId = anId.describe('The id of a datasource, from list_datasources');

export function addTools(server: McpServer, call: McpCall): void {
  addList(server, call);
  addDescribe(server, call);
  addQuery(server, call);
  addPlot(server, call);
  addAsk(server, call);
}

function addList(server: McpServer, call: McpCall): void {
  const { by, doors } = call;
  server.registerTool(
    'list_datasources',
    {
      title: 'List datasources',
      description: 'The datasources of the company, newest first: id, name, what they are about, rows, state.',
      inputSchema: {
        search: z.string().max(200).optional().describe('A part of the name'),
        page: z.number().int().min(0).optional().describe('Zero-based'),
        page_size: z.number().int().min(1).max(100).optional().describe('Default 20'),
      },
      annotations: LOOKS,
    },
    ({ search, page, page_size: size }) =>
      toolResult(call, { name: 'list_datasources', scope: 'read' }, async () => {
        const { entries, total } = await doors.reading.datasources.list(by, pageFrom(page, size), search);
        return dataResult({ datasources: entries.map(listedView), total });
      }),
  );
}

function addDescribe(server: McpServer, call: McpCall): void {
  const { by, doors } = call;
  server.registerTool(
    'describe',
    {
      title: 'Describe a datasource',
      description:
        'The columns of a datasource with types, ranges, means and sample values, and the time range of its rows.',
      inputSchema: { datasource_id: datasourceId },
      annotations: LOOKS,
    },
    ({ datasource_id: id }) =>
      toolResult(call, { name: 'describe', scope: 'read' }, async () =>
        dataResult(schemaView(await doors.reading.describe(by, asId(id)))),
      ),
  );
}

function addQuery(server: McpServer, call: McpCall): void {
  const { by, doors } = call;
  server.registerTool(
    'query',
    {
      title: 'Run SQL',
      description:
        'Runs one read-only SELECT in the SQL of DuckDB over the rows of a datasource, which are the table `data`. Its columns are those of describe.',
      inputSchema: {
        datasource_id: datasourceId,
        sql: z.string().min(1).max(LONGEST_SQL).describe('For example: SELECT city, avg(temp) FROM data GROUP BY city'),
        limit: z.number().int().min(1).max(MOST_ROWS).default(100).describe('Most rows that come back'),
      },
      annotations: LOOKS,
    },
    ({ datasource_id: id, sql, limit }) =>
      toolResult(call, { name: 'query', scope: 'read' }, async () => {
        const request = { datasourceId: asId<DatasourceId>(id), statement: sql, maxRows: limit };
        return dataResult(queryView(await doors.reading.queries.query(by, request)));
      }),
  );
}

function addPlot(server: McpServer, call: McpCall): void {
  const { by, doors } = call;
  const moment = z.string().max(100).default('');
  server.registerTool(
    'plot',
    {
      title: 'Plot a column over time',
      description:
        'One numeric column over time, of one asset or of all. Above `points` rows the range is cut into equal buckets with mean, min, max and count.',
      inputSchema: {
        datasource_id: datasourceId,
        value: z.string().min(1).describe('A numeric column'),
        asset: z.string().default('').describe('A value of the asset column; empty: all rows'),
        from: moment.describe('Inclusive: ISO 8601, epoch milliseconds or relative such as now-7d; empty: open'),
        to: moment.describe('Exclusive, in the same forms'),
        points: z.number().int().min(10).max(MOST_ROWS).default(200),
      },
      annotations: LOOKS,
    },
    ({ datasource_id: id, value, ...rest }) =>
      toolResult(call, { name: 'plot', scope: 'read' }, async () => {
        const series = await doors.reading.rows.plot(by, { datasourceId: asId(id), column: value, ...rest });
        return dataResult(plotView(series));
      }),
  );
}

function addAsk(server: McpServer, call: McpCall): void {
  server.registerTool(
    'ask',
    {
      title: 'Ask a question',
      description:
        'Answers a question about a datasource in words, with the figures, the query that gave them and a chart. Takes up to two minutes. ' +
        'Give datasource_id to begin a conversation, or conversation_id of an earlier answer to follow on it.',
      inputSchema: {
        question: z.string().trim().min(1).max(LONGEST_MESSAGE),
        datasource_id: datasourceId.optional(),
        conversation_id: anId.optional(),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ question, datasource_id: datasource, conversation_id: conversation }, extra) =>
      toolResult(call, { name: 'ask', scope: 'ask' }, () =>
        answerTo(call, { about: aboutWhat(datasource, conversation), message: question }, extra),
      ),
  );
}

function aboutWhat(datasource: string | undefined, conversation: string | undefined): AskedHere['about'] {
  if (conversation !== undefined) return { conversationId: asId<ConversationId>(conversation) };
  if (datasource !== undefined) return { datasourceId: asId<DatasourceId>(datasource) };
  throw new AppError('invalid_input', 'send a datasource_id or a conversation_id');
}

async function answerTo(call: McpCall, asked: AskedHere, extra: Extra): Promise<CallToolResult> {
  const { by, doors, gone } = call;
  const signal = AbortSignal.any([gone, extra.signal]);
  const { conversationId, answer } = await doors.assistant.ask(by, asked, signal, progressTeller(extra));
  const text = answerText(conversationId, answer);
  const image = answer.visualization === '' ? [] : await chartOf(call, answer.visualization);
  return { content: [{ type: 'text', text }, ...image], structuredContent: answerData(conversationId, answer) };
}

/** An answer does without a picture that can't be drawn now. */
async function chartOf({ by, doors }: McpCall, name: string): Promise<CallToolResult['content']> {
  try {
    const picture = await doors.images.picture(by.companyId, name);
    if (picture === null) return [];
    return [{ type: 'image', mimeType: 'image/png', data: (await buffer(picture.png)).toString('base64') }];
  } catch (error) {
    if (isAppError(error)) return [{ type: 'text', text: `The chart is missing: ${error.message}.` }];
    throw error;
  }
}

/** Tells a client that wants to know what is being done. */
function progressTeller({ _meta, sendNotification }: Extra): (step: AnswerStep) => void {
  const progressToken = _meta?.progressToken;
  let progress = 0;
  return (step) => {
    if (progressToken === undefined || step.kind !== 'status') return;
    progress += 1;
    const params = { progressToken, progress, message: step.text };
    // Who has gone away is told nothing; the answer ends by its own signal.
    void sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
