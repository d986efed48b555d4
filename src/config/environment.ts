import { isIP } from 'node:net';
import { Type, plainToInstance } from 'class-transformer';
import {
  IsEmail,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  getMetadataStorage,
  validateSync,
} from 'class-validator';
import { REASONING_EFFORTS, type ReasoningEffort } from '../shared/reasoning-effort.js';

const GIB = 1024 ** 3;
const URL_OPTIONS = { require_tld: false, protocols: ['http', 'https'], require_protocol: true };

const Web = (): PropertyDecorator => IsUrl(URL_OPTIONS, { message: 'must be an http or https address' });
const KeyValues = (): PropertyDecorator =>
  Matches(/^\s*[^=,\s]+=[^,]*(,\s*[^=,\s]+=[^,]*)*,?\s*$/, { message: 'must be like name=value,name=value' });
const Flag = (): PropertyDecorator => IsIn(['true', 'false']);
/** `model=input:output:cached`, the last of which can be left out. */
const PRICES = /^$|^\s*[^=,\s]+=\d+(\.\d+)?(:\d+(\.\d+)?){1,2}(\s*,\s*[^=,\s]+=\d+(\.\d+)?(:\d+(\.\d+)?){1,2})*\s*$/;
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type Sampler = (typeof SAMPLERS)[number];

/** An address, or a network of which not everybody is part. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = isIP(address) === 4 ? 32 : 128;
  const isPart = bits === undefined || (/^[1-9]\d*$/.test(bits) && Number(bits) <= most);
  return isIP(address) !== 0 && isPart && more.length === 0;
}

function areNetworks(text: string): boolean {
  return text.split(',').every((part) => isNetwork(part.trim()));
}

/** Every variable the service reads, with its default. `.env.example` explains them. */
export class Environment {
  @IsInt() @Min(0) @Max(65_535) @Type(() => Number) readonly PORT: number = 3000;
  @IsString() @IsNotEmpty() readonly HOST: string = '127.0.0.1';
  @IsString() @IsNotEmpty() readonly DATA_DIR: string = './data';
  @IsOptional()
  @Matches(/^mongodb(\+srv)?:\/\//, { message: 'must begin with mongodb://' })
  readonly MONGODB_URI?: string;
  @IsOptional() @Matches(/^rediss?:\/\//, { message: 'must begin with redis://' }) readonly REDIS_URL?: string;
  @Matches(/^[a-z0-9-]{0,40}$/, { message: 'may have up to 40 small letters, digits and hyphens' })
  readonly REDIS_PREFIX: string = '';
  @IsOptional()
  @Matches(/^(s3:\/\/[^/@]+|s3\+https?:\/\/([^/@]+@)?[^/@]+\/[^/]+)/, {
    message: 'must be like s3://bucket/prefix or s3+https://key:secret@host:port/bucket/prefix',
  })
  readonly OBJECT_STORE_URL?: string;
  @IsNumber() @IsPositive() @Max(1_000_000) @Type(() => Number) readonly ROW_CACHE_GIB: number = 50;
  @Flag() readonly HTTP: 'true' | 'false' = 'true';
  @Flag() readonly WORKER: 'true' | 'false' = 'true';

  @IsOptional() @MinLength(32, { message: 'must have at least 32 characters' }) readonly JWT_SECRET?: string;
  @IsOptional() @MinLength(32, { message: 'must have at least 32 characters' }) readonly SETTINGS_KEY?: string;
  @IsOptional() @MinLength(32, { message: 'must have at least 32 characters' }) readonly SETTINGS_KEY_PREVIOUS?: string;
  @IsString() @IsNotEmpty() readonly BOOTSTRAP_COMPANY: string = 'My company';
  @IsEmail({ require_tld: false }, { message: 'must be an email address' }) readonly BOOTSTRAP_EMAIL: string =
    'admin@example.com';
  @IsOptional() @MinLength(8, { message: 'must have at least 8 characters' }) readonly BOOTSTRAP_PASSWORD?: string;

  @IsOptional() @IsString() @IsNotEmpty() readonly OPENAI_API_KEY?: string;
  @IsOptional() @Web() readonly OPENAI_BASE_URL?: string;
  @IsString() @IsNotEmpty() readonly OPENAI_MODEL: string = 'gpt-4o-mini';
  /** Reserved for context files. */
  @IsOptional() @IsString() @IsNotEmpty() readonly OPENAI_EMBEDDING_MODEL?: string;
  @IsNumber() @Min(0) @Max(2) @Type(() => Number) readonly OPENAI_TEMPERATURE: number = 0;
  @IsInt() @Min(1) @Max(600) @Type(() => Number) readonly OPENAI_TIMEOUT_SECONDS: number = 30;
  @IsOptional() @IsInt() @Min(256) @Max(1_000_000) @Type(() => Number) readonly OPENAI_MAX_TOKENS?: number;
  @IsOptional() @IsInt() @Min(4096) @Max(10_000_000) @Type(() => Number) readonly OPENAI_CONTEXT_TOKENS?: number;
  @IsOptional() @IsIn(REASONING_EFFORTS) readonly OPENAI_REASONING_EFFORT?: ReasoningEffort;
  @Matches(/^[\w$, ]*$/, { message: 'must be names, such as temperature,tools' }) readonly OPENAI_REFUSES: string = '';

  @Matches(PRICES, { message: 'must be like gpt-4o-mini=0.15:0.6:0.075,*=1:2, in prices of a million tokens' })
  readonly MODEL_PRICES: string = '';
  @Matches(/^[A-Za-z]{3}$/, { message: 'must be like USD' }) readonly MODEL_CURRENCY: string = 'USD';
  @IsOptional() @IsNumber() @Min(0) @Type(() => Number) readonly MODEL_BUDGET_PER_MONTH?: number;

  @IsOptional()
  @Matches(/^(smtps?:\/\/([^/@\s]+@)?|smtp\+plain:\/\/)[^/@\s?#]+$/, {
    message: 'must be like smtps://user:password@host, smtp://user:password@host:587 or smtp+plain://host:25',
  })
  readonly SMTP_URL?: string;
  @IsOptional()
  @Matches(/^([^<>"\p{Cc}]{1,100} <[^\s@<>,;:"]+@[^\s@<>,;:"]+>|[^\s@<>,;:"]+@[^\s@<>,;:"]+)$/u, {
    message: 'must be like reports@example.com or Reports <reports@example.com>',
  })
  readonly MAIL_FROM?: string;
  @IsOptional() @Web() readonly PUBLIC_URL?: string;

  @Flag() readonly OIDC_PRIVATE_ISSUERS: 'true' | 'false' = 'false';

  @IsString() readonly CORS_ORIGINS: string = '';
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']) readonly LOG_LEVEL: string = 'info';
  @Flag() readonly CONSOLE: 'true' | 'false' = 'true';
  @IsString() readonly TRUST_PROXY: string = 'false';

  @IsOptional() @IsInt() @Min(0) @Max(65_535) @Type(() => Number) readonly METRICS_PORT?: number;
  @IsOptional() @MinLength(16, { message: 'must have at least 16 characters' }) readonly METRICS_TOKEN?: string;
  @IsOptional() @Web() readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  @IsOptional() @Web() readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;
  @IsOptional() @Web() readonly OTEL_EXPORTER_OTLP_METRICS_ENDPOINT?: string;
  @IsOptional() @KeyValues() readonly OTEL_EXPORTER_OTLP_HEADERS?: string;
  @IsString() @IsNotEmpty() readonly OTEL_SERVICE_NAME: string = 'data-analytics-service';
  @IsOptional() @KeyValues() readonly OTEL_RESOURCE_ATTRIBUTES?: string;
  @IsIn(SAMPLERS) readonly OTEL_TRACES_SAMPLER: Sampler = 'parentbased_always_on';
  @IsNumber() @Min(0) @Max(1) @Type(() => Number) readonly OTEL_TRACES_SAMPLER_ARG: number = 1;
  @IsIn(['otlp', 'none']) readonly OTEL_TRACES_EXPORTER: 'otlp' | 'none' = 'otlp';
  @IsIn(['otlp', 'none']) readonly OTEL_METRICS_EXPORTER: 'otlp' | 'none' = 'otlp';
  @Flag() readonly OTEL_SDK_DISABLED: 'true' | 'false' = 'false';

  @IsInt() @Min(0) @Type(() => Number) readonly RATE_LIMIT: number = 1200;
  @IsInt() @Min(0) @Type(() => Number) readonly LOGIN_RATE_LIMIT: number = 30;
  @IsInt() @Min(1) @Max(100 * GIB) @Type(() => Number) readonly UPLOAD_MAX_BYTES: number = 10 * GIB;
  @IsString() readonly PLACE_NETWORKS: string = '';
  @IsInt() @Min(1) @Max(86_400) @Type(() => Number) readonly FETCH_TIMEOUT_SECONDS: number = 3600;
  @IsInt() @Min(0) @Type(() => Number) readonly UPLOAD_MIN_BYTES_PER_SECOND: number = 1024;
  @IsInt() @Min(0) @Max(1_000_000) @Type(() => Number) readonly STORAGE_RESERVE_MB: number = 512;
  @IsNumber() @Min(0) @Max(1_000_000) @Type(() => Number) readonly STORAGE_QUOTA_GIB: number = 0;
  @IsInt() @Min(1) @Max(600) @Type(() => Number) readonly CHAT_TIMEOUT_SECONDS: number = 120;
  @IsInt() @Min(1) @Max(600) @Type(() => Number) readonly QUERY_TIMEOUT_SECONDS: number = 20;
  @IsOptional() @IsInt() @Min(256) @Max(65_536) @Type(() => Number) readonly IMPORT_MEMORY_MB?: number;
  @IsOptional() @IsInt() @Min(256) @Max(65_536) @Type(() => Number) readonly ENGINE_MEMORY_MB?: number;
  @IsOptional() @IsInt() @Min(320) @Max(65_536) @Type(() => Number) readonly SANDBOX_MEMORY_MB?: number;
  @IsOptional() @IsInt() @Min(1) @Max(64) @Type(() => Number) readonly SANDBOXES_AT_ONCE?: number;
  @IsInt() @Min(1) @Max(10_000) @Type(() => Number) readonly SOCKETS_PER_USER: number = 20;
  @IsInt() @Min(1) @Max(10_000) @Type(() => Number) readonly CHATS_PER_USER: number = 20;
  @IsInt() @Min(1) @Max(100_000) @Type(() => Number) readonly CHATS_PER_COMPANY: number = 60;
  @IsInt() @Min(1) @Max(10_000_000) @Type(() => Number) readonly COMPACT_AFTER_ROWS: number = 50_000;
}

/** What is wrong with the environment, all of it at once, by name and never by value. */
export class EnvironmentError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration can't be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'EnvironmentError';
  }
}

/** The name of every variable that the service reads. */
export function variableNames(): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(Environment, '', false, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}

/** Reads and checks the variables; an empty one counts as not set. */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const known = new Set(variableNames());
  const given = Object.entries(variables).filter(
    ([name, value]) => known.has(name) && value !== undefined && value !== '',
  );
  const environment = plainToInstance(Environment, Object.fromEntries(given), { exposeDefaultValues: true });
  const problems = validateSync(environment).map(({ property, constraints }) => {
    const sentences = Object.values(constraints ?? {}).map((message) => message.replace(`${property} `, ''));
    return `${property} ${sentences.sort()[0] ?? 'is not valid'}`;
  });
  problems.push(...malformed(environment), ...contradictions(environment), ...goneProblems(variables));
  if (problems.length > 0) throw new EnvironmentError(problems);
  return environment;
}

/** What is wrong with settings that no pattern can tell of. */
function malformed({ SMTP_URL, TRUST_PROXY, PLACE_NETWORKS }: Environment): readonly string[] {
  const problems: string[] = [];
  if (!URL.canParse(SMTP_URL ?? 'smtp://host')) problems.push('SMTP_URL is no address that can be read');
  if (!/^(false|\d\d?)$/.test(TRUST_PROXY) && !areNetworks(TRUST_PROXY))
    problems.push(
      'TRUST_PROXY must be the number of proxies in front of the service, such as 1, or their addresses and networks, such as 10.0.0.0/8,192.168.1.7; false when there is none',
    );
  if (PLACE_NETWORKS !== '' && !areNetworks(PLACE_NETWORKS))
    problems.push('PLACE_NETWORKS must be addresses and networks, such as 10.0.0.0/8,192.168.1.7');
  return problems;
}

/** Settings that are well formed one by one but don't go together. */
function contradictions(environment: Environment): readonly string[] {
  const problems: string[] = [];
  if (environment.MONGODB_URI !== undefined && environment.JWT_SECRET === undefined) {
    problems.push('JWT_SECRET must be set when MONGODB_URI is: instances that share a store must share the secret');
  }
  if ((environment.SMTP_URL === undefined) !== (environment.MAIL_FROM === undefined)) {
    problems.push('SMTP_URL and MAIL_FROM go together: the server that takes mail, and who writes it');
  }
  return [...problems, ...sharedProblems(environment), ...roleProblems(environment)];
}

/** To pass over it would look as if all rows were lost. */
function goneProblems({ ROW_STORE: rows }: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (rows !== 'mongodb') return [];
  return ['ROW_STORE is gone, and rows in MongoDB are not read any more: see "Upgrade" in docs/operations.md'];
}

/** What many instances find each other's work in, and which of it is not set. */
const SHARED = ['MONGODB_URI', 'REDIS_URL', 'OBJECT_STORE_URL'] as const;

export function missingToShare(environment: Environment): readonly string[] {
  return SHARED.filter((name) => environment[name] === undefined);
}

/** One of them is of use to one instance; two would look like many instances that lose each other's work. */
function sharedProblems(environment: Environment): readonly string[] {
  const [missing, ...more] = missingToShare(environment);
  if (missing === undefined || more.length > 0) return [];
  const there = SHARED.filter((name) => name !== missing);
  return [`${there.join(' and ')} are set and ${missing} is not: many instances need all three`];
}

/** Who serves and who works must find the same documents, jobs and rows. */
function roleProblems(environment: Environment): readonly string[] {
  const { HTTP, WORKER } = environment;
  if (HTTP === 'true' && WORKER === 'true') return [];
  if (HTTP === WORKER) return ['HTTP and WORKER are both false: such an instance would do nothing'];
  const missing = missingToShare(environment);
  if (missing.length === 0) return [];
  const name = HTTP === 'false' ? 'HTTP' : 'WORKER';
  return [`${name} may be false only where instances share what they work on: set ${missing.join(', ')}`];
}
