import { DuckDBInstance } from '@duckdb/node-api';

/** The least that an export as CSV can be: what an export of the service is compared with. */
const [base, output] = process.argv.slice(2);

if (base !== undefined && output !== undefined) {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '256MB', threads: '2' });
  const connection = await instance.connect();
  await connection.run(`ATTACH '${base}' AS rows (READ_ONLY)`);
  await connection.run(`COPY rows.main.data TO '${output}' (FORMAT csv, HEADER true, USE_TMP_FILE false)`);
  connection.closeSync();
  instance.closeSync();
}
