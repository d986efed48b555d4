import { Schema } from 'mongoose';
import type { CollectionDefinition } from '../../../ports/document-store.js';
import { RUN_STATUSES, RUN_TRIGGERS, type AgentRun } from './run.types.js';

const figure = new Schema(
  {
    key: { type: String, default: '' },
    label: { type: String, default: '' },
    value: { type: Number, required: true },
  },
  { _id: false },
);

const schema = new Schema(
  {
    companyId: { type: String, required: true },
    taskId: { type: String, required: true },
    trigger: { type: String, enum: RUN_TRIGGERS, required: true },
    status: { type: String, enum: RUN_STATUSES, required: true },
    plannedAt: { type: Date, default: null },
    reason: { type: String, default: null },
    attempts: { type: Number, default: 0 },
    // Made by us alone, and written whole with each step: checking every one each time would cost their square.
    steps: { type: [Schema.Types.Mixed], default: [] },
    answer: { type: String, default: '' },
    error: { type: String, default: null },
    figures: { type: [figure], default: [] },
    versions: { type: Schema.Types.Mixed, default: {} },
    unannounced: { type: Boolean, default: false },
    startedAt: { type: Date, required: true },
    finishedAt: { type: Date, default: null },
  },
  { minimize: false },
);
schema.index({ companyId: 1, taskId: 1, _id: -1 });
schema.index({ companyId: 1, taskId: 1, status: 1, _id: -1 });
schema.index({ companyId: 1, taskId: 1, plannedAt: 1 });
schema.index({ unannounced: 1 });

export const AGENT_RUNS: CollectionDefinition<AgentRun> = { name: 'agent-runs', schema };
