import { Injectable } from '@nestjs/common';
import { type FetchedFile, type Place, PlaceReader } from '../../../ports/place-reader.js';
import { SecretBox } from '../../../ports/secret-box.js';
import { sha256 } from '../../../shared/checksum.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import type { KnownVersion, SourcePlace } from '../datasource.types.js';
import { StorageQuota } from '../upload/storage-quota.js';
import {
  extensionOf,
  type IncomingFile,
  UploadService,
  type ReceivedUpload,
  type Uploader,
} from '../upload/upload.service.js';
import { fileNameOf, shownAddress } from './place-rules.js';

export interface FetchWatch {
  readonly signal: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
}

/** What a file takes the place of. */
interface Replaced extends Pick<IncomingFile, 'usualDecimal'> {
  /** Its rows don't count against the company's quota. */
  readonly replaced: DatasourceId;
  readonly version: KnownVersion;
}

type Receiving = FetchWatch & Pick<IncomingFile, 'room' | 'usualDecimal'> & { readonly file: FetchedFile };

/** Fetches files as if they had been uploaded, with the same limits and the same looks at them; and keeps the secrets that it takes. */
@Injectable()
export class PlaceFetcher {
  constructor(
    private readonly reader: PlaceReader,
    private readonly uploads: UploadService,
    private readonly room: StorageQuota,
    private readonly box: SecretBox,
  ) {}

  /** @throws AppError as the place reader and an upload do. */
  async fetch(by: Uploader, place: Place, watch: FetchWatch): Promise<ReceivedUpload> {
    using room = await this.room.reserve(by.companyId, null);
    const file = await this.reader.open(place, watch.signal);
    return await this.receive(by, place, { ...watch, room, file });
  }

  /** As `fetch`, in place of what there is, of that version; null when the place says that it is the same. */
  async fetchChanged(
    by: Uploader,
    place: Place,
    { replaced, version, usualDecimal, ...watch }: FetchWatch & Replaced,
  ): Promise<ReceivedUpload | null> {
    using room = await this.room.reserve(by.companyId, null, replaced);
    const isKnown = version?.key === keyOf(place);
    const file = isKnown
      ? await this.reader.openChanged(place, version, watch.signal)
      : await this.reader.open(place, watch.signal);
    return file === null ? null : await this.receive(by, place, { ...watch, room, file, usualDecimal });
  }

  private async receive(by: Uploader, place: Place, receiving: Receiving): Promise<ReceivedUpload> {
    const { room, signal: gone, onBytes, usualDecimal } = receiving;
    const { source, written, version } = receiving.file;
    const sealed = await this.seal(by.companyId, place);
    const known = version === null ? null : { ...version, key: keyOf(place) };
    const fetched = { written, place: { ...sealed, version: known }, replaces: room.of.replaced };
    let bytes = 0;
    // From here on the bytes flow: whoever takes them must listen before anything is waited for.
    source.on('data', (chunk: Buffer) => onBytes?.((bytes += chunk.length)));
    const originalName = takenName(fileNameOf(place));
    return await this.uploads.receive(by, { originalName, source, room, gone, fetched, usualDecimal });
  }

  async seal(companyId: CompanyId, place: Place): Promise<SourcePlace> {
    const { kind, user, query } = place;
    const sealed = await this.box.seal(JSON.stringify(place), companyId);
    return { kind, address: shownAddress(place), user, query, sealed };
  }

  /** @throws AppError `invalid_input` when the key that it was sealed under is gone. */
  async open(companyId: CompanyId, { sealed }: SourcePlace): Promise<Place> {
    return JSON.parse(await this.box.open(sealed, companyId)) as Place;
  }

  /** Sealed under the current key; null when it is already, or can't be opened: its key may come back. */
  async resealed(companyId: CompanyId, place: SourcePlace): Promise<SourcePlace | null> {
    if ((await this.box.stateOf(place.sealed)) !== 'outdated') return null;
    const opened = await this.open(companyId, place).catch(() => null);
    return opened && this.seal(companyId, opened);
  }
}

/** Of all that is asked of a place. */
function keyOf(place: Place): string {
  return sha256(JSON.stringify(place));
}

/** What a file is, its bytes tell; its name must be one that is taken. */
function takenName(name: string): string {
  return extensionOf(name) === null ? `${name}.csv` : name;
}
