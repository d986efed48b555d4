import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { SharedLimits, type WindowCount } from '../../ports/shared-limits.js';

/** Who asks decides how many are too many. */
const MANY = Number.MAX_SAFE_INTEGER;
/** Notes that are remembered; the one that was quiet for longest is forgotten first. */
const MOST_NOTES = 10_000;

/** How many places are held, by key. */
export class HeldPlaces {
  private readonly held = new Map<string, number>();

  of(key: string): number {
    return this.held.get(key) ?? 0;
  }

  change(key: string, by: number): void {
    const held = this.of(key) + by;
    if (held > 0) this.held.set(key, held);
    else this.held.delete(key);
  }

  /** Holds one more, until what it returns is called. */
  take(key: string, onLeft: () => void = () => undefined): () => void {
    this.change(key, 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.change(key, -1);
      onLeft();
    };
  }
}

/** Counts of one process that is alone, or can't reach the others. */
export class InProcessLimits extends SharedLimits {
  private readonly windows = new RateLimiterMemory({ points: MANY, duration: 1 });
  private readonly places = new HeldPlaces();
  private readonly notes = new LRUCache<string, string>({ max: MOST_NOTES });

  override async count(key: string, windowSeconds: number): Promise<WindowCount> {
    const window = `${windowSeconds}:${key}`;
    const { consumedPoints, msBeforeNext } = await this.windows.consume(window, 1, { customDuration: windowSeconds });
    return { count: consumedPoints, resetMs: msBeforeNext };
  }

  override takePlace(key: string, most: number): Promise<(() => void) | null> {
    return Promise.resolve(this.places.of(key) < most ? this.places.take(key) : null);
  }

  override note(key: string): Promise<string | null> {
    return Promise.resolve(this.notes.get(key) ?? null);
  }

  override replaceNote(
    key: string,
    seen: string | null,
    next: { text: string; forMs: number } | null,
  ): Promise<boolean> {
    if ((this.notes.get(key) ?? null) !== seen) return Promise.resolve(false);
    if (next === null) this.notes.delete(key);
    else this.notes.set(key, next.text, { ttl: next.forMs });
    return Promise.resolve(true);
  }
}
