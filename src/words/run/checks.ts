/** Whether variants were asked alike. */
export const parameterWords = {
  check: "variants were asked with the same parameters",
  without: (one: string, parameters: string, other: string) =>
    `${one} was asked without ${parameters}, which its endpoint refuses, and ${other} with it`,
} as const
