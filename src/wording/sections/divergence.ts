/** Token distributions of variants. */
export const divergenceWords = {
  title: (baseline: string) => `Token distributions compared with ${baseline}`,
  ranked: (baseline: string, ranks: string) =>
    `Mean divergence from ${baseline} in nats per token, smallest first: ${ranks}.`,
  lowerBound:
    "Compared up to the first token that differs; tokens outside both lists of alternatives are one bin, so each figure is a lower bound.",
} as const
