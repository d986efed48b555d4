import { resolve } from 'node:path';
import type { Environment } from './environment.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

export interface ServerConfig {
  readonly host: string;
  readonly port: number;
  readonly corsOrigins: readonly string[];
  readonly logLevel: string;
  readonly trustProxy: boolean;
}

export interface StorageConfig {
  /** Absolute. */
  readonly dataDir: string;
  readonly mongodbUri: string | null;
  readonly importMemoryMb: number;
  readonly engineMemoryMb: number;
}

/** Where jobs and events go, instead of staying in this process. */
export interface RedisConfig {
  /** May hold a password. */
  readonly url: string;
  /** Part of every key; empty, or ends in a colon. */
  readonly installation: string;
}

export interface AuthConfig {
  /** `null`: one is generated and kept in the data folder. */
  readonly jwtSecret: string | null;
  readonly bootstrap: { readonly company: string; readonly email: string; readonly password: string | null };
}

/** What secrets in the settings of companies are encrypted with. */
export interface SettingsConfig {
  /** `null`: a key derived from the secret that signs tokens. */
  readonly key: string | null;
  /** Opens what was sealed before the key was replaced. */
  readonly previousKey: string | null;
}

export interface ModelConfig {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
  readonly model: string;
  readonly temperature: number;
  readonly timeoutMs: number;
}

/** An endpoint that turns text into vectors. */
export interface EmbeddingConfig {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
  readonly model: string;
  readonly timeoutMs: number;
}

export interface LimitsConfig {
  /** Requests a minute and user; 0: no limit. */
  readonly requestsPerMinute: number;
  readonly loginsPerMinute: number;
  readonly uploadMaxBytes: number;
  readonly uploadMinBytesPerSecond: number;
  /** Free space that uploads leave on the disk for everything else. */
  readonly storageReserveBytes: number;
  /** What the uploads and datasources of one company may take; Infinity: no limit. */
  readonly storageQuotaBytes: number;
  readonly chatTimeoutMs: number;
  readonly queryTimeoutMs: number;
  readonly socketsPerUser: number;
  /** Fewer rows that were inserted later are not merged into a datasource's base. */
  readonly compactAfterRows: number;
}

/** The checked configuration in typed sections. */
export class AppConfig {
  readonly server: ServerConfig;
  readonly storage: StorageConfig;
  /** Address of a bucket, which may hold a secret. `null`: files lie in the data folder. */
  readonly objectStoreUrl: string | null;
  /** `null`: jobs and events stay in this process. */
  readonly redis: RedisConfig | null;
  readonly auth: AuthConfig;
  readonly settings: SettingsConfig;
  /** `null`: the built-in analyst answers. */
  readonly model: ModelConfig | null;
  /** `null`: the local embedder. */
  readonly embedding: EmbeddingConfig | null;
  readonly limits: LimitsConfig;

  constructor(environment: Environment) {
    this.server = serverOf(environment);
    this.storage = {
      dataDir: resolve(environment.DATA_DIR),
      mongodbUri: environment.MONGODB_URI ?? null,
      importMemoryMb: environment.IMPORT_MEMORY_MB,
      engineMemoryMb: environment.ENGINE_MEMORY_MB,
    };
    this.objectStoreUrl = environment.OBJECT_STORE_URL ?? null;
    this.redis = redisOf(environment);
    this.auth = {
      jwtSecret: environment.JWT_SECRET ?? null,
      bootstrap: {
        company: environment.BOOTSTRAP_COMPANY,
        email: environment.BOOTSTRAP_EMAIL,
        password: environment.BOOTSTRAP_PASSWORD ?? null,
      },
    };
    this.settings = { key: environment.SETTINGS_KEY ?? null, previousKey: environment.SETTINGS_KEY_PREVIOUS ?? null };
    this.model = modelOf(environment);
    this.embedding = embeddingOf(environment);
    this.limits = limitsOf(environment);
  }
}

function serverOf(environment: Environment): ServerConfig {
  return {
    host: environment.HOST,
    port: environment.PORT,
    corsOrigins: environment.CORS_ORIGINS.split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
    logLevel: environment.LOG_LEVEL,
    trustProxy: environment.TRUST_PROXY === 'true',
  };
}

function redisOf({ REDIS_URL: url, REDIS_PREFIX: prefix }: Environment): RedisConfig | null {
  return url === undefined ? null : { url, installation: prefix === '' ? '' : `${prefix}:` };
}

function modelOf(environment: Environment): ModelConfig | null {
  if (environment.OPENAI_API_KEY === undefined && environment.OPENAI_BASE_URL === undefined) return null;
  return {
    apiKey: environment.OPENAI_API_KEY ?? null,
    baseUrl: environment.OPENAI_BASE_URL ?? null,
    model: environment.OPENAI_MODEL,
    temperature: environment.OPENAI_TEMPERATURE,
    timeoutMs: environment.OPENAI_TIMEOUT_SECONDS * 1000,
  };
}

function embeddingOf(environment: Environment): EmbeddingConfig | null {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_EMBEDDING_MODEL: model } = environment;
  if (model === undefined || (apiKey === undefined && baseUrl === undefined)) return null;
  const timeoutMs = environment.OPENAI_TIMEOUT_SECONDS * 1000;
  return { apiKey: apiKey ?? null, baseUrl: baseUrl ?? null, model, timeoutMs };
}

function limitsOf(environment: Environment): LimitsConfig {
  return {
    requestsPerMinute: environment.RATE_LIMIT,
    loginsPerMinute: environment.LOGIN_RATE_LIMIT,
    uploadMaxBytes: environment.UPLOAD_MAX_BYTES,
    uploadMinBytesPerSecond: environment.UPLOAD_MIN_BYTES_PER_SECOND,
    storageReserveBytes: environment.STORAGE_RESERVE_MB * MIB,
    storageQuotaBytes: environment.STORAGE_QUOTA_GIB === 0 ? Infinity : environment.STORAGE_QUOTA_GIB * GIB,
    chatTimeoutMs: environment.CHAT_TIMEOUT_SECONDS * 1000,
    queryTimeoutMs: environment.QUERY_TIMEOUT_SECONDS * 1000,
    socketsPerUser: environment.SOCKETS_PER_USER,
    compactAfterRows: environment.COMPACT_AFTER_ROWS,
  };
}
