/** This running process among its equals: the owner of the leases it takes. */
export abstract class Instance {
  /** New at every start. */
  abstract readonly id: string;
  /** No other instance can be alive on the same data: a lease of another owner belongs to the dead. */
  abstract readonly alone: boolean;
}
