/**
 * The functions that a statement may call: what computes with the values it is given. Not here, and so refused: whatever reads
 * files, settings or the catalog, runs SQL out of a text, waits, or makes a huge value out of a small one.
 */
const AGGREGATE = `
  count count_star count_if countif sum fsum sumkahan kahan_sum avg mean favg min max min_by max_by arg_min arg_max argmin argmax
  arg_min_null arg_max_null median mode quantile quantile_cont quantile_disc approx_quantile mad
  stddev stddev_pop stddev_samp variance var_pop var_samp sem skewness kurtosis kurtosis_pop entropy corr covar_pop covar_samp
  arg_max_nulls_last arg_min_nulls_last regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy product geomean geometric_mean
  weighted_avg wavg approx_count_distinct approx_top_k any_value arbitrary first last bool_and bool_or bit_and bit_or bit_xor
  string_agg group_concat listagg list array_agg histogram histogram_exact`;

const WINDOW = `
  row_number rank dense_rank rank_dense percent_rank cume_dist ntile lag lead first_value last_value nth_value fill`;

const NUMERIC = `
  + - * / // % ** ^ & | << >> ~ @ !__postfix
  abs add subtract multiply divide fdiv fmod mod sign signbit ceil ceiling floor round round_even roundbankers trunc even
  sqrt cbrt pow power exp ln log log2 log10 gamma lgamma factorial gcd lcm greatest_common_divisor least_common_multiple
  greatest least pi degrees radians sin cos tan cot asin acos atan atan2 sinh cosh tanh asinh acosh atanh
  isnan isinf isfinite nextafter xor bit_count random is_histogram_other_bin`;

const TEXT = `
  || ~~ !~~ ~~* !~~* ~~~ ^@ like_escape not_like_escape ilike_escape not_ilike_escape
  lower upper lcase ucase length len char_length character_length strlen length_grapheme bit_length octet_length
  trim ltrim rtrim left right left_grapheme right_grapheme substr substring substring_grapheme replace translate reverse
  concat concat_ws contains starts_with ends_with prefix suffix position strpos instr ascii chr unicode ord
  split split_part str_split string_split string_to_array str_split_regex string_split_regex regexp_split_to_array
  regexp_matches regexp_full_match regexp_extract regexp_extract_all regexp_replace regexp_escape
  regexp_split_to_table strip_accents nfc_normalize hex to_hex bin to_binary md5 sha1 sha256 hash url_encode url_decode
  levenshtein editdist3 hamming mismatches jaccard jaro_similarity jaro_winkler_similarity format_bytes formatReadableSize formatReadableDecimalSize`;

const TIME = `
  now today current_date current_timestamp get_current_timestamp transaction_timestamp get_current_time current_localtimestamp
  current_localtime date_part datepart date_trunc datetrunc date_diff datediff date_sub datesub date_add age ago
  year month day hour minute second millisecond microsecond nanosecond quarter week weekday weekofyear yearweek dayofweek isodow
  dayofmonth dayofyear isoyear decade century millennium era julian epoch epoch_ms epoch_us epoch_ns
  dayname monthname last_day days_in_month strftime strptime try_strptime time_bucket timezone timezone_hour timezone_minute
  make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns make_timestamptz to_timestamp normalized_interval
  to_years to_months to_days to_hours to_minutes to_seconds to_milliseconds to_microseconds to_quarters to_weeks to_decades
  to_centuries to_millennia`;

const CONDITIONAL = `coalesce ifnull nullif if typeof constant_or_null`;

const LISTS = `
  list_value list_pack array_value unnest flatten list_extract list_element array_extract element_at list_slice array_slice
  list_contains array_contains list_has array_has list_has_all list_has_any array_has_all array_has_any
  list_position list_indexof array_position array_indexof array_length cardinality
  list_sort list_reverse_sort array_sort array_reverse_sort list_grade_up list_reverse array_reverse list_distinct array_distinct
  list_unique array_unique list_concat list_cat array_concat array_cat list_append array_append list_prepend array_prepend
  list_filter array_filter filter list_transform array_transform list_apply array_apply apply list_reduce array_reduce reduce
  list_zip array_zip list_intersect array_intersect list_where list_select array_select array_to_string
  list_sum list_avg list_min list_max list_count list_median list_mode list_first list_last list_any_value list_product
  list_stddev_pop list_stddev_samp list_var_pop list_var_samp list_bool_and list_bool_or list_string_agg
  list_distance array_distance list_dot_product array_dot_product list_inner_product array_inner_product
  list_cosine_similarity array_cosine_similarity list_cosine_distance array_cosine_distance generate_subscripts
  list_bit_and list_bit_or list_bit_xor list_kurtosis_pop list_approx_count_distinct list_entropy list_histogram list_kurtosis list_skewness list_mad list_sem
  struct_pack row struct_extract struct_extract_at struct_insert struct_update struct_concat struct_keys struct_values
  map map_concat map_keys map_values map_entries map_extract map_extract_value map_contains map_from_entries && @> <@`;

const JSON_VALUES = `
  ->> json_extract json_extract_string json_extract_path json_extract_path_text json_value json_exists json_type json_valid
  json_array_length json_keys json_contains json json_structure json_pretty json_quote to_json array_to_json row_to_json json_object
  json_array json_merge_patch json_group_array json_group_object json_group_structure`;

/** What may be called by its name in a text. */
export const LIST_AGGREGATES: ReadonlySet<string> = new Set(AGGREGATE.trim().split(/\s+/));

/** With any arguments; `gate.ts` has those that are only allowed with some. */
export const ALLOWED_FUNCTIONS: ReadonlySet<string> = new Set(
  [AGGREGATE, WINDOW, NUMERIC, TEXT, TIME, CONDITIONAL, LISTS, JSON_VALUES].flatMap((names) =>
    names.trim().toLowerCase().split(/\s+/),
  ),
);

/** What may stand after FROM in the form of a call. */
export const ALLOWED_TABLE_FUNCTIONS: ReadonlySet<string> = new Set(
  'range generate_series unnest json_each json_tree'.split(' '),
);

/** The types that a value may be cast to. A type given by name is looked up in the catalog, so only `json` may be. */
export const ALLOWED_TYPES: ReadonlySet<string> = new Set(
  (
    'BOOLEAN TINYINT SMALLINT INTEGER BIGINT HUGEINT UTINYINT USMALLINT UINTEGER UBIGINT UHUGEINT FLOAT DOUBLE DECIMAL VARCHAR ' +
    'CHAR DATE TIME TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS INTERVAL LIST ARRAY STRUCT MAP UUID NULL'
  )
    .split(' ')
    .concat('TIMESTAMP WITH TIME ZONE', 'TIME WITH TIME ZONE'),
);
