import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { SharedLimits, type WindowCount } from '../../ports/shared-limits.js';

/** Who asks decides how many are too many. */
const MANY = Number.MAX_SAFE_INTEGER;
/** Notes that are remembered; the one that was quiet for longest is forgotten first. */
const MOST_NOTES = 10_000;

/** Counts of one process that is alone, or can't reach the others. */
export class InProcessLimits extends SharedLimits {
  private readonly windows = new RateLimiterMemory({ points: MANY, duration: 1 });
  private readonly places = new Map<string, number>();
  private readonly notes = new LRUCache<string, string>({ max: MOST_NOTES });

  override async count(key: string, windowSeconds: number): Promise<WindowCount> {
    const window = `${windowSeconds}:${key}`;
    const { consumedPoints, msBeforeNext } = await this.windows.consume(window, 1, { customDuration: windowSeconds });
    return { count: consumedPoints, resetMs: msBeforeNext };
  }

  override takePlace(key: string, most: number): Promise<(() => void) | null> {
    const taken = this.places.get(key) ?? 0;
    if (taken >= most) return Promise.resolve(null);
    this.places.set(key, taken + 1);
    let held = true;
    return Promise.resolve(() => {
      if (!held) return;
      held = false;
      const left = (this.places.get(key) ?? 0) - 1;
      if (left > 0) this.places.set(key, left);
      else this.places.delete(key);
    });
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
