export interface WindowCount {
  /** How often the key was counted in its window, this time included. */
  readonly count: number;
  /** Milliseconds until it begins anew. */
  readonly resetMs: number;
}

/**
 * What the instances of an installation count together, so that a limit is the same however many there are. It only ever says how
 * much somebody may do: it may be lost, and while it can't be shared each instance counts for itself. Nothing here throws.
 */
export abstract class SharedLimits {
  /** Counts once more what the key does. Its window begins with the first time. */
  abstract count(key: string, windowSeconds: number): Promise<WindowCount>;
  /** One of so many places of the key, until what is returned is called or the instance is gone; null when all are taken. */
  abstract takePlace(key: string, most: number): Promise<(() => void) | null>;
  /** What was noted under the key; null when nothing was, or it is forgotten. */
  abstract note(key: string): Promise<string | null>;
  /** Notes the next text for so long, or nothing, where `seen` is what is noted now; false when it is not. */
  abstract replaceNote(
    key: string,
    seen: string | null,
    next: { text: string; forMs: number } | null,
  ): Promise<boolean>;
  /** Ends what it holds. */
  stop(): Promise<void> {
    return Promise.resolve();
  }
}
