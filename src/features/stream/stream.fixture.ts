import type {
  AgentTaskEvent,
  ChatEvent,
  ChatHappening,
  ContextFileEvent,
  DatasourceEvent,
  SessionEndedEvent,
  SuggestionsEvent,
} from '../../ports/stream-event.js';
import { asId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import type { ListenerEnds } from './listener.js';
import type { Admission } from './upgrade-authenticator.js';

const id = (digit: string): never => asId<never>(digit.repeat(24));

/** Who is who in the stream's tests: ada and bob work together, eve works elsewhere. */
export const ADA: Principal = {
  ...{ userId: id('a'), companyId: id('1'), sessionId: id('5') },
  role: 'user',
  ...{ email: 'ada@acme.example', firstName: 'Ada', lastName: 'Adams' },
};
export const BOB: Principal = { ...ADA, userId: id('b'), sessionId: id('6'), email: 'bob@acme.example' };
export const EVE: Principal = { ...ADA, userId: id('e'), companyId: id('2'), sessionId: id('7') };

export const MESSAGE = asId<ChatEvent['messageId']>('c'.repeat(24));
export const CONVERSATION = asId<ChatEvent['conversationId']>('d'.repeat(24));
export const DATASOURCE = asId<DatasourceEvent['datasourceId']>('f'.repeat(24));
export const TASK = asId<AgentTaskEvent['taskId']>('3'.repeat(24));

const OF_COMPANY = { companyId: ADA.companyId, at: new Date('2026-01-02T03:04:05.678Z') };
const OF_ADA = { ...OF_COMPANY, userId: ADA.userId };

/** The `seq`th frame of ada's message; a chunk that says so, if nothing else happens. */
export function aChat(
  seq: number,
  happening: ChatHappening = { type: 'chat-chunk', chunk: `chunk ${seq} ` },
  subject: Partial<Omit<ChatEvent, keyof ChatHappening>> = {},
): ChatEvent {
  return { ...OF_ADA, conversationId: CONVERSATION, messageId: MESSAGE, seq, ...subject, ...happening };
}

/** An event about a datasource of ada's company. */
export function aDatasourceEvent(fields: Partial<DatasourceEvent> = {}): DatasourceEvent {
  const own = { ...OF_COMPANY, type: 'datasource-updated', datasourceId: DATASOURCE } as const;
  return { ...own, action: 'updated', percent: 100, rows: 10, docCount: 8, rejected: 2, message: '', ...fields };
}

/** A context file of ada's company can be used now. */
export const FILE_EVENT: ContextFileEvent = {
  ...OF_COMPANY,
  ...({ type: 'context-file-status', fileId: id('4'), filename: 'a.pdf', status: 'ready', reason: '' } as const),
};

/** A task of ada's company did something. */
export const TASK_EVENT: AgentTaskEvent = {
  ...OF_COMPANY,
  ...({ type: 'agent-task', taskId: TASK, runId: id('8'), action: 'started', status: 'running', step: null } as const),
};

/** Ada's conversation has new suggestions. */
export const SUGGESTIONS_EVENT: SuggestionsEvent = {
  ...OF_ADA,
  type: 'suggestions-updated',
  conversationId: CONVERSATION,
};

/** All of ada's sessions have ended. */
export const SESSIONS_END: SessionEndedEvent = { ...OF_ADA, type: 'session-ended', sessionId: null };

/** Ada, admitted to everything that concerns her. */
export function anAdmission(fields: Partial<Admission> = {}): Admission {
  return { principal: ADA, room: { kind: 'everything' }, follows: new Map(), ...fields };
}

/** Of a listener to whom nothing happened before. */
export const NOTHING_KEPT: ListenerEnds = { replay: () => Promise.resolve([]), lost: () => undefined };
