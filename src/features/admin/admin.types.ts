/** What a command did. */
export interface Outcome {
  /** For a person: a sentence, or one line for each entry of a list. */
  readonly text: string;
  /** For a program: the record, or all records of a list. */
  readonly record: AdminRecord | readonly AdminRecord[];
  /** What it tells of is not as it should be; the command ends with 1. */
  readonly failed?: boolean;
}

/** A record as the interface shows it, with its `id`, and never with a secret that is stored. */
export type AdminRecord = { readonly id: string } & object;

export interface NewUserOptions {
  readonly company: string;
  readonly email: string;
  readonly role: string;
  /** Without one it is generated. */
  readonly password?: string;
  readonly firstName?: string;
  readonly lastName?: string;
}
