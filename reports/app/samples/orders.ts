/** Orders in which samples are listed. */
export const orders = [
  { value: "", title: "as planned" },
  { value: "low", title: "lowest value first" },
  { value: "spread", title: "most disputed first" },
  { value: "slow", title: "slowest first" },
] as const
