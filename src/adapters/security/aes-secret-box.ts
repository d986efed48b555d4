import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { AppConfig } from '../../config/app-config.js';
import { SecretBox } from '../../ports/secret-box.js';
import type { TokenSecret } from '../../ports/token-secret.js';
import { AppError } from '../../shared/app-error.js';
import { madeOnce } from '../../shared/made-once.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** `sealed:v1:<id of the key>:<base64url of initialisation vector, tag and text>` */
const FORM = /^sealed:v1:([0-9a-f]{16}):([\w-]+)$/;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * AES-256-GCM under a key derived from `SETTINGS_KEY`, or else from the token secret. What was sealed under `SETTINGS_KEY_PREVIOUS` or the token
 * secret still opens, so that a key can be introduced and replaced.
 */
export class AesSecretBox extends SecretBox {
  /** The first seals; all of them open. */
  private readonly keys = madeOnce(() => this.derived());

  constructor(
    private readonly settings: AppConfig['settings'],
    private readonly tokens: TokenSecret,
  ) {
    super();
  }

  override async seal(text: string, context: string): Promise<string> {
    const [{ id, bytes }] = await this.keys();
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, bytes, iv).setAAD(Buffer.from(context, 'utf8'));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `sealed:v1:${id}:${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
  }

  override async open(sealed: string, context: string): Promise<string> {
    const [, id, text] = FORM.exec(sealed) ?? [];
    if (id === undefined || text === undefined) throw unreadable();
    const key = (await this.keys()).find((known) => known.id === id);
    if (key === undefined) throw unreadable();
    try {
      return decrypted(key, Buffer.from(text, 'base64url'), context);
    } catch (error) {
      throw unreadable(error);
    }
  }

  override async stateOf(text: string): Promise<'current' | 'outdated' | 'plain'> {
    const [, id] = FORM.exec(text) ?? [];
    if (id === undefined) return 'plain';
    const [current] = await this.keys();
    return current.id === id ? 'current' : 'outdated';
  }

  private async derived(): Promise<readonly [Key, ...Key[]]> {
    const { key, previousKey } = this.settings;
    const ofTokens = keyFrom(await this.tokens.read());
    const previous = previousKey === null ? [] : [keyFrom(previousKey)];
    return [key === null ? ofTokens : keyFrom(key), ...previous, ofTokens];
  }
}

/** A key of its own: who has it can't sign tokens, and the other way round. */
function keyFrom(secret: Buffer | string): Key {
  const derive = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `data-analytics-service ${purpose}`, length));
  return { id: derive('settings key id', 8).toString('hex'), bytes: derive('settings key', 32) };
}

function decrypted(key: Key, sealed: Buffer, context: string): string {
  const [iv, tag] = [sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  const decipher = createDecipheriv(ALGORITHM, key.bytes, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context, 'utf8')).setAuthTag(tag);
  return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

function unreadable(cause?: unknown): AppError {
  return new AppError('invalid_input', "the stored secret can't be read any more: set it again", { cause });
}
