/** Lets a number of works run at once; the others wait in the order in which they came. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  /** Resolves when it is one's turn, with what ends it. */
  async take(): Promise<() => void> {
    if (this.running >= this.atOnce) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.next();
    };
  }

  /** Hands the place on, or gives it back. */
  private next(): void {
    const first = this.waiting.shift();
    if (first) first();
    else this.running--;
  }
}
