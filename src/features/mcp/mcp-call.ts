import { ErrorCode, McpError, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { scopeMissing } from '../../http/access.js';
import { failureOf } from '../../http/failure.js';
import { hasScope, type Scope } from '../../shared/principal.js';
import type { McpCall } from './mcp-doors.js';

/** Of the protocol; the package has no name for it. */
const RESOURCE_NOT_FOUND = -32002;

/** What is used, and the scope that an API key needs for it. */
export interface McpUse {
  readonly name: string;
  readonly scope: Scope;
}

/** As text for the model, and as data for the program. */
export function dataResult(data: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
}

/** What came of a tool: its result, or the sentence that the API answers with. Written down like a request. */
export async function toolResult(
  call: McpCall,
  use: McpUse,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await told(call, use, work);
  } catch (error) {
    return { content: [{ type: 'text', text: sentenceOf(error) }], isError: true };
  }
}

/** What came of reading a resource, which has no other way to fail than an error of the protocol. */
export async function resourceResult<T>(call: McpCall, use: McpUse, work: () => Promise<T>): Promise<T> {
  try {
    return await told(call, use, work);
  } catch (error) {
    const isMissing = failureOf(error).status === 404;
    throw new McpError(isMissing ? RESOURCE_NOT_FOUND : ErrorCode.InternalError, sentenceOf(error));
  }
}

async function told<T>({ by, doors: { log } }: McpCall, { name, scope }: McpUse, work: () => Promise<T>): Promise<T> {
  const line = { use: name, user: by.userId, key: by.key?.id };
  try {
    if (!hasScope(by, scope)) throw scopeMissing([scope]);
    const result = await work();
    log.info('mcp', { ...line, status: 200 });
    return result;
  } catch (error) {
    const { status, message } = failureOf(error);
    log.info('mcp', { ...line, status });
    if (status >= 500) log.error(message, { ...line, err: error });
    throw error;
  }
}

function sentenceOf(error: unknown): string {
  const { message, retryAfter } = failureOf(error);
  return retryAfter === null ? message : `${message} (try again in ${Math.ceil(retryAfter)} s)`;
}
