/** Knows the secret that tokens are signed with. */
export abstract class TokenSecret {
  /** The same bytes at every call, at least 32, in every process that works on the same data. */
  abstract read(): Promise<Buffer>;
}
