declare module 's3rver' {
  import type { AddressInfo } from 'node:net';

  /** A server that speaks S3, on files of this machine. */
  export default class S3rver {
    constructor(options: {
      readonly port: number;
      readonly address: string;
      readonly silent: boolean;
      readonly directory: string;
    });
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
