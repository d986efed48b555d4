import { LEARNED_PROFILES } from '../adapters/openai/profile-memory.schema.js';
import { AGENT_RUNS } from '../features/agent/run/run.schema.js';
import { AGENT_TASKS } from '../features/agent/tasks/task.schema.js';
import { CONVERSATIONS } from '../features/assistant/conversations/conversation.schema.js';
import { MESSAGES } from '../features/assistant/history/message.schema.js';
import { API_KEYS } from '../features/api-keys/api-key.schema.js';
import { SESSIONS } from '../features/auth/session.schema.js';
import { AUDIT_ENTRIES } from '../features/audit/audit-entry.schema.js';
import { INVITATIONS } from '../features/members/invitation.schema.js';
import { COMPANIES } from '../features/company/company.schema.js';
import { CONTEXT_FILES } from '../features/context-files/context-file.schema.js';
import { PASSAGE_BATCHES } from '../features/context-files/passages/passage-batch.schema.js';
import { PASSAGE_COLLECTIONS } from '../features/context-files/passages/passage-collection.schema.js';
import { DATASOURCES } from '../features/datasource/datasource.schema.js';
import { EVALUATION_SCHEDULES, EVALUATIONS } from '../features/verified/evaluation/evaluation.schema.js';
import { GOLDEN_QUESTIONS } from '../features/verified/golden-question.schema.js';
import { SEMANTICS } from '../features/datasource/semantics/semantics.schema.js';
import { UPLOADS } from '../features/datasource/upload/upload.schema.js';
import { MODEL_USAGE } from '../features/models/model-usage.schema.js';
import { SETTINGS } from '../features/settings/settings.schema.js';
import { DELIVERIES } from '../features/settings/webhook/delivery.schema.js';
import { USERS } from '../features/users/user.schema.js';
import { ROW_BATCHES, ROW_TABLES } from '../rows/row-table.schema.js';
import type { CollectionDefinition, StoredDocument } from '../ports/document-store.js';

/** What every kind of document has in common is all that moving them needs. */
export type AnyKind = CollectionDefinition<StoredDocument>;

/** Every kind of document that the service keeps; companies first, by which an installation is known again. */
export const DOCUMENT_KINDS: readonly AnyKind[] = [
  COMPANIES,
  SETTINGS,
  USERS,
  SESSIONS,
  INVITATIONS,
  AUDIT_ENTRIES,
  API_KEYS,
  DATASOURCES,
  SEMANTICS,
  GOLDEN_QUESTIONS,
  EVALUATIONS,
  EVALUATION_SCHEDULES,
  ROW_TABLES,
  ROW_BATCHES,
  UPLOADS,
  CONTEXT_FILES,
  PASSAGE_COLLECTIONS,
  PASSAGE_BATCHES,
  CONVERSATIONS,
  MESSAGES,
  AGENT_TASKS,
  AGENT_RUNS,
  DELIVERIES,
  MODEL_USAGE,
  LEARNED_PROFILES,
];
