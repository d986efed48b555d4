export const DOCUMENT_TYPES = [
  'text/plain',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** What a file's bytes are, whatever its name says. */
export type RecognisedDocument =
  | { readonly supported: true; readonly type: DocumentType }
  /** `mediaType` is what it is instead; `application/octet-stream` when nobody knows. */
  | { readonly supported: false; readonly mediaType: string };

/** What belongs together in a document: a paragraph, an item of a list, a row of a table. */
export interface DocumentBlock {
  /** One line or more, without control characters, in Unicode normal form C. */
  readonly text: string;
  /** The first is 1; null where the format has no pages. */
  readonly page: number | null;
  /** The headings that it stands under, the outermost first, as `Prices > Pumps`; null where there are none, or nobody can tell. */
  readonly heading: string | null;
}

/** Reads documents of strangers, in processes of their own with limits of memory, time, pages and text. */
export abstract class DocumentReader {
  /**
   * Looks at a file's first bytes, and for an archive at its directory. An empty file is a text, and an encrypted Word document a Word
   * document: reading them says what is wrong.
   *
   * @throws AppError `unavailable` when it could not be told just now
   */
  abstract recognise(path: string): Promise<RecognisedDocument>;
  /**
   * The blocks in reading order; at least one. Aborting the signal ends the work and throws its reason.
   *
   * @throws AppError `invalid_input` with a sentence for its owner when the document can't be read (`no text in this PDF (scanned?)`,
   *   `encrypted PDF`, over a limit …): trying again would not help. `unavailable` when it might.
   */
  abstract read(path: string, type: DocumentType, signal: AbortSignal): Promise<readonly DocumentBlock[]>;
}
