declare module 's3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  import type { AddressInfo } from 'node:net';

  /** A server that speaks S3, on files of this machine. */
  export default class S3rver {
    constructor(options: {
      readonly port: number;
      readonly address: string;
      readonly silent: boolean;
      readonly directory: string;
      readonly configureBuckets?: readonly { readonly name: string; readonly configs: readonly string[] }[];
    });
    /** What answers requests, for another server to call. */
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
