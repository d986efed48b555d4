import type { JsonObject, JsonValue } from '../../shared/json.js';

/** What a kind of chart adds to the frame that all have in common. */
export interface ChartDrawing {
  readonly values: readonly JsonObject[];
  readonly width: JsonValue;
  readonly height: JsonValue;
  /** Marks and encodings: of one view, or of layers. */
  readonly body: JsonObject;
  /** What a reader has to know: what was left out. */
  readonly notes: readonly string[];
}
