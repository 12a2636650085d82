/** Whether variants were asked alike. */
export const parameterWords = {
  check: "variants were asked with the same parameters",
  without: (variant: string, parameters: string, partner: string) =>
    `${variant} was asked without ${parameters}, which its endpoint refuses, and ${partner} with it`,
} as const
