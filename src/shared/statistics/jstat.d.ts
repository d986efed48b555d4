/** Of a library without types, what is used of it. */
declare module 'jstat' {
  interface Library {
    /** The regularised incomplete beta function of x, which is 0 to 1. */
    ibeta(x: number, a: number, b: number): number;
    /** The regularised lower incomplete gamma function. */
    lowRegGamma(a: number, x: number): number;
    gammaln(x: number): number;
    readonly normal: { inv(probability: number, mean: number, deviation: number): number };
  }
  const jStat: Library;
  export default jStat;
}
