// Four tables are the map of the house; the rules below are made from them.

/** layer: what it may import from src besides itself */
const LAYERS = {
  shared: [],
  ports: ['shared'],
  config: ['shared'],
  http: ['shared', 'ports', 'config'],
  queue: ['shared', 'ports'],
  answering: ['shared', 'ports', 'plan'],
  analyst: ['shared', 'ports', 'plan', 'adapters/processes'],
  adapters: ['shared', 'ports', 'config'],
  plan: ['shared', 'ports'],
  rows: ['shared', 'ports', 'config', 'plan', 'adapters/processes'],
  features: ['shared', 'ports', 'config', 'http', 'queue', 'answering', 'plan'],
};

/** an edge that is not here does not exist */
const FEATURE_EDGES = {
  'api-keys': ['users', 'company'],
  auth: ['users', 'company', 'api-keys'],
  members: ['users', 'company', 'auth', 'api-keys', 'assistant', 'audit', 'datasource', 'deliveries', 'settings'],
  audit: ['users', 'assistant'],
  stream: ['auth'],
  deliveries: ['users'],
  settings: ['deliveries'],
  models: ['settings', 'users'],
  datasource: ['bin'],
  'context-files': ['bin'],
  verified: ['datasource', 'models', 'users'],
  assistant: ['bin', 'datasource', 'context-files', 'models', 'verified'],
  boards: ['bin', 'datasource', 'assistant', 'company', 'deliveries', 'users'],
  agent: ['bin', 'datasource', 'context-files', 'deliveries', 'settings', 'models'],
  alerts: ['datasource', 'deliveries', 'settings'],
  capabilities: ['agent', 'assistant', 'context-files', 'datasource', 'models'],
  mcp: ['assistant', 'context-files', 'datasource'],
  metrics: ['company', 'health'],
  admin: ['users', 'company', 'settings', 'auth', 'verified'],
};

/** adapters of one technology: what they may import of other folders of adapters, besides `processes` */
const ADAPTER_EDGES = {
  archives: ['storage'],
  oidc: ['network'],
  embedded: ['documents', 'jobs'],
  mongo: ['documents'],
  // What one instance keeps in memory stands in when Redis is away.
  redis: ['embedded'],
  bullmq: ['jobs', 'redis'],
  webhooks: ['network'],
  places: ['network', 'storage'],
};

/** package: the only files that may know it */
const FENCED_PACKAGES = {
  '(mongoose|@nestjs/mongoose)': '[.]schema[.]ts$|^src/adapters/(mongo|embedded|documents)/',
  '@duckdb/': '^src/rows/|^src/adapters/archives/typed-tables[.]ts$',
  saxes: '^src/adapters/archives/',
  fzstd: '^src/adapters/archives/',
  '@langchain/': '^src/adapters/openai/',
  '(lmdb|msgpackr)': '^src/adapters/embedded/',
  'vega(-lite|-interpreter)?': '^src/adapters/charts/',
  '@node-rs/argon2': '^src/adapters/security/',
  '(pdfjs-dist|mammoth)': '^src/adapters/reading/',
  'js-yaml': '^src/features/datasource/semantics/semantics.wire[.]ts$',
  yauzl: '^src/adapters/(archives|reading)/',
  yazl: '^src/rows/export/workbook-writer[.]ts$',
  'openid-client': '^src/adapters/oidc/',
  nodemailer: '^src/adapters/mail/',
  minisearch: '^src/adapters/passages/',
  jstat: '^src/shared/statistics/distributions[.]ts$',
  ioredis: '^src/adapters/(redis|bullmq)/',
  '(@nestjs/)?bullmq/': '^src/adapters/bullmq/',
  '@modelcontextprotocol/': '^src/features/mcp/',
  'prom-client': '^src/adapters/metrics/',
  // The API does nothing without an SDK, and is called where things happen.
  '@opentelemetry/(?!api/)': '^src/adapters/tracing/',
  '@aws-sdk/': '^src/adapters/(storage/|places/web-places[.]ts$)',
  '(pg|mysql2)/': '^src/adapters/places/databases[.]ts$',
  '(@nestjs/)?passport(-jwt)?/': '^src/features/auth/jwt[.]strategy[.]ts$|^src/http/access[.]guard[.]ts$',
  'class-(validator|transformer)': '[.]wire[.]ts$|^src/(http|config)/',
};

const layerRules = Object.entries(LAYERS).map(([layer, allowed]) => ({
  name: `layer-${layer}`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: { path: '^src/', pathNot: `^src/(${[layer, ...allowed].join('|')})[/.]` },
}));

const FEATURES = [
  'api-keys',
  'auth',
  'users',
  'company',
  'members',
  'audit',
  'settings',
  'deliveries',
  'datasource',
  'context-files',
  'models',
  'capabilities',
  'verified',
  'assistant',
  'boards',
  'agent',
  'alerts',
  'stream',
  'admin',
  'health',
  'console',
  'mcp',
  'metrics',
];

const featureRules = FEATURES.map((feature) => ({
  name: `feature-${feature}`,
  severity: 'error',
  from: { path: `^src/features/${feature}/` },
  to: { path: '^src/features/', pathNot: `^src/features/(${[feature, ...(FEATURE_EDGES[feature] ?? [])].join('|')})/` },
}));

const adapterRule = {
  name: 'adapters-of-one-technology',
  severity: 'error',
  from: { path: '^src/adapters/([^/]+)/', pathNot: `^src/adapters/(${Object.keys(ADAPTER_EDGES).join('|')})/` },
  to: { path: '^src/adapters/', pathNot: '^src/adapters/($1|processes)/' },
};

const adapterRules = Object.entries(ADAPTER_EDGES).map(([folder, allowed]) => ({
  name: `adapters-${folder}`,
  severity: 'error',
  from: { path: `^src/adapters/${folder}/`, pathNot: '[.]test[.]ts$' },
  to: { path: '^src/adapters/', pathNot: `^src/adapters/(${[folder, 'processes', ...allowed].join('|')})/` },
}));

const fenceRules = Object.entries(FENCED_PACKAGES).map(([name, only]) => ({
  name: `fence-${name}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `${only}|[.]test[.]ts$` },
  to: { path: `node_modules/${name}` },
}));

export default {
  forbidden: [
    ...layerRules,
    ...featureRules,
    ...fenceRules,
    adapterRule,
    ...adapterRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^src/',
        // processes of their own and the entry points are started, not imported
        pathNot: '(main|admin|migrate|[.]process|[.]worker|[.]d)[.]ts$|[.]test[.]ts$',
      },
      to: {},
    },
    { name: 'src-not-to-test', severity: 'error', from: { path: '^src/' }, to: { path: '^(test|bench)/' } },
    {
      name: 'files-only-in-adapters',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(adapters|analyst|config|rows)/|^src/main[.]ts$|[.]test[.]ts$' },
      to: { path: '^(node:)?fs(/promises)?$' },
    },
    {
      name: 'features-through-module-or-facade',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/|[.](module|facade)[.]ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
