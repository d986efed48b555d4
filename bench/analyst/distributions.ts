/**
 * Tails of the distributions that tests refer to, by integrating the densities numerically: slow and plain, and not the way in which the
 * service does it.
 */

/** Of the logarithm of the gamma function, by Stirling's series from 20 on. */
export function logGamma(x: number): number {
  let [shift, at] = [0, x];
  for (; at < 20; at += 1) shift += Math.log(at);
  const series = 1 / (12 * at) - 1 / (360 * at ** 3) + 1 / (1260 * at ** 5);
  return (at - 0.5) * Math.log(at) - at + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

/** The integral by Simpson's rule. */
function integral(density: (x: number) => number, from: number, to: number, steps = 20_000): number {
  const width = (to - from) / steps;
  let sum = density(from) + density(to);
  for (let step = 1; step < steps; step += 1) sum += density(from + step * width) * (step % 2 === 1 ? 4 : 2);
  return (sum * width) / 3;
}

/** Beyond |t| on both sides. With t = tan(u)·√df the tail is finite. */
export function studentTails(t: number, df: number): number {
  const scale = (2 * Math.exp(logGamma((df + 1) / 2) - logGamma(df / 2))) / Math.sqrt(Math.PI);
  const from = Math.atan(Math.abs(t) / Math.sqrt(df));
  return scale * integral((u) => Math.max(0, Math.cos(u)) ** (df - 1), from, Math.PI / 2);
}

export function normalTails(z: number): number {
  const from = Math.abs(z);
  return 2 * integral((x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI), from, from + 12);
}

/** Above f, as the lower part of a beta distribution, in which u = sin²(v). */
export function fisherTail(f: number, between: number, within: number): number {
  const [a, b] = [within / 2, between / 2];
  const to = Math.asin(Math.sqrt(within / (within + between * f)));
  const scale = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b));
  return 2 * scale * integral((v) => Math.sin(v) ** (2 * a - 1) * Math.cos(v) ** (2 * b - 1), 0, to);
}

/** Above x. With y = √x the density has no pole. */
export function chiSquareTail(x: number, df: number): number {
  const scale = Math.exp(-logGamma(df / 2) - (df / 2) * Math.log(2));
  const from = Math.sqrt(x);
  return integral((y) => 2 * scale * y ** (df - 1) * Math.exp((-y * y) / 2), from, from + 40);
}
