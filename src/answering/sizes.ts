/** Numbers without their signs, to be looked for within a distance. */
export class Sizes {
  private readonly values: number[] = [];
  private sorted: readonly number[] | null = null;

  add(values: readonly number[]): void {
    for (const value of values) if (Number.isFinite(value)) this.values.push(Math.abs(value));
    this.sorted = null;
  }

  hasNear(size: number, distance: number): boolean {
    this.sorted ??= this.values.toSorted((a, b) => a - b);
    const slack = distance + size * 1e-9;
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? 0) < size - slack) low = middle + 1;
      else high = middle;
    }
    return (this.sorted[low] ?? Infinity) <= size + slack;
  }
}
