import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { beforeAll, describe, expect, it } from 'vitest';
import { AppConfig } from '../../src/config/app-config.js';
import { readEnvironment, variableNames } from '../../src/config/environment.js';
import { withVariableFiles } from '../../src/config/process-variables.js';

interface Service {
  readonly image?: string;
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
  readonly restart?: string;
  readonly ports?: readonly string[];
  readonly mem_limit?: string;
  readonly networks?: readonly string[];
  readonly security_opt?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

/** The reader leaves YAML's merge key as it stands. */
function merged([name, { '<<': shared, ...own }]: readonly [string, Service & { readonly '<<'?: Service }]): readonly [
  string,
  Service,
] {
  return [name, { ...shared, ...own }];
}

function needsOf({ depends_on = {} }: Service): readonly string[] {
  return Object.keys(depends_on);
}

const APPS = ['app-1', 'app-2'] as const;
const ONCE = ['mongodb-init', 'minio-init'];

describe('docker/compose.yml', () => {
  let compose: Compose;
  let services: readonly (readonly [string, Service])[];

  beforeAll(async () => {
    const read = load(await readFile('docker/compose.yml', 'utf8')) as Compose;
    compose = { ...read, services: Object.fromEntries(Object.entries(read.services).map(merged)) };
    services = Object.entries(compose.services);
  });

  it('sets no variable that the service does not read', () => {
    const known = variableNames().flatMap((name) => [name, `${name}_FILE`]);
    for (const app of APPS) {
      const names = Object.keys(compose.services[app]?.environment ?? {});
      expect(names.length).toBeGreaterThan(10);
      expect(names.filter((name) => !known.includes(name))).toEqual([]);
    }
  });

  it('gives both instances a configuration that the service starts with, each with a volume of its own', async () => {
    const environment = compose.services['app-1']?.environment ?? {};
    expect(compose.services['app-2']?.environment).toEqual(environment);
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
    expect(new Set(APPS.map((app) => compose.services[app]?.volumes?.[0])).size).toBe(2);
    expect(await readFile('docker/make-secrets.sh', 'utf8')).toContain('s3+http://');
  });

  it('names only secrets, volumes, networks and services that there are, and makes every secret', async () => {
    const script = await readFile('docker/make-secrets.sh', 'utf8');
    const named = (part: (service: Service) => readonly string[] | undefined): readonly string[] =>
      services.flatMap(([, service]) => part(service) ?? []);
    const volumes = named((service) => service.volumes).map((volume) => volume.slice(0, volume.indexOf(':')));
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining([...named(({ secrets }) => secrets)]));
    expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining([...named(({ networks }) => networks)]));
    expect(Object.keys(compose.volumes)).toEqual(
      expect.arrayContaining(volumes.filter((name) => !name.startsWith('.'))),
    );
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining(services.flatMap(([, each]) => needsOf(each))),
    );
    for (const { file } of Object.values(compose.secrets)) {
      expect(script).toContain(`secret ${file.replace('./secrets/', '')} `);
    }
  });

  it('restarts what dies, bounds the memory, and lets nobody in but through nginx', () => {
    for (const [name, service] of services) {
      expect([name, service.mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect([name, service.restart]).toEqual([name, ONCE.includes(name) ? 'on-failure:5' : 'unless-stopped']);
      expect([name, service.ports !== undefined]).toEqual([name, name === 'nginx']);
      expect([name, service.security_opt]).toEqual([name, ['no-new-privileges:true']]);
    }
    expect(compose.networks['backend']).toEqual({ internal: true });
    const inside = ['mongodb', 'redis', 'minio'].map((name) => compose.services[name]);
    expect(inside.map((service) => service?.networks)).toEqual([['backend'], ['backend'], ['backend']]);
  });

  it('waits for what is healthy, and for what is done once', () => {
    const waits = services.flatMap(([, { depends_on = {} }]) => Object.entries(depends_on));
    expect(waits.length).toBeGreaterThan(5);
    for (const [other, { condition }] of waits) {
      const isOnce = ONCE.includes(other);
      expect([other, condition]).toEqual([other, isOnce ? 'service_completed_successfully' : 'service_healthy']);
      // The image of the service has its own health check.
      const isChecked = isOnce || other.startsWith('app-') || compose.services[other]?.healthcheck !== undefined;
      expect([other, isChecked]).toEqual([other, true]);
    }
  });

  it('has every instance behind nginx, which lets uploads and streams through', async () => {
    const nginx = await readFile('docker/nginx.conf', 'utf8');
    for (const app of APPS) expect(nginx).toContain(`server ${app}:3000 `);
    for (const line of [
      'proxy_request_buffering off;',
      'proxy_buffering off;',
      'proxy_set_header Upgrade $http_upgrade;',
    ]) {
      expect(nginx).toContain(line);
    }
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

describe('docker/Dockerfile', () => {
  it('copies the manifest of every workspace before it installs', async () => {
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
