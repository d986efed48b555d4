import { ArrayMaxSize, ArrayMinSize, IsArray } from 'class-validator';
import { answerOf, onWire } from '../../../http/envelope.wire.js';
import { IsIdentifier, OptionalParts, Text } from '../../../http/fields.js';
import type { JoinSide } from '../../../ports/row-reader.js';
import type { DatasourceId, RelationId } from '../../../shared/ids.js';
import { cardinalityOf, overlapOf } from './relation.schema.js';
import type { NamedRelation, ProposalRequest } from './relations.service.js';

export class ColumnPairBody {
  /** Of the first datasource. */
  @Text(1, 1000) readonly first!: string;
  /** Of the second datasource. */
  @Text(1, 1000) readonly second!: string;
}

export class ProposeRelationsBody {
  /** The two datasources. */
  @IsArray()
  @ArrayMinSize(2)
  @ArrayMaxSize(2)
  @IsIdentifier({ each: true, message: 'datasource_ids must be valid identifiers' })
  readonly datasource_ids!: [DatasourceId, DatasourceId];

  /** Columns that are to be equal, all of these pairs together. Without them, likely ones are found by names and values. */
  @ArrayMinSize(1) @OptionalParts(5, () => ColumnPairBody) readonly columns?: ColumnPairBody[];
}

export class RelationIdBody {
  @IsIdentifier() readonly id!: RelationId;
}

export class RelatedSideView {
  readonly datasource_id!: string;
  readonly datasource_name!: string;
  /** Of the datasource, one of each pair. */
  readonly columns!: string[];
  readonly rows!: number;
  /** Different values of its columns, together; a row in which one is empty counts for none. */
  readonly distinct!: number;
  /** Rows of the value that most rows have: 1 means that each row is found by it. */
  readonly most!: number;
  /** Rows that have a partner on the other side. */
  readonly paired!: number;
}

export class RelationView {
  readonly id!: string;
  readonly left!: RelatedSideView;
  readonly right!: RelatedSideView;
  /** one-one, one-many, many-one or many-many: how many rows of `left` and of `right` can have the same value. */
  readonly cardinality!: string;
  /** Of the values of the side that has fewer, how many percent the other has, too. */
  readonly overlap!: number;
  /** Some values that both have. */
  readonly examples!: string[];
  /** Some values of `left` that `right` lacks. */
  readonly missing!: string[];
  /** proposed, confirmed or dismissed. */
  readonly state!: string;
  /** The user who has confirmed or dismissed it. */
  readonly decided_by!: string | null;
  readonly decided_at!: string | null;
  readonly measured_at!: string;
  /** Whether the caller may confirm, dismiss or delete it. */
  readonly decidable!: boolean;
}

export class RelationsResponse extends answerOf({ relations: [RelationView], total: Number }) {}
export class RelationResponse extends answerOf({ relation: RelationView }) {}

export function proposalFrom({ datasource_ids: [first, second], columns }: ProposeRelationsBody): ProposalRequest {
  return { first, second, on: columns?.map((pair) => [pair.first, pair.second] as const) ?? null };
}

export function relationView({ relation, leftName, rightName, decidable }: NamedRelation): RelationView {
  const { leftId, rightId, on, measure } = relation;
  return {
    ...onWire(relation, 'id', 'state', 'decidedBy', 'decidedAt', 'measuredAt'),
    ...onWire(measure, 'examples', 'missing'),
    left: { ...sideView(leftId, leftName, measure.left), columns: on.map(({ left }) => left) },
    right: { ...sideView(rightId, rightName, measure.right), columns: on.map(({ right }) => right) },
    cardinality: cardinalityOf(measure),
    overlap: overlapOf(measure),
    decidable,
  };
}

function sideView(id: string, name: string, side: JoinSide): Omit<RelatedSideView, 'columns'> {
  return { datasource_id: id, datasource_name: name, ...onWire(side, 'rows', 'distinct', 'most', 'paired') };
}
