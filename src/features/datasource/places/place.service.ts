import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import type { Place } from '../../../ports/place-reader.js';
import { AppError, invalidField } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { KeyedSemaphore } from '../../../shared/keyed-semaphore.js';
import { type Rhythm, turnWhenSet } from '../../../shared/planned-turns.js';
import { assertMayManage, hasRole, type Principal } from '../../../shared/principal.js';
import { hasNoPlace, isUpdating } from '../datasource.errors.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { PENDING } from '../datasource.service.js';
import { UPDATING, type Datasource, type SourcePlace } from '../datasource.types.js';
import { DatasourceWork } from '../datasource-work.js';
import type { ReceivedUpload } from '../upload/upload.service.js';
import { columnsOf, workEnded } from './fetch-history.js';
import { PlaceFetcher } from './place-fetcher.js';
import { assertPlace, isDatabase } from './place-rules.js';

/** Of one company, while people wait for them. */
const AT_ONCE = 2;
const MOST_WAITING = 8;
const LEAST_MINUTES = 5;

/** What is to be another way; what is left out stays. */
export type PlaceChange = Partial<Pick<Place, 'address' | 'user' | 'secret' | 'query' | 'ca'>> & {
  /** Null: it is fetched only when somebody asks. */
  readonly rhythm?: Rhythm | null;
};

type DatasourceWithPlace = Datasource & { readonly place: SourcePlace };

/** Fetches datasources from places, again when somebody asks, and says how often that is done by itself. */
@Injectable()
export class PlaceService {
  private readonly turns = new KeyedSemaphore(AT_ONCE, MOST_WAITING);

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly places: PlaceFetcher,
    private readonly work: DatasourceWork,
    private readonly clock: Clock,
  ) {}

  /** Fetches a file as if it had been uploaded; whoever makes a datasource of it keeps the place with it. */
  async fetch(by: Principal, place: Place, gone: AbortSignal): Promise<ReceivedUpload> {
    assertMayUse(by, place);
    assertPlace(place);
    return this.turns.run(by.companyId, () => this.places.fetch(by, place, { signal: gone }));
  }

  /** Begins to fetch the datasource again. @throws AppError `conflict` when somebody works on it, or it has no place. */
  async refetch(by: Principal, id: DatasourceId): Promise<Datasource> {
    const seen = await this.manageable(by, id);
    const begun = seen.updating ? null : await this.begin(seen, seen.nextFetchAt);
    if (begun === null) throw isUpdating();
    return begun;
  }

  /** By whomever, at a turn of the schedule too. Null: somebody works on it, or has begun the same. */
  async begin(seen: Datasource, nextFetchAt: Date | null): Promise<Datasource | null> {
    const { docCount, import: state, nextFetchAt: planned } = seen;
    const set = {
      updating: true,
      import: PENDING,
      refetch: { isPending: true, before: { import: state, docCount, columns: columnsOf(seen) } },
      nextFetchAt,
      updatedAt: this.clock.now(),
    };
    const begun = await this.datasources.changeRows(seen, { set }, { nextFetchAt: planned });
    // A job that is lost here is found by the reconciler.
    if (begun !== null) await this.work.ask('datasource.fetch', begun);
    return begun;
  }

  /** What there was before the fetch stays. @throws AppError `conflict` when nothing is fetched. */
  async stop(by: Principal, id: DatasourceId): Promise<Datasource> {
    const seen = await this.manageable(by, id);
    const before = seen.refetch?.before ?? null;
    const end = workEnded(seen, { status: 'stopped', error: null, finishedAt: this.clock.now() });
    const stopped =
      before === null ? null : await this.datasources.swap(seen, UPDATING, { import: before.import, ...end });
    if (stopped === null) throw new AppError('conflict', 'nothing is being fetched: there is nothing to stop');
    await this.work.cancel(stopped);
    return stopped;
  }

  async change(by: Principal, id: DatasourceId, { rhythm, ...changes }: PlaceChange): Promise<Datasource> {
    if (typeof rhythm === 'number' && rhythm < LEAST_MINUTES) {
      throw new AppError('invalid_input', `every_minutes must be 0 or at least ${LEAST_MINUTES}`);
    }
    for (;;) {
      const seen = await this.manageable(by, id);
      const changed = await this.datasources.swap(
        seen,
        { updatedAt: seen.updatedAt, deletedAt: null },
        {
          ...(Object.keys(changes).length === 0 ? {} : { place: await this.changed(seen, changes) }),
          ...(rhythm === undefined ? {} : this.schedule(seen, rhythm)),
          updatedAt: this.clock.now(),
        },
      );
      // Null: somebody else changed it at this moment.
      if (changed !== null) return changed;
    }
  }

  private async changed({ companyId, place }: DatasourceWithPlace, changes: Partial<Place>): Promise<SourcePlace> {
    const before = await this.places.open(companyId, place);
    const changed = { ...before, ...changes };
    assertPlace(changed);
    if (changed.address !== before.address && before.secret !== '' && changes.secret === undefined) {
      throw invalidField('secret', 'secret must be sent with another address: the one that is kept goes nowhere else');
    }
    return this.places.seal(companyId, changed);
  }

  /** The same again does not move the next turn. */
  private schedule({ fetchRhythm }: Datasource, rhythm: Rhythm | null): Partial<Datasource> {
    const nextFetchAt = turnWhenSet(fetchRhythm, rhythm, this.clock.now());
    return nextFetchAt === undefined ? {} : { fetchRhythm: rhythm, nextFetchAt };
  }

  private async manageable(by: Principal, id: DatasourceId): Promise<DatasourceWithPlace> {
    const datasource = await this.datasources.get(by.companyId, id);
    const { place } = datasource;
    assertMayManage(by, datasource);
    if (place === null) throw hasNoPlace();
    assertMayUse(by, place);
    return { ...datasource, place };
  }
}

/** A database's password opens more than one table, and its query runs in the name of the company: that is for who answers for it. */
function assertMayUse(by: Principal, place: Pick<Place, 'kind'>): void {
  if (isDatabase(place) && !hasRole(by.role, 'manager')) {
    throw new AppError('forbidden', 'only managers fetch from databases');
  }
}
