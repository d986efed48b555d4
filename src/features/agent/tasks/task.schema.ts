import { Schema } from 'mongoose';
import { TASK_MODES } from '../../../answering/tasks/task-assignment.js';
import { BIN_FIELDS } from '../../../ports/bin-repository.js';
import type { CollectionDefinition } from '../../../ports/document-store.js';
import { RUN_TRIGGERS } from '../run/run.types.js';
import { TASK_STATUSES, type AgentTask } from './task.types.js';

const seed = new Schema(
  {
    runId: { type: String, required: true },
    trigger: { type: String, enum: RUN_TRIGGERS, required: true },
    plannedAt: { type: Date, default: null },
    startedAt: { type: Date, required: true },
    reason: { type: String, default: null },
  },
  { _id: false },
);

const schema = new Schema(
  {
    companyId: { type: String, required: true },
    createdBy: { type: String, required: true },
    name: { type: String, required: true },
    prompt: { type: String, required: true },
    datasources: { type: [String], required: true },
    datasourceNames: { type: [String], default: [] },
    mode: { type: String, enum: TASK_MODES, required: true },
    thinking: { type: Boolean, required: true },
    status: { type: String, enum: TASK_STATUSES, required: true },
    runId: { type: String, default: null },
    seed: { type: seed, default: null },
    lastRunAt: { type: Date, default: null },
    leaseOwner: { type: String, default: null },
    leaseUntil: { type: Date, default: null },
    automationEnabled: { type: Boolean, required: true },
    automationInterval: { type: Number, required: true },
    automationAt: { type: Schema.Types.Mixed, default: null },
    notifyEmails: { type: [Schema.Types.Mixed], default: [] },
    condition: { type: Schema.Types.Mixed, required: true },
    nextRunAt: { type: Date, default: null },
    scheduledAt: { type: Date, default: null },
    scheduleNote: { type: String, default: null },
    failuresInARow: { type: Number, default: 0 },
    skip: { type: seed, default: null },
    skippedAt: { type: Date, default: null },
    ...BIN_FIELDS,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { minimize: false },
);
schema.index({ companyId: 1, createdAt: -1 });
schema.index({ status: 1 });
schema.index({ nextRunAt: 1 });
schema.index({ scheduledAt: 1 });
schema.index({ skippedAt: 1 });
schema.index({ restorableUntil: 1, deletedAt: 1 });
schema.index({ companyId: 1, restorableUntil: 1 });

export const AGENT_TASKS: CollectionDefinition<AgentTask> = { name: 'agent-tasks', schema };
