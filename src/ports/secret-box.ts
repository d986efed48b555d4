/** Keeps texts so that who reads the document store can't read them. */
export abstract class SecretBox {
  /**
   * The text, encrypted under the current key. `context` says whose it is: it opens for the same alone. Sealing the same text twice gives
   * two different results.
   */
  abstract seal(text: string, context: string): Promise<string>;

  /** @throws AppError `invalid_input` when it was altered, belongs to another context, or was sealed under a key that is not known any more. */
  abstract open(sealed: string, context: string): Promise<string>;

  /** How a text that was handed in is kept: `current`; `outdated`, under an earlier key; or `plain`, not by us at all. */
  abstract stateOf(text: string): Promise<'current' | 'outdated' | 'plain'>;
}
