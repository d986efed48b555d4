declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly amount: number;
    readonly connections: number;
    readonly headers?: Record<string, string>;
  }
  export default function autocannon(options: Options): Promise<{ readonly non2xx: number; readonly errors: number }>;
}
