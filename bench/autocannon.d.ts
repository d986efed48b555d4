declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly amount: number;
    readonly connections: number;
    readonly headers?: Record<string, string>;
  }
  interface Result {
    readonly non2xx: number;
    readonly errors: number;
    readonly requests: { readonly average: number };
  }
  export default function autocannon(options: Options): Promise<Result>;
}
