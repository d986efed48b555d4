import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const DEBIAN = '/usr/lib/postgresql';

/** A PostgreSQL of its own in a folder that goes with it, as Debian ships it, with room for its log. */
export class BenchPostgres implements AsyncDisposable {
  private constructor(
    private readonly bin: string,
    private readonly folder: string,
  ) {}

  /** Null when none is installed. */
  static async start(): Promise<BenchPostgres | null> {
    const versions = existsSync(DEBIAN) ? await readdir(DEBIAN) : [];
    const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
    if (newest === undefined) return null;
    const folder = await mkdtemp(join(tmpdir(), 'bench-postgres-'));
    const server = new BenchPostgres(join(DEBIAN, newest, 'bin'), folder);
    if (process.getuid?.() === 0) await run('chown', ['postgres', folder]);
    await chmod(folder, 0o755);
    await server.command('initdb', '-D', join(folder, 'data'), '-A', 'trust', '-U', 'bench');
    const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c max_wal_size=4GB`;
    await server.command('pg_ctl', '-w', '-D', join(folder, 'data'), '-l', join(folder, 'log'), '-o', options, 'start');
    return server;
  }

  async sql(statement: string): Promise<void> {
    await this.command('psql', ...this.connection(), '-qc', statement);
  }

  /** Seconds of wall clock that `COPY` takes. */
  async copy(table: string, csv: string): Promise<number> {
    await using file = await open(csv);
    const begin = performance.now();
    const [name, args] = this.asOwner(
      'psql',
      ...this.connection(),
      '-qc',
      `COPY ${table} FROM STDIN (FORMAT csv, HEADER)`,
    );
    const child = spawn(name, args, { stdio: [file.fd, 'ignore', 'inherit'] });
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error('COPY failed');
    return (performance.now() - begin) / 1000;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.command('pg_ctl', '-w', '-D', join(this.folder, 'data'), '-m', 'immediate', 'stop');
    await rm(this.folder, { recursive: true, force: true });
  }

  private connection(): readonly string[] {
    return ['-h', this.folder, '-U', 'bench', '-d', 'postgres', '-v', 'ON_ERROR_STOP=1'];
  }

  private async command(name: string, ...args: readonly string[]): Promise<void> {
    await run(...this.asOwner(name, ...args));
  }

  /** PostgreSQL does not run as root. */
  private asOwner(name: string, ...args: readonly string[]): [string, string[]] {
    const path = join(this.bin, name);
    return process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', path, ...args]] : [path, [...args]];
  }
}
