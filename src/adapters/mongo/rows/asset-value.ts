import { numberText } from './export-cells.js';
import type { MongoColumn, Stage } from './mongo-table.js';
import { double, whole } from './row-values.js';

/** A match of the rows of an asset, whose name is the text of its metadata value; null when no value has this text. */
export function assetMatch({ field, type }: Pick<MongoColumn, 'field' | 'type'>, asset: string): Stage | null {
  const value = valueOf(type, asset);
  return value === undefined ? null : { [field]: value };
}

function valueOf(type: MongoColumn['type'], asset: string): unknown {
  switch (type) {
    case 'text':
      return asset;
    case 'boolean':
      return asset === 'true' || asset === 'false' ? asset === 'true' : undefined;
    case 'integer':
      return wholeOf(asset);
    case 'number':
      // An asset has one name: 10 is not found as 10.0.
      return numberText(Number(asset)) === asset ? double(Number(asset)) : undefined;
    case 'time':
      return timeOf(asset);
  }
}

function wholeOf(asset: string): unknown {
  if (!/^-?\d{1,19}$/.test(asset)) return undefined;
  const number = BigInt(asset);
  return BigInt.asIntN(64, number) === number && String(number) === asset ? whole(number) : undefined;
}

/** As DuckDB writes it, whose import named the assets, or ISO 8601. */
function timeOf(asset: string): unknown {
  const [day, clock = '00:00:00'] = asset.replace(/Z$/, '').split(/[ T]/);
  const time = new Date(`${day ?? ''}T${clock}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
