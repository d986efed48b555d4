import { AppError } from './app-error.js';

const CUT_SHORT =
  'the query was stopped before its time: others were waiting, and your company had more queries running than they';

export interface FairRules {
  /** How many run at once. One of four is kept for keys that have none running. */
  readonly atOnce: number;
  /** Of one key. */
  readonly mostWaiting?: number;
  /** Who runs longer than this is cut while a key has waited as long that would still have less; absent: nobody is. */
  readonly graceMs?: number;
}

/** Somebody's turn, until it is disposed of. */
export interface Turn extends Disposable {
  /** Aborts when others have waited too long behind it. The turn's work has to end then; the reason is what its asker is told. */
  readonly cut: AbortSignal;
}

interface RunningTurn {
  readonly key: string;
  readonly since: number;
  readonly cut: AbortController;
}

interface WaitingTurn {
  readonly since: number;
  readonly go: (turn: Turn) => void;
  readonly fail: (error: AppError) => void;
}

/**
 * Lets so many works run at once and the others wait. A place that is free goes to the key that has the fewest running, among equals to the
 * one that has waited longest since its last turn, and within a key to who came first. So no key can fill the places, and keys that ask
 * without end share them equally.
 */
export class FairTurns {
  private readonly running = new Set<RunningTurn>();
  /** Who has waited longest since its last turn comes first. */
  private readonly waiting = new Map<string, readonly WaitingTurn[]>();
  private readonly kept: number;
  private look: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly rules: FairRules) {
    this.kept = rules.atOnce > 1 ? Math.ceil(rules.atOnce / 4) : 0;
  }

  /** @throws AppError `unavailable` when too many of the key wait already, or the turn does not come in time. */
  async take(key: string, withinMs?: number): Promise<Turn> {
    if (this.closed) throw busy();
    const ahead = this.waiting.get(key)?.length ?? 0;
    if (ahead === 0 && this.mayBegin(key)) return this.begin(key);
    if (ahead >= (this.rules.mostWaiting ?? Infinity)) throw busy();
    return this.wait(key, withinMs);
  }

  /** Nobody gets a turn any more. */
  close(): void {
    this.closed = true;
    clearTimeout(this.look);
    const all = [...this.waiting.values()].flat();
    this.waiting.clear();
    for (const { fail } of all) fail(busy());
  }

  private async wait(key: string, withinMs: number | undefined): Promise<Turn> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((go, fail) => {
        const entry: WaitingTurn = { since: performance.now(), go, fail };
        const leave = (): void => {
          this.replaceLine(key, (line) => line.filter((other) => other !== entry));
          fail(busy());
        };
        if (withinMs !== undefined) timer = setTimeout(leave, withinMs);
        this.replaceLine(key, (line) => [...line, entry]);
        this.cutWhoIsLong();
      });
    } finally {
      clearTimeout(timer);
    }
  }

  private begin(key: string): Turn {
    const running: RunningTurn = { key, since: performance.now(), cut: new AbortController() };
    this.running.add(running);
    return {
      cut: running.cut.signal,
      [Symbol.dispose]: () => {
        if (this.running.delete(running)) this.handOn();
      },
    };
  }

  private handOn(): void {
    for (let key = this.next(); key !== null; key = this.next()) {
      const [first, ...others] = this.waiting.get(key) ?? [];
      // Put last: among keys with as many running it comes after the others.
      this.waiting.delete(key);
      this.replaceLine(key, () => others);
      first?.go(this.begin(key));
    }
    this.cutWhoIsLong();
  }

  private next(): string | null {
    const able = [...this.waiting.keys()].filter((key) => this.mayBegin(key));
    return able.toSorted((one, other) => this.runningOf(one) - this.runningOf(other))[0] ?? null;
  }

  private mayBegin(key: string): boolean {
    return this.running.size < this.rules.atOnce - (this.runningOf(key) === 0 ? 0 : this.kept);
  }

  private runningOf(key: string): number {
    return [...this.running].filter((turn) => turn.key === key).length;
  }

  /** Now, or when it is time. One at a time: who is cut makes room when it has ended. */
  private cutWhoIsLong(): void {
    clearTimeout(this.look);
    const { graceMs } = this.rules;
    const found = this.overdue();
    if (graceMs === undefined || found === null) return;
    const { turn, since } = found;
    const left = Math.max(turn.since, since) + graceMs - performance.now();
    if (left > 0)
      this.look = setTimeout(() => {
        this.cutWhoIsLong();
      }, left);
    else turn.cut.abort(new AppError('timed_out', CUT_SHORT, { retryAfter: 2 }));
  }

  /** The longest turn of the key that has most, and since when a key waits that would have no more than it with one more. */
  private overdue(): { readonly turn: RunningTurn; readonly since: number } | null {
    const turns = [...this.running];
    if (turns.some(({ cut }) => cut.signal.aborted)) return null;
    const [turn] = turns.toSorted((one, other) => this.runningOf(other.key) - this.runningOf(one.key));
    if (turn === undefined) return null;
    const most = this.runningOf(turn.key);
    const behind = [...this.waiting].filter(([key]) => this.runningOf(key) + 2 <= most);
    const since = Math.min(...behind.flatMap(([, line]) => line.map((entry) => entry.since)));
    return behind.length === 0 ? null : { turn, since };
  }

  private replaceLine(key: string, change: (line: readonly WaitingTurn[]) => readonly WaitingTurn[]): void {
    const line = change(this.waiting.get(key) ?? []);
    if (line.length > 0) this.waiting.set(key, line);
    else this.waiting.delete(key);
  }
}

function busy(): AppError {
  return new AppError('unavailable', 'too many queries are running; try again in a moment', { retryAfter: 2 });
}
