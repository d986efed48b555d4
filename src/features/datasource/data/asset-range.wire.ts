import { OptionalText } from '../../../http/fields.js';

/** Which rows: of one asset, and of a range of time. */
export class AssetRange {
  /** A value of the metafield; empty: all rows. */
  @OptionalText(0, 1000)
  readonly asset?: string;

  /**
   * Inclusive. ISO 8601, epoch milliseconds, the datasource's own timeformat, relative (`now`, `now-1h`, `now-1d-2h`, `now-7d/d`: units s m h d w M y,
   * a final `/unit` rounds down, all in UTC), or empty: open.
   */
  @OptionalText(0, 100)
  readonly from?: string;

  /** Exclusive, in the same forms; a final `/unit` rounds down here too: `now-1d/d` to `now/d` is yesterday. Not before `from`. */
  @OptionalText(0, 100)
  readonly to?: string;
}
