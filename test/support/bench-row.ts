/** A level of `evalkit bench --json` at 8 in flight, of one figure; its interval is 1 % to each side. */
export function benchRow(p50: number) {
  return {
    variant: "a",
    concurrency: 8,
    ttft_ms: { p50 },
    p50_intervals: { ttft_ms: [p50 * 0.99, p50 * 1.01] },
    drift: { change: 0.01 },
  }
}
