import type { TenantDocument } from '../../../ports/document-store.js';
import { MIXED, nullable, required, tenantKind } from '../../../ports/stored-kind.schema.js';
import type { JoinMeasure } from '../../../ports/row-reader.js';
import type { DatasourceId, RelationId, UserId } from '../../../shared/ids.js';

export const RELATION_STATES = ['proposed', 'confirmed', 'dismissed'] as const;
export type RelationState = (typeof RELATION_STATES)[number];

/** Which rows of two datasources belong together: those whose columns are equal, pair by pair. Only a confirmed one is joined along. */
export interface Relation extends TenantDocument {
  /** Follows from the datasources and the columns, so that the same relation is there once. */
  readonly id: RelationId;
  /** The datasource with the lower id. */
  readonly leftId: DatasourceId;
  readonly rightId: DatasourceId;
  readonly on: readonly { readonly left: string; readonly right: string }[];
  /** On the rows as they were. */
  readonly measure: JoinMeasure;
  readonly measuredAt: Date;
  readonly state: RelationState;
  readonly proposedBy: UserId;
  /** Who has confirmed or dismissed it. */
  readonly decidedBy: UserId | null;
  readonly decidedAt: Date | null;
  readonly createdAt: Date;
}

export const RELATIONS = tenantKind<Relation>(
  'datasource-relations',
  {
    ...required({ leftId: String, rightId: String, on: MIXED, measure: MIXED, measuredAt: Date }),
    ...required({ proposedBy: String, createdAt: Date }),
    state: { type: String, enum: RELATION_STATES, required: true },
    ...nullable({ decidedBy: String, decidedAt: Date }),
  },
  [
    { companyId: 1, leftId: 1 },
    { companyId: 1, rightId: 1 },
  ],
);

/** How many rows of the first and of the second can have the same key. */
type Cardinality = 'one-one' | 'one-many' | 'many-one' | 'many-many';

export function cardinalityOf({ left, right }: Pick<JoinMeasure, 'left' | 'right'>): Cardinality {
  const [isOne, hasOne] = [left.most <= 1, right.most <= 1];
  if (isOne) return hasOne ? 'one-one' : 'one-many';
  return hasOne ? 'many-one' : 'many-many';
}

/** Of the keys of the side that has fewer, how many percent the other has, too. */
export function overlapOf({ left, right, shared }: JoinMeasure): number {
  const fewer = Math.min(left.distinct, right.distinct);
  return fewer === 0 ? 0 : Math.round((1000 * shared) / fewer) / 10;
}
