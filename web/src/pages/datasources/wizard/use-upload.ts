import type { UploadOptions } from '@data-analytics/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { api, client } from '../../../app/client.js';
import { capabilitiesQuery } from '../../../shared/queries.js';
import type { Upload } from '../../../shared/wire.js';
import { Speedometer } from './speedometer.js';

export type UploadState =
  | { readonly stage: 'idle' }
  | {
      readonly stage: 'sending';
      readonly file: File;
      readonly sent: number;
      /** Bytes a second; null in the beginning. */
      readonly speed: number | null;
    }
  | { readonly stage: 'failed'; readonly file: File; readonly error: Error; readonly sent: number }
  | { readonly stage: 'done'; readonly file: File; readonly upload: Upload };

interface Uploading {
  readonly state: UploadState;
  readonly start: (file: File) => void;
  /** Ends it, or forgets what was sent. */
  readonly reset: () => void;
  /** What was sent is in use: a next file can come. */
  readonly used: () => void;
}

/** Sends one file at a time, and says how it goes. */
export function useUpload(): Uploading {
  const [state, setState] = useState<UploadState>({ stage: 'idle' });
  const running = useRef<AbortController | null>(null);
  const stored = useRef<string | null>(null);
  const queries = useQueryClient();
  useEffect(() => () => running.current?.abort(), []);

  const reset = useCallback(() => {
    running.current?.abort();
    if (stored.current !== null) forget(stored.current);
    stored.current = null;
    setState({ stage: 'idle' });
  }, []);

  const used = useCallback(() => {
    stored.current = null;
    setState({ stage: 'idle' });
  }, []);

  const start = useCallback(
    (file: File) => {
      reset();
      const controller = new AbortController();
      running.current = controller;
      const speedometer = new Speedometer();
      let sent = 0;
      const onProgress = (progress: { readonly sent: number }): void => {
        sent = Math.min(progress.sent, file.size);
        setState({ stage: 'sending', file, sent, speed: speedometer.speedAt(sent, performance.now()) });
      };
      setState({ stage: 'sending', file, sent, speed: null });
      void queries
        .query({ ...capabilitiesQuery, retry: false })
        .then(({ limits }) => send(file, limits.upload_bytes, { signal: controller.signal, onProgress }))
        .then((upload) => {
          stored.current = upload.filename;
          setState({ stage: 'done', file, upload });
        })
        .catch((error: unknown) => {
          // Cancelled: by the reader, who knows, or with the page.
          if (controller.signal.aborted) return;
          setState({ stage: 'failed', file, error: errorOf(error), sent });
        });
    },
    [queries, reset],
  );
  return { state, start, reset, used };
}

function send(file: File, most: number, options: UploadOptions): Promise<Upload> {
  assertFits(file, most);
  return client.uploadDatasourceFile(file, options);
}

/** The service forgets it after a day by itself. */
function forget(filename: string): void {
  void api.DELETE('/api/v1/secure/datasource/upload', { body: { filename } }).catch(() => undefined);
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function assertFits(file: File, most: number): void {
  if (file.size > most) throw new FileProblem('too large', most);
  if (file.size === 0) throw new FileProblem('empty', most);
}

/** Seen before anything is sent. */
export class FileProblem extends Error {
  constructor(
    readonly problem: 'too large' | 'empty',
    readonly most: number,
  ) {
    super(problem);
    this.name = 'FileProblem';
  }
}
