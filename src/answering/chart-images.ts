import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { ChartRenderer, type ChartRequest } from '../ports/chart-renderer.js';
import { IdSource } from '../ports/id-source.js';
import { ObjectStore, type ObjectKey } from '../ports/object-store.js';
import type { QueryResult } from '../ports/table.js';
import { onKind } from '../shared/app-error.js';
import type { CompanyId } from '../shared/ids.js';
import type { JsonObject } from '../shared/json.js';
import { inert } from '../shared/markdown.js';

const MAX_BYTES = 16 * 1024 * 1024;

/** A chart of an answer: what a page draws, and the file name of its picture. */
export interface KeptChart {
  readonly filename: string;
  readonly specification: JsonObject;
  /** As it was asked for. */
  readonly request: ChartRequest;
}

export interface Picture {
  readonly bytes: number;
  readonly png: Readable;
}

/** The address of a picture in a text. */
export const PICTURE_ADDRESS = /\/api\/v1\/secure\/assistant\/visualizations\/([A-Za-z0-9][\w.-]*)/g;

/** A chart of our own in Markdown; no other image may stand in an answer. Its title is of unknown origin. */
export function pictureText(
  { title, filename }: { readonly title: string; readonly filename: string },
  longest = 120,
): string {
  return `![${inert(title, longest)}](/api/v1/secure/assistant/visualizations/${filename})`;
}

/** The file names of the pictures that stand in a text. */
export function picturesIn(markdown: string): readonly string[] {
  return [...markdown.matchAll(PICTURE_ADDRESS)].map(([, name = '']) => name);
}

/** Keeps charts under file names that nobody can guess. A picture is drawn when it is fetched for the first time. */
@Injectable()
export class ChartImages {
  private readonly drawing = new Map<string, Promise<Buffer | null>>();

  constructor(
    private readonly objects: ObjectStore,
    private readonly ids: IdSource,
    private readonly renderer: ChartRenderer,
  ) {}

  /**
   * Keeps the chart. The company's users get its picture by its file name. With a `seed`, the same chart gets the same name again.
   *
   * @throws AppError `invalid_input` when the request does not fit the result, `no_space`, `unavailable`
   */
  async keep(
    companyId: CompanyId,
    request: ChartRequest,
    result: QueryResult,
    seed: string | null = null,
  ): Promise<KeptChart> {
    const specification = this.renderer.specify(request, result);
    return { filename: await this.keepDrawable(companyId, specification, seed), specification, request };
  }

  /** As `keep`, for what was specified before. */
  async keepDrawable(companyId: CompanyId, specification: JsonObject, seed: string | null = null): Promise<string> {
    const text = JSON.stringify(specification);
    // As hard to guess as its seed, and another for another chart.
    const seeded = seed === null ? null : createHmac('sha256', seed).update(text).digest('hex').slice(0, 32);
    const filename = `${seeded ?? this.ids.token()}.png`;
    const key = { companyId, area: 'charts', name: filename } as const;
    const written = this.objects.write(key, Readable.from([Buffer.from(text)]), MAX_BYTES);
    // A seeded one may be there from the time before.
    await (seed === null ? written : written.catch(onKind('conflict', () => undefined)));
    return filename;
  }

  /** What a page draws itself; null: there is no such chart, or only its picture was kept. */
  async specification(companyId: CompanyId, name: string): Promise<JsonObject | null> {
    const text = await this.objects.read({ companyId, area: 'charts', name }).catch(onKind('not_found', () => null));
    return text === null ? null : ((await json(text)) as JsonObject);
  }

  /** Null: there is no such chart. @throws AppError `unavailable` when it can't be drawn now. */
  async picture(companyId: CompanyId, name: string): Promise<Picture | null> {
    const key = { companyId, area: 'images', name } as const;
    const kept = await this.objects.stat(key);
    if (kept !== null) return { bytes: kept.size, png: await this.objects.read(key) };
    const drawn = await this.draw(key);
    return drawn === null ? null : { bytes: drawn.byteLength, png: Readable.from([drawn]) };
  }

  async remove(companyId: CompanyId, name: string): Promise<void> {
    await this.objects.remove({ companyId, area: 'charts', name });
    await this.objects.remove({ companyId, area: 'images', name });
  }

  /** Once, however many ask for it at the same time. */
  private draw(image: ObjectKey): Promise<Buffer | null> {
    const id = `${image.companyId}/${image.name}`;
    const drawing = this.drawing.get(id) ?? this.drawNow(image).finally(() => this.drawing.delete(id));
    this.drawing.set(id, drawing);
    return drawing;
  }

  private async drawNow(image: ObjectKey): Promise<Buffer | null> {
    const specification = await this.specification(image.companyId, image.name);
    if (specification === null) return null;
    const png = await this.renderer.draw(specification);
    // Another instance may have been faster.
    await this.objects.write(image, Readable.from([png]), MAX_BYTES).catch(onKind('conflict', () => undefined));
    return png;
  }
}
