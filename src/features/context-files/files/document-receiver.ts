import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { DocumentType } from '../../../ports/document-reader.js';
import { IdSource } from '../../../ports/id-source.js';
import type { CompanyId } from '../../../shared/ids.js';
import { emptyFile, unsupportedType } from '../context-file.errors.js';
import { DocumentFiles } from './document-files.js';

/** A document whose bytes are stored and that no record names yet. */
export interface ReceivedDocument {
  readonly filename: string;
  readonly storageKey: string;
  readonly type: DocumentType;
  readonly size: number;
}

/** Stores documents as they arrive and looks at what they are. */
@Injectable()
export class DocumentReceiver {
  constructor(
    private readonly documents: DocumentFiles,
    private readonly ids: IdSource,
  ) {}

  /** @throws AppError `unsupported_type` or `invalid_input`, naming the file; then nothing of it is kept. */
  async receive(companyId: CompanyId, name: string, source: Readable): Promise<ReceivedDocument> {
    const filename = cleanFileName(name);
    const storageKey = this.ids.token();
    const size = await this.documents.write(companyId, storageKey, source);
    try {
      if (size === 0) throw emptyFile(filename);
      const recognised = await this.documents.recognise(companyId, storageKey);
      if (!recognised.supported) throw unsupportedType(filename, recognised.mediaType);
      return { filename, storageKey, type: recognised.type, size };
    } catch (error) {
      await this.documents.remove(companyId, storageKey);
      throw error;
    }
  }

  /** Never rejects: why they are not wanted is the more important failure. */
  async discard(companyId: CompanyId, documents: readonly ReceivedDocument[]): Promise<void> {
    for (const { storageKey } of documents) {
      // What can't be removed now is swept.
      await this.documents.remove(companyId, storageKey).catch(() => undefined);
    }
  }
}

const LONGEST = 255;
/**
 * Control characters, marks that turn the direction of writing, characters nobody sees, tags that smuggle text past a reader, and
 * halves of characters.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** The last part of whatever path a sender names, fit to be shown: at most 255 characters, its ending kept. */
export function cleanFileName(given: string): string {
  const base = given.split(/[\\/]/).at(-1) ?? '';
  const name = base.normalize('NFC').replace(UNSEEN, '').trim();
  if (/^\.*$/.test(name)) return 'unnamed';
  return name.length <= LONGEST ? name : shortened(name);
}

function shortened(name: string): string {
  const ending = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? '';
  let kept = '';
  for (const letter of name) {
    if (kept.length + letter.length + ending.length > LONGEST) break;
    kept += letter;
  }
  return kept + ending;
}
