import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

const MONGODB_TOOL = process.env['REAL_MONGODB'] ?? '../shared/tools/real-mongodb';

/** Whether servers of one's own can be started here; said aloud when not, and required where everything is. */
export const ownServers: boolean = findOut();

function findOut(): boolean {
  const missing = [...(hasRedis() ? [] : ['redis-server']), ...(existsSync(MONGODB_TOOL) ? [] : [MONGODB_TOOL])];
  if (missing.length === 0) return true;
  const sentence = `what stops and starts servers of its own needs ${missing.join(' and ')}`;
  if (process.env['TEST_REQUIRE_ALL'] === '1') throw new Error(`TEST_REQUIRE_ALL is set, but ${sentence}`);
  console.warn(`SKIPPED: ${sentence}`);
  return false;
}

function hasRedis(): boolean {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A Redis that a test may stop. It keeps nothing: started again it is empty. */
export class OwnRedis implements AsyncDisposable {
  private child: ChildProcess | null = null;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
  ) {}

  static async start(): Promise<OwnRedis> {
    const redis = new OwnRedis(await freePort(), await mkdtemp(join(tmpdir(), 'das-redis-')));
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const rules = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--dir', this.folder];
    this.child = spawn('redis-server', rules, { stdio: 'ignore' });
    await listening(this.port);
  }

  async stop(): Promise<void> {
    const child = this.child;
    this.child = null;
    if (child?.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** A MongoDB that a test may stop. What was acknowledged is there when it is started again. */
export class OwnMongo implements AsyncDisposable {
  private constructor(
    private readonly port: number,
    private readonly folder: string,
  ) {}

  static async start(): Promise<OwnMongo> {
    const mongo = new OwnMongo(await freePort(), await mkdtemp(join(tmpdir(), 'das-mongo-')));
    await mongo.start();
    return mongo;
  }

  uri(database: string): string {
    return `mongodb://127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    const starter = spawn('bash', [MONGODB_TOOL, 'start', String(this.port), this.folder], { stdio: 'ignore' });
    const [code] = (await once(starter, 'exit')) as [number | null];
    if (code !== 0) throw new Error(`${MONGODB_TOOL} ended with ${code}`);
  }

  async stop(): Promise<void> {
    const pid = Number(await readFile(join(this.folder, 'pid'), 'utf8'));
    process.kill(pid, 'SIGKILL');
    await eventually(
      () => isAlive(pid),
      (alive) => !alive,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop().catch(() => undefined);
    await rm(this.folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function listening(port: number): Promise<void> {
  await eventually(
    async () => {
      const socket = connect({ host: '127.0.0.1', port });
      try {
        await once(socket, 'connect');
        return true;
      } catch {
        return false;
      } finally {
        socket.destroy();
      }
    },
    (isThere) => isThere,
  );
}
