/** Of a million tokens each, in the currency of the operator. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Of input that the endpoint had read before; as other input when nothing is said. */
  readonly cached?: number;
}

/** By the model's name as its endpoint calls it; `*` stands for all that are not named. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

const MILLION = 1_000_000;

/** What so many tokens of a model cost; null when nobody has said its price. */
export function costOf(
  usage: { readonly input: number; readonly output: number; readonly cached: number },
  model: string,
  prices: ModelPrices,
): number | null {
  const price = priceOf(model, prices);
  if (price === null) return null;
  const { input, output, cached } = usage;
  const cost = (input - cached) * price.input + cached * (price.cached ?? price.input) + output * price.output;
  return cost / MILLION;
}

export function priceOf(model: string, prices: ModelPrices): ModelPrice | null {
  const named = [model, '*'].find((name) => Object.hasOwn(prices, name));
  return named === undefined ? null : (prices[named] ?? null);
}
