import { IsISO8601 } from 'class-validator';
import { answerOf, onWire } from '../../../http/envelope.wire.js';
import { IsIdentifier, TrimmedText } from '../../../http/fields.js';
import { instantFrom } from '../../../plan/instants.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { mayManage, type Principal } from '../../../shared/principal.js';
import type { Annotation } from './annotation.schema.js';
import type { AnnotationDraft } from './annotations.service.js';

export class AnnotationBody {
  @IsIdentifier() readonly datasource_id!: DatasourceId;
  /** ISO 8601; without an offset UTC. */
  @IsISO8601({ strict: true }) readonly from!: string;
  /** The same as `from`: a moment. */
  @IsISO8601({ strict: true }) readonly to!: string;
  @TrimmedText(1, 500) readonly text!: string;
}

export class AnnotationView {
  readonly id!: string;
  readonly from!: string;
  readonly to!: string;
  readonly text!: string;
  readonly created_at!: string;
  /** Whether the caller may remove it. */
  readonly removable!: boolean;
}

export class AnnotationsResponse extends answerOf({ annotations: [AnnotationView] }) {}
export class AnnotationResponse extends answerOf({ annotation: AnnotationView }) {}

/** @throws AppError `invalid_input` */
export function draftFrom({ datasource_id: datasourceId, from, to, text }: AnnotationBody): AnnotationDraft {
  return { datasourceId, from: instantFrom(from), to: instantFrom(to), text };
}

export function annotationView(annotation: Annotation, by: Principal): AnnotationView {
  return { ...onWire(annotation, 'id', 'from', 'to', 'text', 'createdAt'), removable: mayManage(by, annotation) };
}
