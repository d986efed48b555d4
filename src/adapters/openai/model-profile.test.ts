import { describe, expect, it } from 'vitest';
import type { ModelConfig } from '../../config/app-config.js';
import { ModelProfile } from './model-profile.js';

function profileOf(model: string, said: Partial<ModelConfig> = {}): ModelProfile {
  return new ModelProfile({ apiKey: null, baseUrl: null, model, temperature: 0, timeoutMs: 1, ...said });
}

describe('ModelProfile', () => {
  it.each([
    ['gpt-4o-mini', 'chat_completions', 'max_tokens', 2000, true],
    ['o3', 'chat_completions', 'max_completion_tokens', 16_000, false],
    ['openai/o4-mini:high', 'chat_completions', 'max_completion_tokens', 16_000, false],
    ['gpt-5.1', 'chat_completions', 'max_completion_tokens', 16_000, false],
    ['gpt-5-chat-latest', 'chat_completions', 'max_completion_tokens', 2000, true],
    ['gpt-5.4', 'responses', 'max_output_tokens', 16_000, false],
    ['GPT-5.6-Terra', 'responses', 'max_output_tokens', 16_000, false],
    ['o3-pro', 'responses', 'max_output_tokens', 16_000, false],
    ['gpt-5.1-codex-mini', 'responses', 'max_output_tokens', 16_000, false],
    ['mistral-large-latest', 'chat_completions', 'max_tokens', 2000, true],
    ['foo1', 'chat_completions', 'max_tokens', 16_000, true],
    ['gpt-oss:20b', 'chat_completions', 'max_tokens', 16_000, true],
  ])('asks %s through %s, with at most %s = %d', (model, api, limit, maxTokens, takesTemperature) => {
    const profile = profileOf(model);
    expect(profile).toMatchObject({ api, limit, maxTokens });
    expect(profile.refuses('temperature')).toBe(!takesTemperature);
  });

  it('goes by the configuration before the family, and sends an effort only where one is said', () => {
    const profile = profileOf('gpt-5.6-terra', { maxTokens: 500, reasoningEffort: 'high', refuses: ['responses'] });
    expect(profile).toMatchObject({ api: 'chat_completions', maxTokens: 500, effort: 'high' });
    expect(profileOf('o3').effort).toBeNull();
  });
});
