import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const HEAD = `/* Made from the API document of the service by "npm run client:generate". Not to be edited. */\n\n`;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What the built service exports, as far as it is needed here: the sources can't be imported, since only the build knows their documentation. */
interface Built {
  readonly createApp: (surroundings: object) => Promise<{ close(): Promise<void> }>;
  readonly apiDocument: (app: unknown, models: readonly unknown[]) => object;
  readonly FRAME_DATA: Readonly<Record<string, unknown>>;
  readonly AppConfig: new (environment: unknown) => unknown;
  readonly readEnvironment: (variables: Readonly<Record<string, string>>) => unknown;
  readonly createLogger: (level: string) => unknown;
}

/** The text of `schema.d.ts` for the service in `dist`, which is put together but does not listen. */
export async function schemaTypes(): Promise<string> {
  return typesOf(await builtDocument());
}

/** The text of `schema.d.ts` for an API document. */
export async function typesOf(document: object): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(document, sortedChoices), {
    alphabetize: true,
    defaultNonNullable: false,
  });
  return HEAD + astToString(nodes);
}

/** The compiler lists the members of a union in no order that holds from one build to the next. */
function sortedChoices(name: string, value: unknown): unknown {
  return name === 'enum' && Array.isArray(value) ? [...(value as unknown[])].sort() : value;
}

async function builtDocument(): Promise<object> {
  const { createApp, apiDocument, FRAME_DATA, AppConfig, readEnvironment, createLogger } = await built();
  const dataDir = await mkdtemp(join(tmpdir(), 'das-document-'));
  const config = new AppConfig(
    readEnvironment({
      DATA_DIR: dataDir,
      JWT_SECRET: randomBytes(32).toString('hex'),
      BOOTSTRAP_PASSWORD: randomBytes(16).toString('hex'),
    }),
  );
  const app = await createApp({ config, logger: createLogger('silent') });
  try {
    return apiDocument(app, Object.values(FRAME_DATA));
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function built(): Promise<Built> {
  const files = [
    'app.setup',
    'http/swagger',
    'http/asyncapi.wire',
    'config/app-config',
    'config/environment',
    'http/logging',
  ];
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(ROOT, 'dist', `${file}.js`)).href) as Promise<object>),
  );
  return Object.assign({}, ...modules) as Built;
}
