import { Schema } from 'mongoose';
import { BIN_FIELDS } from '../../ports/bin-repository.js';
import type { CollectionDefinition } from '../../ports/document-store.js';
import { GRANULARITIES, type Datasource } from './datasource.types.js';

const config = new Schema(
  {
    columns: { type: [[String]], required: true },
    changes: { type: [Schema.Types.Mixed], default: [] },
    isTimeseries: { type: Boolean, required: true },
    timeField: { type: String, required: true },
    metaField: { type: String, required: true },
    values: { type: [String], required: true },
    timeFormat: { type: String, default: '' },
    granularity: { type: String, enum: GRANULARITIES, default: '' },
    lifespan: { type: Number, min: 0, default: 0 },
    context: { type: String, default: '' },
  },
  { _id: false },
);

const importState = new Schema(
  {
    status: { type: String, enum: ['pending', 'running', 'ready', 'failed'], required: true },
    rows: { type: Number, default: 0 },
    rejected: { type: Number, default: 0 },
    added: { type: Number, default: null },
    replaced: { type: Number, default: null },
    rejectedSample: { type: [Schema.Types.Mixed], default: [] },
    percent: { type: Number, default: null },
    error: { type: String, default: null },
    startedAt: { type: Date, default: null },
    finishedAt: { type: Date, default: null },
    bytes: { type: Number },
    attempts: { type: Number, default: 0 },
  },
  { _id: false },
);

const schema = new Schema(
  {
    companyId: { type: String, required: true },
    createdBy: { type: String, required: true },
    name: { type: String, required: true },
    type: { type: String, enum: ['csv'], required: true },
    filename: { type: String, required: true },
    fileBytes: { type: Number, default: 0 },
    sources: { type: [Schema.Types.Mixed], default: [] },
    loadedFiles: { type: [Schema.Types.Mixed], default: [] },
    config: { type: config, required: true },
    assets: { type: [String], default: [] },
    docCount: { type: Number, default: 0 },
    updating: { type: Boolean, required: true },
    generation: { type: Number, default: 0 },
    import: { type: importState, required: true },
    append: { type: Schema.Types.Mixed, default: null },
    profile: { type: Schema.Types.Mixed, default: null },
    insertions: { type: Number, default: 0 },
    insertingUntil: { type: Date, default: null },
    place: { type: Schema.Types.Mixed, default: null },
    placeVersion: { type: Schema.Types.Mixed },
    placeFiles: { type: [String], default: [] },
    fetchRhythm: { type: Schema.Types.Mixed, default: null },
    nextFetchAt: { type: Date, default: null },
    refetch: { type: Schema.Types.Mixed, default: null },
    fetches: { type: [Schema.Types.Mixed], default: [] },
    oldRowsUntil: { type: Date, default: null },
    leaseOwner: { type: String, default: null },
    leaseUntil: { type: Date, default: null },
    ...BIN_FIELDS,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { minimize: false },
);
schema.index({ companyId: 1, createdAt: -1 });
schema.index({ updating: 1 });
schema.index({ insertingUntil: 1 });
schema.index({ nextFetchAt: 1 });
schema.index({ oldRowsUntil: 1 });
schema.index({ restorableUntil: 1, deletedAt: 1 });
schema.index({ companyId: 1, restorableUntil: 1 });

export const DATASOURCES: CollectionDefinition<Datasource> = { name: 'datasources', schema };
