import { PickType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import {
  IsIdentifier,
  OptionalFlag,
  OptionalPart,
  OptionalText,
  OptionalWholeNumber,
  Text,
} from '../../../http/fields.js';
import { onWire } from '../../../http/envelope.wire.js';
import { WeeklyTimeBody, weeklyTimeFrom, type WeeklyTimeView, weeklyTimeView } from '../../../http/weekly-time.wire.js';
import { PLACE_KINDS, type Place, type PlaceKind } from '../../../ports/place-reader.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { said } from '../../../shared/said.js';
import type { Datasource } from '../datasource.types.js';
import type { PlaceChange } from './place.service.js';

export class FetchPlaceBody {
  @IsIn(PLACE_KINDS) readonly kind!: PlaceKind;
  /** `https://host/path`, `s3://bucket/key?region=…` (Amazon), `s3+https://host/bucket/key`, `postgresql://host:port/database` or `mysql://host:port/database`, without user and password. */
  @Text(1, 2048) readonly address!: string;
  /** S3: the id of the access key. A database: who signs in. */
  @OptionalText(0, 200) readonly user?: string;
  /** HTTPS: the value of the authorization header. S3: the secret access key. A database: the password. It is sealed, and never told again. */
  @OptionalText(0, 4096) readonly secret?: string;
  /** A database: the SELECT whose rows are fetched. */
  @OptionalText(0, 20_000) readonly query?: string;
  /** PEM of the authorities that the certificate must come from; without it those that the system trusts. */
  @OptionalText(0, 100_000) readonly ca?: string;
  /** False: without encryption. That is for networks that the operator allows. */
  @OptionalFlag() readonly tls?: boolean;
}

export class RefetchBody {
  @IsIdentifier() readonly id!: DatasourceId;
}

/** What is to be another way; what is left out stays. */
export class ChangePlaceBody extends PickType(FetchPlaceBody, ['user', 'secret', 'query', 'ca']) {
  @IsIdentifier() readonly id!: DatasourceId;
  /** Minutes from one fetch to the next, at least 5; 0: only when somebody asks. */
  @OptionalWholeNumber(0, 525_600) readonly every_minutes?: number;
  /** A time of day on some days of the week instead. */
  @OptionalPart(() => WeeklyTimeBody) readonly at?: WeeklyTimeBody | null;
  /** Of the same kind. */
  @OptionalText(1, 2048) readonly address?: string;
}

/** What became of a fetch, and what it changed. */
export class FetchView {
  readonly finished_at!: string;
  /** done, failed, stopped or unchanged: the place says that the file is the same. After all but the first the rows before stay. */
  readonly status!: string;
  readonly error!: string | null;
  readonly rows_before!: number;
  readonly rows_after!: number;
  readonly rejected!: number;
  readonly columns_added!: string[];
  readonly columns_gone!: string[];
}

/** Where a datasource is fetched from. */
export class PlaceView {
  /** https, s3, postgresql or mysql. */
  readonly kind!: string;
  /** Of an https address without its query part, which may be a secret. */
  readonly address!: string;
  readonly user!: string;
  readonly query!: string;
  /** Null, and no time of day either: only when somebody asks. */
  readonly every_minutes!: number | null;
  readonly at!: WeeklyTimeView | null;
  readonly next_fetch_at!: string | null;
  /** The file is on its way; then it is imported. */
  readonly fetching!: boolean;
  /** How much of it has come. */
  readonly fetched_bytes!: number | null;
  /** The last ten, the newest first. */
  readonly fetches!: FetchView[];
}

export function placeFrom(body: FetchPlaceBody): Place {
  const { kind, address, user = '', secret = '', query = '', ca = '', tls } = body;
  return { kind, address, user, secret, query, ca, tls: tls ?? !address.startsWith('s3+http:') };
}

export function placeChangeFrom({ every_minutes: minutes, at, ...place }: ChangePlaceBody): PlaceChange {
  const { address, user, secret, query, ca } = place;
  const weekly = at == null ? undefined : weeklyTimeFrom(at);
  const rhythm = weekly ?? (minutes === 0 ? null : minutes);
  // Null is none.
  return { ...said({ address, user, secret, query, ca }), ...(rhythm === undefined ? {} : { rhythm }) };
}

export function placeView(datasource: Datasource): PlaceView | null {
  const { place, nextFetchAt, fetches } = datasource;
  if (place === null) return null;
  const { kind, address, user, query } = place;
  const isFetching = datasource.refetch?.isPending === true;
  return {
    ...{ kind, address, user, query },
    ...rhythmView(datasource),
    next_fetch_at: nextFetchAt?.toISOString() ?? null,
    fetching: isFetching,
    fetched_bytes: isFetching ? (datasource.import.bytes ?? null) : null,
    fetches: fetches.map((fetch) => ({
      ...onWire(fetch, 'finishedAt', 'status', 'error', 'rowsBefore', 'rowsAfter', 'rejected'),
      ...onWire(fetch, 'columnsAdded', 'columnsGone'),
    })),
  };
}

function rhythmView({ fetchRhythm: rhythm }: Datasource): Pick<PlaceView, 'every_minutes' | 'at'> {
  if (typeof rhythm === 'number') return { every_minutes: rhythm, at: null };
  return { every_minutes: null, at: rhythm === null ? null : weeklyTimeView(rhythm) };
}
