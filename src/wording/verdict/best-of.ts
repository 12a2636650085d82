/** What asking several variants and keeping the best answer brings. */
export const bestOf = {
  sentence: (variants: string, judge: string, level: string, shares: string) =>
    `Asking ${variants} and keeping the answer that is best by ${judge} scores ${level}; it keeps ${shares}.`,
  method: (n: number) => `simulated from ${n} paired answers; the judge's own cost is not in it`,
} as const
