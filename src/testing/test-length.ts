/** How often a random test runs: `npm test` takes a sample of another part each time, `npm run test:long` many times as many. */
export const runsOf = ({ short, long }: { readonly short: number; readonly long: number }): number =>
  process.env.AFARA_TEST_LONG === "1" ? long : short;
