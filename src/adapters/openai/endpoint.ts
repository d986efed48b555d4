import type { ClientOptions } from '@langchain/openai';
import type { EmbeddingConfig } from '../../config/app-config.js';

export const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
/** Servers without keys still want the header. */
const NO_KEY = 'none';

interface EndpointFields {
  readonly model: string;
  readonly apiKey: string;
  readonly maxRetries: number;
  readonly timeout: number;
  readonly configuration: ClientOptions;
}

/** How the library is to reach an endpoint. Everything that it would otherwise take from the environment is said. */
export function fieldsOf(config: EmbeddingConfig, fetchAs: typeof fetch): EndpointFields {
  const { model, apiKey, baseUrl, timeoutMs: timeout } = config;
  const configuration: ClientOptions = {
    baseURL: baseUrl ?? DEFAULT_BASE_URL,
    fetch: fetchAs,
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
  };
  return { model, apiKey: apiKey ?? NO_KEY, maxRetries: 0, timeout, configuration };
}
