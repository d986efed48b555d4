/** What every JSON response carries. */
export class Envelope {
  /** True when the request failed, or was done in part only. */
  readonly error!: boolean;
  /** A short status text, or what went wrong, in plain words. */
  readonly message!: string;
}
