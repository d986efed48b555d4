import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const childAt = (name: string): string => fileURLToPath(new URL(`${name}.child.js`, import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Somebody who gives one command after another beside the running service, from a process of their own: the built ones, as `admin` or `migrate` does. */
export class Operator implements Disposable {
  private readonly child: ChildProcess;
  private last: Promise<unknown> = Promise.resolve();

  constructor(dataDir: string, command: 'operator' | 'migrator' = 'operator') {
    // Those of the tests' process are for the tests.
    const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
    this.child = fork(childAt(command), [], { env, execArgv: ['--no-warnings'] });
  }

  /** One command after the other, in the order in which they are given. */
  run(...args: readonly string[]): Promise<Ended> {
    const ended = this.last.then(() => this.send(args));
    this.last = ended.catch(() => undefined);
    return ended;
  }

  [Symbol.dispose](): void {
    if (this.child.connected) this.child.disconnect();
  }

  private async send(args: readonly string[]): Promise<Ended> {
    const gone = new AbortController();
    const died = (): void => {
      gone.abort(new Error('the process of the operator died'));
    };
    this.child.once('exit', died);
    try {
      const answer = once(this.child, 'message', { signal: gone.signal });
      this.child.send(args);
      return ((await answer) as [Ended])[0];
    } finally {
      this.child.off('exit', died);
    }
  }
}
