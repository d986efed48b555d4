import { Schema } from 'mongoose';
import {
  binKind,
  counts,
  LEASE_FIELDS,
  lists,
  MIXED,
  nullable,
  required,
  texts,
} from '../../ports/stored-kind.schema.js';
import { GRANULARITIES, SOURCE_TYPES, type Datasource } from './datasource.types.js';

const config = new Schema(
  {
    columns: { type: [[String]], required: true },
    values: { type: [String], required: true },
    changes: { type: [MIXED], default: [] },
    ...required({ isTimeseries: Boolean, timeField: String, metaField: String }),
    ...texts('timeFormat', 'context'),
    granularity: { type: String, enum: GRANULARITIES, default: '' },
    lifespan: { type: Number, min: 0, default: 0 },
  },
  { _id: false },
);

const importState = new Schema(
  {
    status: { type: String, enum: ['pending', 'running', 'ready', 'failed'], required: true },
    rejectedSample: { type: [MIXED], default: [] },
    ...counts('rows', 'rejected', 'attempts'),
    ...nullable({ added: Number, replaced: Number, percent: Number, error: String, startedAt: Date, finishedAt: Date }),
    bytes: { type: Number },
  },
  { _id: false },
);

export const DATASOURCES = binKind<Datasource>(
  'datasources',
  {
    ...required({ createdBy: String, name: String, filename: String, config, import: importState }),
    ...required({ updating: Boolean, createdAt: Date, updatedAt: Date }),
    type: { type: String, enum: SOURCE_TYPES, required: true },
    ...counts('fileBytes', 'docCount', 'generation', 'insertions'),
    ...lists({ sources: MIXED, loadedFiles: MIXED, assets: String, placeFiles: String, fetches: MIXED }),
    ...nullable({ append: MIXED, profile: MIXED, place: MIXED, fetchRhythm: MIXED, refetch: MIXED }),
    ...nullable({ insertingUntil: Date, nextFetchAt: Date, oldRowsUntil: Date }),
    placeVersion: { type: MIXED },
    ...LEASE_FIELDS,
  },
  [{ companyId: 1, createdAt: -1 }, { updating: 1 }, { insertingUntil: 1 }, { nextFetchAt: 1 }, { oldRowsUntil: 1 }],
);
