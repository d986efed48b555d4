/** Hashes passwords slowly, away from the event loop. */
export abstract class PasswordHasher {
  abstract hash(password: string): Promise<string>;
  /** Takes the same time whether the hash is a user's or `null` (there is no such user; the answer is then false). */
  abstract verify(hash: string | null, password: string): Promise<boolean>;
}
