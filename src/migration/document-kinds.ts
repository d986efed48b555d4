import { AGENT_RUNS } from '../features/agent/run/run.schema.js';
import { AGENT_TASKS } from '../features/agent/tasks/task.schema.js';
import { ALERT_EVENTS, ALERTS } from '../features/alerts/alert.schema.js';
import { CONVERSATIONS } from '../features/assistant/conversations/conversation.schema.js';
import { MESSAGES } from '../features/assistant/history/message.schema.js';
import { API_KEYS } from '../features/api-keys/api-key.schema.js';
import { BOARD_FIGURES, BOARDS, SHARE_LINKS } from '../features/boards/board.schema.js';
import { SESSIONS } from '../features/auth/session.schema.js';
import { AUDIT_ENTRIES } from '../features/audit/audit-entry.schema.js';
import { INVITATIONS } from '../features/members/invitation.schema.js';
import { PEOPLE_TURNS } from '../features/members/people-turn.schema.js';
import { IDENTITIES, SIGN_IN_ATTEMPTS, SIGN_IN_PROVIDERS } from '../features/members/sign-in/sign-in.schema.js';
import { COMPANIES } from '../features/company/company.schema.js';
import { CONTEXT_FILES } from '../features/context-files/context-file.schema.js';
import { PASSAGE_BATCHES } from '../features/context-files/passages/passage-batch.schema.js';
import { ANNOTATIONS } from '../features/datasource/annotations/annotation.schema.js';
import { DATASOURCES } from '../features/datasource/datasource.schema.js';
import { EVALUATION_SCHEDULES, EVALUATIONS } from '../features/verified/evaluation/evaluation.schema.js';
import { GOLDEN_QUESTIONS } from '../features/verified/golden-question.schema.js';
import { RELATIONS } from '../features/datasource/relations/relation.schema.js';
import { SEMANTICS } from '../features/datasource/semantics/semantics.schema.js';
import { UPLOADS } from '../features/datasource/upload/upload.schema.js';
import { MODEL_USAGE } from '../features/models/model-usage.schema.js';
import { SETTINGS } from '../features/settings/settings.schema.js';
import { DELIVERIES } from '../features/deliveries/delivery.schema.js';
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
  PEOPLE_TURNS,
  SIGN_IN_PROVIDERS,
  SIGN_IN_ATTEMPTS,
  IDENTITIES,
  AUDIT_ENTRIES,
  API_KEYS,
  DATASOURCES,
  SEMANTICS,
  ANNOTATIONS,
  RELATIONS,
  GOLDEN_QUESTIONS,
  EVALUATIONS,
  EVALUATION_SCHEDULES,
  ROW_TABLES,
  ROW_BATCHES,
  UPLOADS,
  CONTEXT_FILES,
  PASSAGE_BATCHES,
  CONVERSATIONS,
  MESSAGES,
  BOARDS,
  BOARD_FIGURES,
  SHARE_LINKS,
  AGENT_TASKS,
  AGENT_RUNS,
  ALERTS,
  ALERT_EVENTS,
  DELIVERIES,
  MODEL_USAGE,
];

/** Kinds of earlier versions that nobody reads any more; they stay behind. */
export const FORGOTTEN_KINDS: readonly string[] = ['learned-profiles', 'passage-collections'];
