/** Runs works of the same key one after the other, in the order in which they came; works of other keys do not wait. */
export class KeyedQueue {
  private readonly last = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    let end = (): void => undefined;
    const mine = new Promise<void>((resolve) => (end = resolve));
    this.last.set(key, mine);
    try {
      await before;
      return await work();
    } finally {
      end();
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }
}
