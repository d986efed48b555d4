import { DuckDBInstance } from '@duckdb/node-api';

/**
 * The least that an import of a CSV or Parquet file into DuckDB can be: what an import of the service is compared with. A file with bad rows needs the type of its
 * time column and leave to drop them uncounted. Without a file: the start alone.
 */
const [file, output, bad] = process.argv.slice(2);

if (file !== undefined && output !== undefined) {
  const instance = await DuckDBInstance.create(output, { memory_limit: '1024MB', threads: '2' });
  const connection = await instance.connect();
  const options = bad === 'true' ? ", types={'ts': 'TIMESTAMP'}, ignore_errors=true" : '';
  const source = file.endsWith('.parquet') ? `read_parquet('${file}')` : `read_csv('${file}'${options})`;
  await connection.run(`CREATE TABLE data AS SELECT * FROM ${source}`);
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
}
