import { LONGEST_INTERVAL, THINKING_INTERVALS } from '../agent/agent.facade.js';
import { LONGEST_MESSAGE } from '../assistant/assistant.facade.js';
import type { AppConfig } from '../../config/app-config.js';
import { Envelope } from '../../http/envelope.wire.js';
import { MAX_FILE_BYTES, MAX_FILES, MAX_FILES_AT_ONCE } from '../context-files/context-files.facade.js';
import { DOCUMENT_TYPES } from '../../ports/document-reader.js';
import { MOST_ROWS, TAKEN } from '../datasource/datasource.facade.js';
import type { ModelInUse } from '../models/company-models.facade.js';

/** The largest and the longest that is taken. */
export class LimitsView {
  /** Bytes of one datasource file. */
  readonly upload_bytes!: number;
  readonly rows_per_insert!: number;
  /** Characters of one question. */
  readonly message_characters!: number;
  /** Bytes of one context file. */
  readonly context_file_bytes!: number;
  readonly context_files_per_request!: number;
  readonly context_files_per_company!: number;
  /** WebSockets a user may have open. */
  readonly sockets_per_user!: number;
  /** 0: no limit. */
  readonly requests_per_minute!: number;
  /** What the uploads and datasources of the company may take together; null: no limit. */
  readonly storage_bytes!: number | null;
  /** Minutes between two runs of a task; from 1 to the longest. */
  readonly longest_task_interval!: number;
  /** The only intervals of tasks that think. */
  readonly thinking_task_intervals!: number[];
}

/** What files may be. */
export class FormatsView {
  /** Endings of names. */
  readonly datasource_files!: string[];
  /** Media types; what a file is, its bytes tell. */
  readonly context_files!: string[];
}

/** Who answers the company's questions, by its settings. */
export class AssistantView {
  /** As answers name it. */
  readonly model!: string;
  /** It is the built-in analyst, which needs no endpoint and has no price. */
  readonly built_in!: boolean;
  /** The built-in analyst answers when the model is away. */
  readonly fallback!: boolean;
  /** Of answers; null: that of the question. */
  readonly language!: string | null;
  readonly answer_seconds!: number;
  readonly query_seconds!: number;
  /** Of one answer. */
  readonly tool_calls!: number;
  /** Null: no limit. */
  readonly tokens_per_day!: number | null;
  /** Of this day, UTC; null where there is no limit, since nobody counts then. */
  readonly tokens_used_today!: number | null;
}

export class CapabilitiesResponse extends Envelope {
  readonly limits!: LimitsView;
  readonly formats!: FormatsView;
  readonly assistant!: AssistantView;
  /** What keeps the rows, and the language of queries over them. */
  readonly row_engine!: string;
  /** Mail can be sent: a mail server is set up. */
  readonly mail!: boolean;
}

export function capabilitiesView(
  { limits, mail }: AppConfig,
  model: ModelInUse,
): Omit<CapabilitiesResponse, keyof Envelope> {
  return {
    limits: limitsView(limits),
    formats: { datasource_files: TAKEN.map((extension) => extension.slice(1)), context_files: [...DOCUMENT_TYPES] },
    assistant: assistantView(model, limits.queryTimeoutMs),
    row_engine: 'duckdb',
    mail: mail !== null,
  };
}

function limitsView(limits: AppConfig['limits']): LimitsView {
  return {
    upload_bytes: limits.uploadMaxBytes,
    rows_per_insert: MOST_ROWS,
    message_characters: LONGEST_MESSAGE,
    context_file_bytes: MAX_FILE_BYTES,
    context_files_per_request: MAX_FILES_AT_ONCE,
    context_files_per_company: MAX_FILES,
    sockets_per_user: limits.socketsPerUser,
    requests_per_minute: limits.requestsPerMinute,
    storage_bytes: Number.isFinite(limits.storageQuotaBytes) ? limits.storageQuotaBytes : null,
    longest_task_interval: LONGEST_INTERVAL,
    thinking_task_intervals: [...THINKING_INTERVALS],
  };
}

function assistantView({ name, isBuiltIn, settings, ...model }: ModelInUse, queryTimeoutMs: number): AssistantView {
  return {
    model: name,
    built_in: isBuiltIn,
    fallback: settings.fallback && !isBuiltIn,
    language: isBuiltIn ? null : settings.language,
    answer_seconds: model.answerMs / 1000,
    query_seconds: queryTimeoutMs / 1000,
    tool_calls: model.toolCalls,
    tokens_per_day: isBuiltIn ? null : settings.tokensPerDay,
    tokens_used_today: isBuiltIn ? null : model.tokensToday,
  };
}
