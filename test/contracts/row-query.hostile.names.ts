function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Functions that read files, of this machine or of another. */
export const FILE_READERS = words(`
  read_csv read_csv_auto read_text read_blob read_json read_json_auto read_json_objects read_json_objects_auto read_ndjson
  read_ndjson_auto read_ndjson_objects read_parquet parquet_scan parquet_metadata parquet_schema parquet_file_metadata
  parquet_full_metadata parquet_kv_metadata sniff_csv glob read_duckdb read_xlsx st_read sqlite_scan postgres_scan mysql_scan
  iceberg_scan delta_scan read_avro read_sav csv_scan http_get http_post`);

/** Functions that tell of the catalog, the settings, the process or the machine. */
export const CATALOG_READERS = words(`
  duckdb_approx_database_count duckdb_columns duckdb_constraints duckdb_databases duckdb_dependencies duckdb_extensions
  duckdb_external_file_cache duckdb_functions duckdb_indexes duckdb_keywords duckdb_log_contexts duckdb_logs duckdb_memory
  duckdb_optimizers duckdb_prepared_statements duckdb_schemas duckdb_secret_types duckdb_secrets duckdb_sequences duckdb_settings
  duckdb_tables duckdb_temporary_files duckdb_types duckdb_variables duckdb_views duckdb_connection_count pragma_collations
  pragma_database_size pragma_platform pragma_user_agent pragma_version pg_timezone_names icu_calendar_names which_secret
  enable_logging disable_logging truncate_duckdb_logs checkpoint force_checkpoint test_all_types test_vector_types repeat_row
  duckdb_logs_parsed duckdb_profiling_settings`);

/** Views and tables of the engine's own. */
export const CATALOG_VIEWS = words(`
  duckdb_columns duckdb_constraints duckdb_databases duckdb_indexes duckdb_logs duckdb_schemas duckdb_tables duckdb_types duckdb_views
  sqlite_master sqlite_schema sqlite_temp_master sqlite_temp_schema pragma_database_list pg_attrdef pg_attribute pg_class pg_constraint
  pg_database pg_depend pg_description pg_enum pg_index pg_indexes pg_namespace pg_prepared_statements pg_proc pg_sequence pg_sequences
  pg_settings pg_tables pg_tablespace pg_type pg_views pg_catalog.pg_tables pg_catalog.pg_class pg_catalog.pg_settings
  information_schema.tables information_schema.columns information_schema.schemata information_schema.constraint_column_usage
  information_schema.character_sets information_schema.referential_constraints information_schema.table_constraints
  system.main.duckdb_tables system.information_schema.tables memory.pg_catalog.pg_class temp.information_schema.columns`);

/** Calls of functions that are no mere computation with their arguments. */
export const FORBIDDEN_CALLS = [
  `current_setting('temp_directory')`,
  `getvariable('x')`,
  `getenv('PATH')`,
  `nextval('s')`,
  `json_execute_serialized_sql('{}')`,
] as const;

/** The same with arguments of their own, each once. */
export const SINGLE_CALLS = words(`
  current_database() current_schema() current_schemas(true) current_catalog() current_query() current_user() current_role()
  session_user() user() version() current_connection_id() current_query_id() current_transaction_id() txid_current()
  in_search_path('x','y') pg_get_viewdef(1) pg_get_constraintdef(1,true) pg_get_expr('x',1) obj_description(1,'x') col_description(1,1)
  has_table_privilege('data','SELECT') has_schema_privilege('main','USAGE') pg_sleep(100) sleep_ms(100000) sleep(100)
  currval('s') setseed(0.5) error('x') write_log('x') stats(1) vector_type(1) alias(1) cast_to_type(1,2) can_cast_implicitly(1,2)
  create_sort_key(1,'ASC') json_serialize_sql('SELECT') json_serialize_plan('SELECT') json_deserialize_sql('{}')
  parse_duckdb_log_message('x','y') inet_client_addr() inet_server_port() pg_postmaster_start_time() pg_conf_load_time()
  get_block_size('memory') load_extension('x') readfile('/etc/passwd') writefile('/tmp/x','y') edit('x') fts3_tokenizer('x')
  lo_import('/etc/passwd') pg_read_file('/etc/passwd') pg_ls_dir('/') dblink('x','y') xp_cmdshell('id') load_file('/etc/passwd')
  sys_eval('id') utl_http.request('http://x') openrowset('x') query_to_xml('x') database_to_xml() copy_database('a','b')
  decode('x'::BLOB) encode('x') from_base64('eA==') unhex('78') to_base(1,2,1000000000) list_resize([1],1000000000)
  array_resize([1],1000000000) bitstring('1',1000000000) set_bit('1'::BIT,0,1) enum_range(NULL::mood) make_type('x') get_type(1)
  reservoir_quantile(1,0.5,1000000000) uuid() gen_random_uuid() union_value(a:=1) st_astext('x') remap_struct(1,2,3,4)`);

/** Types that are looked up by name, or whose values grow out of small ones. */
// prettier-ignore
export const FORBIDDEN_TYPES = [
  'regclass', 'regtype', 'regproc', 'regnamespace', 'name', 'mood', 'main.mood', 'pg_catalog.text', 'memory.main.t',
  'BIT', 'BITSTRING', 'BLOB', 'BYTEA', 'VARBINARY', `ENUM('a', 'b')`, 'VARIANT', 'GEOMETRY', 'UNION(a INT, b TEXT)',
  'BIT[]', 'mood[]', 'mood[3]', 'STRUCT(a mood)', 'STRUCT(a STRUCT(b BLOB))', 'MAP(VARCHAR, BIT)', 'MAP(mood, INT)',
  'INT[][3][]::mood', '"JSON".x', 'main.JSON', '"json "', 'facts', 'data',
] as const;
