import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment, variableNames } from '../../src/config/environment.js';
import { withVariableFiles } from '../../src/config/process-variables.js';

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service & { readonly '<<'?: Service }>>;
  readonly volumes: object;
  readonly networks: Readonly<Record<string, object | null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const APPS = ['app-1', 'app-2'] as const;
const ONCE = ['mongodb-init', 'minio-init'];

describe('docker/compose.yml', () => {
  let compose: Compose;
  let services: readonly (readonly [string, Service])[];
  let script: string;

  beforeAll(async () => {
    compose = load(await readFile('docker/compose.yml', 'utf8')) as Compose;
    // The reader leaves YAML's merge key as it stands.
    services = Object.entries(compose.services).map(([name, { '<<': shared, ...own }]) => [
      name,
      { ...shared, ...own },
    ]);
    script = await readFile('docker/make-secrets.sh', 'utf8');
  });

  const service = (wanted: string): Service => services.find(([name]) => name === wanted)![1];
  const named = (part: (each: Service) => readonly string[] | undefined): readonly string[] =>
    services.flatMap(([, each]) => part(each) ?? []);

  it('gives both instances a configuration that the service starts with, and no more, each with a volume of its own', () => {
    const { environment } = service('app-1');
    expect(service('app-2').environment).toEqual(environment);
    const known = variableNames().flatMap((name) => [name, `${name}_FILE`]);
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    const filled = Object.entries(environment).map(([name, value]) => {
      if (name.endsWith('_FILE')) return [name.slice(0, -5), SECRETS[value.replace('/run/secrets/', '')]] as const;
      return [name, value.replace(/\$\{[A-Z_]+:-([^}]*)\}/, '$1')] as const;
    });
    const config = new AppConfig(readEnvironment(Object.fromEntries(filled)));
    expect(config.instance).toEqual({ http: true, worker: true, alone: false });
    expect(config.redis).not.toBeNull();
    expect(config.objectStoreUrl).toContain('@minio:9000/analytics');
    expect(config.model).toBeNull();
    expect(config.metrics).toEqual({ port: 9464, token: null });
    expect(new Set(APPS.map((app) => service(app).volumes?.[0])).size).toBe(2);
    expect(script).toContain('s3+http://');
  });

  it('names only secrets, volumes, networks and services that there are, and makes every secret', () => {
    const volumes = named((each) => each.volumes?.map((volume) => volume.slice(0, volume.indexOf(':'))));
    for (const [there, wanted] of [
      [compose.secrets, named(({ secrets }) => secrets)],
      [compose.networks, named(({ networks }) => networks)],
      [compose.volumes, volumes.filter((name) => !name.startsWith('.'))],
      [compose.services, named(({ depends_on = {} }) => Object.keys(depends_on))],
    ] as const)
      expect(Object.keys(there)).toEqual(expect.arrayContaining([...wanted]));
    for (const { file } of Object.values(compose.secrets))
      expect(script).toContain(`secret ${file.replace('./secrets/', '')} `);
  });

  it('restarts what dies, bounds the memory, and lets nobody in but through nginx', () => {
    for (const [name, each] of services) {
      expect([name, each]).toMatchObject([
        name,
        {
          mem_limit: expect.stringMatching(/^\d+[mg]$/) as string,
          restart: ONCE.includes(name) ? 'on-failure:5' : 'unless-stopped',
          security_opt: ['no-new-privileges:true'],
        },
      ]);
      expect([name, 'ports' in each]).toEqual([name, name === 'nginx']);
    }
    expect(compose.networks['backend']).toEqual({ internal: true });
    for (const name of ['mongodb', 'redis', 'minio']) expect(service(name).networks).toEqual(['backend']);
  });

  it('waits for what is healthy, and for what is done once', () => {
    const waits = services.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on));
    expect(waits.length).toBeGreaterThan(5);
    for (const [other, { condition }] of waits) {
      const isOnce = ONCE.includes(other);
      expect([other, condition]).toEqual([other, isOnce ? 'service_completed_successfully' : 'service_healthy']);
      // The image of the service has its own health check.
      const isChecked = isOnce || other.startsWith('app-') || service(other).healthcheck !== undefined;
      expect([other, isChecked]).toEqual([other, true]);
    }
  });

  it('has every instance behind nginx, which lets uploads and streams through, and logs no address', async () => {
    const nginx = await readFile('docker/nginx.conf', 'utf8');
    const buffers = ['proxy_request_buffering off;', 'proxy_buffering off;'];
    const upgrade = 'proxy_set_header Upgrade $http_upgrade;';
    for (const line of [...APPS.map((app) => `server ${app}:3000 `), ...buffers, upgrade])
      expect(nginx).toContain(line);
    const megabytes = Number(/client_max_body_size (\d+)m;/.exec(nginx)?.[1]);
    expect(megabytes * 1024 ** 2).toBeGreaterThan(readEnvironment({}).UPLOAD_MAX_BYTES);
    expect(nginx).not.toMatch(/\$request_uri|\$request\b|\$args/);
  });
});

const SECRETS: Readonly<Record<string, string>> = {
  object_store_url: 's3+http://analytics:secret@minio:9000/analytics',
  jwt_secret: 'j'.repeat(64),
  settings_key: 's'.repeat(64),
  bootstrap_password: 'b'.repeat(64),
  openai_api_key: '',
};

it('docker/Dockerfile copies the manifest of every workspace before it installs', async () => {
  const { workspaces } = JSON.parse(await readFile('package.json', 'utf8')) as {
    readonly workspaces: readonly string[];
  };
  const stages = (await readFile('docker/Dockerfile', 'utf8')).split(/^FROM /m).slice(1);
  const installing = stages.filter((stage) => stage.includes('RUN npm ci'));
  expect(installing).toHaveLength(2);
  for (const stage of installing) {
    for (const workspace of workspaces) {
      const copied = stage.indexOf(`COPY ${workspace}/package.json ./${workspace}/`);
      expect(copied).toBeGreaterThan(0);
      expect(copied).toBeLessThan(stage.indexOf('RUN npm ci'));
    }
  }
  expect(stages.at(-1)).toContain('USER node');
});

describe('the variables', () => {
  it('are explained in .env.example, all of them and no others, with the defaults that they have', async () => {
    const text = await readFile('.env.example', 'utf8');
    const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line));
    const given = new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
    expect([...given.keys()].sort()).toEqual([...variableNames()].sort());
    expect(readEnvironment(Object.fromEntries(given))).toEqual(readEnvironment({}));
  });

  it('are all in docs/operations.md', async () => {
    const page = await readFile('docs/operations.md', 'utf8');
    expect(variableNames().filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('can lie in files', async () => {
    const { JWT_SECRET } = withVariableFiles({ JWT_SECRET_FILE: 'docs/glossary.md' });
    expect(JWT_SECRET).toBe((await readFile('docs/glossary.md', 'utf8')).trimEnd());
    expect(withVariableFiles({ JWT_SECRET_FILE: '', PORT: '1', HOME_FILE: '/nowhere' })).toMatchObject({ PORT: '1' });
  });

  it.each([
    [{ JWT_SECRET: 'x', JWT_SECRET_FILE: 'docs/glossary.md' }, 'JWT_SECRET and JWT_SECRET_FILE are both set'],
    [{ JWT_SECRET_FILE: '/nowhere/at/all' }, 'JWT_SECRET_FILE names no file'],
    [{ OPENAI_API_KEY_FILE: 'docs' }, 'OPENAI_API_KEY_FILE names no file'],
    [{ OPENAI_API_KEY_FILE: 'package-lock.json' }, 'over 64 KiB'],
  ])('of %j are refused by name', (variables, problem) => {
    expect(() => withVariableFiles(variables)).toThrow(problem);
    expect(() => withVariableFiles(variables)).not.toThrow('/nowhere/at/all');
  });
});
