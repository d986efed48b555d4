/** What every JSON response carries. */
export class Envelope {
  /** True when the request failed, or was done in part only. */
  readonly error!: boolean;
  /** A short status text, or what went wrong, in plain words. */
  readonly message!: string;
}

/** What is wrong with one field of a request. */
export class FieldProblemView {
  readonly field!: string;
  /** In plain words, the name of the field included. */
  readonly problem!: string;
}

/** What every failure carries, whatever the route. */
export class FailureResponse extends Envelope {
  /** All that is wrong with the request; there when single fields are. */
  readonly details?: FieldProblemView[];
}
