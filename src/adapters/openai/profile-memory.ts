import type { ModelConfig } from '../../config/app-config.js';
import type { Clock } from '../../ports/clock.js';
import type { Collection, DocumentStore } from '../../ports/document-store.js';
import type { Log } from '../../ports/log.js';
import { isAppError, messageOf } from '../../shared/app-error.js';
import { digestOf } from '../../shared/checksum.js';
import { LEARNED_PROFILES, type LearnedProfile } from './profile-memory.schema.js';

/**
 * What was learned of models, for 30 days: by endpoint, model, and what is asked of it, as a limit that is too large is refused as well.
 * A store that is away costs nothing but the refused requests.
 */
export class ProfileMemory {
  private readonly profiles: Collection<LearnedProfile>;

  constructor(
    documents: DocumentStore,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.profiles = documents.collection(LEARNED_PROFILES);
  }

  async recall(config: ModelConfig): Promise<readonly string[]> {
    const known = await this.tried(() => this.profiles.get(idOf(config)));
    return known?.refused ?? [];
  }

  async keep(config: ModelConfig, refused: readonly string[]): Promise<void> {
    const [id, { model }] = [idOf(config), config];
    const learned = { refused, learnedAt: this.clock.now() };
    const change = (): Promise<unknown> => this.profiles.update({ id }, { set: learned });
    await this.tried(async () => {
      if ((await change()) !== null) return;
      await this.profiles.insert({ id, model, ...learned }).catch(async (error: unknown) => {
        // Another instance learned of it at the same moment.
        if (!isAppError(error, 'conflict')) throw error;
        await change();
      });
    });
  }

  private async tried<T>(act: () => Promise<T>): Promise<T | null> {
    try {
      return await act();
    } catch (error) {
      this.log.warn('what was learned of a model could not be read or kept', { reason: messageOf(error) });
      return null;
    }
  }
}

/** Addresses may hold secrets. */
function idOf({ baseUrl, model, maxTokens, contextTokens, reasoningEffort, refuses = [] }: ModelConfig): string {
  return digestOf({ baseUrl, model, maxTokens, contextTokens, reasoningEffort, refuses }).slice(0, 24);
}
