/** Servers that tests may use; undefined: what needs one is skipped, and says so. */
export const postgresqlServer = serverFrom('TEST_POSTGRES_URL', 'PostgreSQL');
export const mysqlServer = serverFrom('TEST_MYSQL_URL', 'MariaDB or MySQL');

/** The authority of their certificates, which are for `database.example` and for 127.0.0.1. */
export const DATABASES_CA = process.env['TEST_DATABASES_CA'] ?? '';

function serverFrom(variable: string, name: string): URL | undefined {
  const url = process.env[variable];
  if (url !== undefined && url !== '') return new URL(url);
  if (process.env['TEST_REQUIRE_ALL'] === '1') throw new Error(`TEST_REQUIRE_ALL is set, but ${variable} is not`);
  console.warn(`SKIPPED: what needs ${name}. To run it: eval "$(.ci/databases start FOLDER)"`);
  return undefined;
}
