import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { TestClient } from './test-client.js';
import { folderOf, INSTANCES, shareRequests, surroundingsOf } from './way.js';

const ENTRY = 'dist/main.js';

export interface ServiceEnd {
  readonly code: number | null;
  readonly stderr: string;
  readonly stdout: string;
}

/** The built service as a process of its own, on a free port. */
export class ServiceProcess implements AsyncDisposable {
  /** Others that share the requests; what is done to the first is done to them. */
  private peers: readonly ServiceProcess[] = [];

  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
    private readonly ended: Promise<ServiceEnd>,
  ) {}

  /** Resolves when the service says that it is ready, in the way that the tests are run in. */
  static async start(environment: Variables): Promise<ServiceProcess> {
    const variables = await inThisWay(environment);
    const first = await ServiceProcess.alone(variables);
    const dataDir = environment['DATA_DIR'];
    if (dataDir === undefined) return first;
    for (let instance = 1; instance < INSTANCES; instance += 1) {
      const peer = await ServiceProcess.alone({ ...variables, DATA_DIR: folderOf(dataDir, instance) });
      first.peers = [...first.peers, peer];
    }
    shareRequests([first.url, ...first.peers.map(({ url }) => url)]);
    return first;
  }

  /** One process, told nothing besides. */
  static async alone(environment: Variables): Promise<ServiceProcess> {
    const { child, ended } = launch(environment);
    const url = await Promise.race([
      readyUrl(child),
      ended.then(({ code, stderr }) => Promise.reject(new Error(`the service ended with ${code}: ${stderr}`))),
    ]);
    return new ServiceProcess(child, url, ended);
  }

  /** For a service that can't start: how it ended. */
  static async startInVain(environment: Variables): Promise<ServiceEnd> {
    return launch(await inThisWay(environment)).ended;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** As a power switch would: nothing of it gets to say goodbye. */
  async kill(): Promise<void> {
    const peers = this.peers.map((peer) => peer.kill());
    this.child.kill('SIGKILL');
    await Promise.all([this.ended, ...peers]);
  }

  async stop(): Promise<ServiceEnd> {
    const peers = this.peers.map((peer) => peer.stop());
    this.child.kill('SIGTERM');
    await Promise.all(peers);
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.peers.map((peer) => peer[Symbol.asyncDispose]()));
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill();
  }
}

type Variables = Readonly<Record<string, string>>;

/** Of whoever is made at the first start. */
const ADMIN = { email: 'ada@example.com', password: 'a-long-password' };
/** What a service is told to have somebody who may come as often as they like. */
export const WITH_ADMIN: Variables = {
  BOOTSTRAP_EMAIL: ADMIN.email,
  BOOTSTRAP_PASSWORD: ADMIN.password,
  LOGIN_RATE_LIMIT: '0',
  RATE_LIMIT: '0',
};

export function signIn({ url }: ServiceProcess): Promise<TestClient> {
  return TestClient.signIn(url, ADMIN.email, ADMIN.password);
}

/** The data folder names the rest. */
async function inThisWay(environment: Variables): Promise<Variables> {
  const dataDir = environment['DATA_DIR'];
  return dataDir === undefined ? environment : { ...(await surroundingsOf(dataDir)), ...environment };
}

function launch(environment: Variables): { child: ChildProcess; ended: Promise<ServiceEnd> } {
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
