import type { components } from '@data-analytics/client';

/** What the service answers with, by the names that its document gives them. */
export type Wire = components['schemas'];
export type Datasource = Wire['DatasourceView'];
export type Upload = Wire['UploadResponse'];
export type FetchPlace = Wire['FetchPlaceBody'];
export type Place = Wire['PlaceView'];
export type Fetch = Wire['FetchView'];
export type ColumnSummary = Wire['ColumnSummaryView'];
