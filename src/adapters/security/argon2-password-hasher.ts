import { hash, verify } from '@node-rs/argon2';
import { PasswordHasher } from '../../ports/password-hasher.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';

/** The least that OWASP advises for argon2id (which is the library's default): 19 MiB, two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A hash of nobody's password, at the same cost. */
const NOBODYS = '$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
/** Each takes a core for tens of milliseconds; more at once would only make all of them, and everything else, slower. */
const AT_ONCE = 2;
const MAX_WAITING = 200;

/** argon2id on threads of their own, two at a time. */
export class Argon2PasswordHasher extends PasswordHasher {
  readonly #places = new KeyedSemaphore(AT_ONCE, MAX_WAITING, 'unavailable');

  /** `check` costs what the hash that it is given says. */
  constructor(private readonly check: (hash: string, password: string) => Promise<boolean> = verify) {
    super();
  }

  override hash(password: string): Promise<string> {
    return this.#places.run('', () => hash(password, COST));
  }

  override async verify(stored: string | null, password: string): Promise<boolean> {
    const fits = await this.#places.run('', () => this.check(stored ?? NOBODYS, password));
    return fits && stored !== null;
  }
}
