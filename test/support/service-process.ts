import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';

const ENTRY = 'dist/main.js';

export interface ServiceEnd {
  readonly code: number | null;
  readonly stderr: string;
  readonly stdout: string;
}

/** The built service as a process of its own, on a free port. */
export class ServiceProcess implements AsyncDisposable {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly ended: Promise<ServiceEnd>,
  ) {}

  /** Resolves when the service says that it is ready. */
  static async start(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const { child, ended } = launch(environment);
    const url = await Promise.race([
      readyUrl(child),
      ended.then(({ code, stderr }) => Promise.reject(new Error(`the service ended with ${code}: ${stderr}`))),
    ]);
    return new ServiceProcess(child, url, ended);
  }

  /** For a service that can't start: how it ended. */
  static async startInVain(environment: Readonly<Record<string, string>>): Promise<ServiceEnd> {
    return launch(environment).ended;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** As a power switch would: nothing of it gets to say goodbye. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<ServiceEnd> {
    this.child.kill('SIGTERM');
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill();
  }
}

function launch(environment: Readonly<Record<string, string>>): { child: ChildProcess; ended: Promise<ServiceEnd> } {
  if (!existsSync(ENTRY)) throw new Error(`${ENTRY} is not there: run "npm run build" first`);
  const child = spawn(process.execPath, ['--enable-source-maps', ENTRY], {
    env: { PATH: process.env['PATH'], PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  let stdout = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
  const ended = new Promise<ServiceEnd>((resolve) => {
    child.once('close', (code) => {
      resolve({ code, stderr, stdout });
    });
  });
  return { child, ended };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entry = line.startsWith('{') ? (JSON.parse(line) as { msg?: string; url?: string }) : {};
      if (entry.msg === 'ready' && entry.url !== undefined) resolve(entry.url.replace('[::1]', '127.0.0.1'));
    });
  });
}
