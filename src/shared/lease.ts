/** Says who works on something, and until when they are believed to live. */
export interface Leased {
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
}

/** Nobody works on it: there is no lease, it has run out, or its owner is dead because only `holder` can be alive. */
export function isAbandoned(
  { leaseOwner, leaseUntil }: Leased,
  holder: { readonly id: string; readonly alone: boolean },
  now: Date,
): boolean {
  if (leaseOwner === null || leaseUntil === null || leaseUntil <= now) return true;
  return holder.alone && leaseOwner !== holder.id;
}
