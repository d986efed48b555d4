import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppConfig } from '../../config/app-config.js';
import { TokenSecret } from '../../ports/token-secret.js';

const PRINTABLE = /^[\x20-\x7e\r\n]*$/;
const MIN_BYTES = 32;

/**
 * The configuration's secret, or else a file in the data folder that only its owner may read. Two processes that start at once on one folder
 * agree on one secret.
 */
export class JwtSecretFile extends TokenSecret {
  private readonly path: string;

  constructor(private readonly config: Pick<AppConfig, 'auth' | 'storage'>) {
    super();
    this.path = join(config.storage.dataDir, 'jwt-secret');
  }

  override async read(): Promise<Buffer> {
    const { jwtSecret } = this.config.auth;
    if (jwtSecret !== null) return Buffer.from(jwtSecret, 'utf8');
    const secret = (await readFile(this.path).catch(unlessCode('ENOENT'))) ?? (await this.generate());
    if (secret.length < MIN_BYTES || !PRINTABLE.test(secret.toString('latin1'))) {
      throw new Error(`${this.path} is damaged: delete it to have a new secret made, which signs everybody out`);
    }
    return secret;
  }

  /** The file appears under its name at once and whole, or not because another process was first. */
  private async generate(): Promise<Buffer> {
    await mkdir(this.config.storage.dataDir, { recursive: true });
    const draft = `${this.path}.${randomUUID()}`;
    try {
      await writeFile(draft, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true });
      await link(draft, this.path).catch(unlessCode('EEXIST'));
    } finally {
      await rm(draft, { force: true });
    }
    return readFile(this.path);
  }
}

function unlessCode(code: string): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };
}
