import { resolve } from 'node:path';
import { type Environment, missingToShare } from './environment.js';
import { divided, memoryMb, type MemoryShares } from './memory-shares.js';
import type { ModelPrices } from '../shared/model-cost.js';
import type { ReasoningEffort } from '../shared/reasoning-effort.js';
import { said } from '../shared/said.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** Where jobs and events go, instead of staying in this process. */
export type RedisConfig = Readonly<NonNullable<ReturnType<typeof redisOf>>>;
/** Where mail is handed over, and whose it is. */
export type MailConfig = Readonly<NonNullable<ReturnType<typeof mailOf>>>;
/** Where traces go, in OpenTelemetry's own words. */
export type TracingConfig = Readonly<NonNullable<ReturnType<typeof tracingOf>>>;

export interface StorageConfig {
  /** Absolute. */
  readonly dataDir: string;
  readonly mongodbUri: string | null;
  readonly importMemoryMb: number;
  readonly engineMemoryMb: number;
  /** Of the whole process; absent: as much as it takes. */
  readonly engineProcessMb?: number;
  /** What copies of row files may take, where the files lie in a bucket. */
  readonly rowCacheBytes: number;
}

export interface ModelConfig {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
  readonly model: string;
  readonly temperature: number;
  readonly timeoutMs: number;
  /** The most an answer may have, thoughts included; not said: what fits the model. */
  readonly maxTokens?: number;
  /** The most tokens of a request and its answer; not said: as many as are needed. */
  readonly contextTokens?: number;
  /** Not said: the model's own. */
  readonly reasoningEffort?: ReasoningEffort;
  /** What the endpoint is known to refuse, by the names that the log tells. */
  readonly refuses?: readonly string[];
}

/** An endpoint that turns text into vectors. */
export type EmbeddingConfig = Pick<ModelConfig, 'apiKey' | 'baseUrl' | 'model' | 'timeoutMs'>;

/** The checked configuration in typed sections. */
export class AppConfig {
  private readonly shares = divided(this.limitMb, givenMemory(this.environment));

  /** What this service listens on, and what it believes of who asks. */
  readonly server = serverOf(this.environment);
  readonly storage: StorageConfig = {
    dataDir: resolve(this.environment.DATA_DIR),
    mongodbUri: this.environment.MONGODB_URI ?? null,
    importMemoryMb: this.shares.import,
    engineMemoryMb: this.shares.engine,
    engineProcessMb: this.shares.engineProcess,
    rowCacheBytes: this.environment.ROW_CACHE_GIB * GIB,
  };
  /** Processes that run what a model or a person wrote: how many at once, and the memory of each as its system counts it. */
  readonly sandbox = { atOnce: this.shares.sandboxes, memoryMb: this.shares.sandbox } as const;
  /** What all processes may take together, and what there is. */
  readonly memory = { sumMb: this.shares.sum, limitMb: this.limitMb } as const;
  /** What this instance is among those that work on the same data. */
  readonly instance = instanceOf(this.environment);
  /** Address of a bucket, which may hold a secret. `null`: files lie in the data folder. */
  readonly objectStoreUrl = this.environment.OBJECT_STORE_URL ?? null;
  /** `null`: jobs and events stay in this process. */
  readonly redis = redisOf(this.environment);
  readonly auth = {
    /** `null`: one is generated and kept in the data folder. */
    jwtSecret: this.environment.JWT_SECRET ?? null,
    bootstrap: {
      company: this.environment.BOOTSTRAP_COMPANY,
      email: this.environment.BOOTSTRAP_EMAIL,
      password: this.environment.BOOTSTRAP_PASSWORD ?? null,
    },
  } as const;
  /** What secrets in the settings of companies are encrypted with: `null` is a key derived from the secret that signs tokens. The previous one opens what was sealed before. */
  readonly settings = {
    key: this.environment.SETTINGS_KEY ?? null,
    previousKey: this.environment.SETTINGS_KEY_PREVIOUS ?? null,
  } as const;
  /** `null`: the built-in analyst answers. */
  readonly model = modelOf(this.environment);
  /** `null`: the local embedder. */
  readonly embedding = embeddingOf(this.environment);
  /** What models cost, unless a company's settings say otherwise. */
  readonly spending = spendingOf(this.environment);
  /** `null`: no mail is sent. */
  readonly mail = mailOf(this.environment);
  readonly limits = limitsOf(this.environment);
  /** `null`: nothing is counted. */
  readonly metrics = metricsOf(this.environment);
  /** `null`: nothing is traced. */
  readonly tracing = tracingOf(this.environment);

  constructor(
    private readonly environment: Environment,
    private readonly limitMb = memoryMb(),
  ) {}
}

function givenMemory(environment: Environment): Partial<MemoryShares> {
  const { ENGINE_MEMORY_MB: engine, IMPORT_MEMORY_MB: forImport } = environment;
  const { SANDBOX_MEMORY_MB: sandbox, SANDBOXES_AT_ONCE: sandboxes } = environment;
  return said({ engine, import: forImport, sandbox, sandboxes });
}

function serverOf(environment: Environment) {
  return {
    host: environment.HOST,
    port: environment.PORT,
    corsOrigins: listOf(environment.CORS_ORIGINS),
    /** Where people reach the console, without a slash at the end; null: nobody said. */
    publicUrl: environment.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    /** Sign-in providers of companies may be in one's own network, and without TLS. */
    privateIssuers: environment.OIDC_PRIVATE_ISSUERS === 'true',
    logLevel: environment.LOG_LEVEL,
    /** Whose word on the caller's address is taken: that of so many proxies, or of those in these networks. */
    trustProxy: proxiesOf(environment.TRUST_PROXY),
    /** The console is served at `/`. */
    console: environment.CONSOLE === 'true',
  } as const;
}

function listOf(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

function proxiesOf(text: string): number | readonly string[] {
  if (text === 'false') return 0;
  return /^\d+$/.test(text) ? Number(text) : listOf(text);
}

function instanceOf(environment: Environment) {
  return {
    /** It serves the API and its sockets; else health and metrics alone. */
    http: environment.HTTP === 'true',
    /** It runs jobs and what is done from time to time. */
    worker: environment.WORKER === 'true',
    /** What it works on is not shared: no other instance can be alive on the same data. */
    alone: missingToShare(environment).length > 0,
  } as const;
}

function redisOf({ REDIS_URL: url, REDIS_PREFIX: prefix }: Environment) {
  // The address may hold a password. The installation is part of every key; it is empty, or ends in a colon.
  return url === undefined ? null : ({ url, installation: prefix === '' ? '' : `${prefix}:` } as const);
}

function endpointOf(environment: Environment): Omit<EmbeddingConfig, 'model'> | null {
  const { OPENAI_API_KEY: apiKey = null, OPENAI_BASE_URL: baseUrl = null } = environment;
  const timeoutMs = environment.OPENAI_TIMEOUT_SECONDS * 1000;
  return apiKey === null && baseUrl === null ? null : { apiKey, baseUrl, timeoutMs };
}

function modelOf(environment: Environment): ModelConfig | null {
  const endpoint = endpointOf(environment);
  if (endpoint === null) return null;
  const { OPENAI_MAX_TOKENS: maxTokens, OPENAI_REASONING_EFFORT: reasoningEffort } = environment;
  const { OPENAI_CONTEXT_TOKENS: contextTokens } = environment;
  return {
    ...endpoint,
    model: environment.OPENAI_MODEL,
    temperature: environment.OPENAI_TEMPERATURE,
    ...said({ maxTokens, contextTokens, reasoningEffort }),
    refuses: listOf(environment.OPENAI_REFUSES),
  };
}

function embeddingOf(environment: Environment): EmbeddingConfig | null {
  const endpoint = endpointOf(environment);
  const { OPENAI_EMBEDDING_MODEL: model } = environment;
  return endpoint === null || model === undefined ? null : { ...endpoint, model };
}

function spendingOf(environment: Environment) {
  const prices = listOf(environment.MODEL_PRICES).map((told) => {
    const at = told.indexOf('=');
    const [input = 0, output = 0, cached] = told
      .slice(at + 1)
      .split(':')
      .map(Number);
    return [told.slice(0, at), { input, output, ...(cached === undefined ? {} : { cached }) }] as const;
  });
  return {
    prices: Object.fromEntries(prices) satisfies ModelPrices,
    currency: environment.MODEL_CURRENCY.toUpperCase(),
    /** Of each company; null: there is none. */
    budgetPerMonth: environment.MODEL_BUDGET_PER_MONTH ?? null,
  } as const;
}

function limitsOf(environment: Environment) {
  return {
    /** Requests a minute and user; 0: no limit. */
    requestsPerMinute: environment.RATE_LIMIT,
    loginsPerMinute: environment.LOGIN_RATE_LIMIT,
    uploadMaxBytes: environment.UPLOAD_MAX_BYTES,
    uploadMinBytesPerSecond: environment.UPLOAD_MIN_BYTES_PER_SECOND,
    /** Addresses and networks that datasources may be fetched from besides the public internet. */
    placeNetworks: listOf(environment.PLACE_NETWORKS),
    /** Of one fetch. */
    fetchTimeoutMs: environment.FETCH_TIMEOUT_SECONDS * 1000,
    /** Free space that uploads leave on the disk for everything else. */
    storageReserveBytes: environment.STORAGE_RESERVE_MB * MIB,
    /** What the uploads and datasources of one company may take; Infinity: no limit. */
    storageQuotaBytes: environment.STORAGE_QUOTA_GIB === 0 ? Infinity : environment.STORAGE_QUOTA_GIB * GIB,
    chatTimeoutMs: environment.CHAT_TIMEOUT_SECONDS * 1000,
    queryTimeoutMs: environment.QUERY_TIMEOUT_SECONDS * 1000,
    socketsPerUser: environment.SOCKETS_PER_USER,
    /** Answers that are made at once. */
    chatsPerUser: environment.CHATS_PER_USER,
    chatsPerCompany: environment.CHATS_PER_COMPANY,
    /** Fewer rows that were inserted later are not merged into a datasource's base. */
    compactAfterRows: environment.COMPACT_AFTER_ROWS,
  } as const;
}

/** The address may hold a password. */
function mailOf({ SMTP_URL: url, MAIL_FROM: from }: Environment) {
  if (url === undefined || from === undefined) return null;
  const [, name = '', address = from] = /^(.*) <(.*)>$/.exec(from) ?? [];
  return { url, from: { name: name.trim(), address } } as const;
}

function metricsOf({ METRICS_PORT: port, METRICS_TOKEN: token }: Environment) {
  if (port === undefined && token === undefined) return null;
  return {
    /** A port of their own; `null`: the service's. */
    port: port ?? null,
    /** What a reader has to know; `null` only where the port is their own. */
    token: token ?? null,
  } as const;
}

function tracingOf(environment: Environment) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole } = environment;
  const url = whole ?? (base === undefined ? null : `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === null || environment.OTEL_SDK_DISABLED === 'true' || environment.OTEL_TRACES_EXPORTER === 'none')
    return null;
  const own = environment.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT;
  const metricsUrl = own ?? (base === undefined ? null : `${base.replace(/\/+$/, '')}/v1/metrics`);
  return {
    url,
    /** Where the figures of models' calls go; null: nowhere. */
    metricsUrl: environment.OTEL_METRICS_EXPORTER === 'none' ? null : metricsUrl,
    headers: pairsOf(environment.OTEL_EXPORTER_OTLP_HEADERS),
    attributes: {
      ...pairsOf(environment.OTEL_RESOURCE_ATTRIBUTES),
      'service.name': environment.OTEL_SERVICE_NAME,
    },
    sampler: environment.OTEL_TRACES_SAMPLER,
    /** Of all traces, the part that is kept; 0 to 1. */
    ratio: environment.OTEL_TRACES_SAMPLER_ARG,
  } as const;
}

/** `name=value,name=value`, with characters that have a meaning there percent-encoded. */
function pairsOf(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => pair.trim());
  return Object.fromEntries(
    pairs
      .filter((pair) => pair.includes('='))
      .map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), decoded(pair.slice(pair.indexOf('=') + 1).trim())]),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
