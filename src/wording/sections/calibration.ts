/** Whether confidence is right. */
export const calibrationWords = {
  expectedError: (bins: number, method: string) => `expected calibration error, ${bins} bins of equal width; ${method}`,
  notShown: "is not shown to be over- or underconfident on average",
  stance: (variant: string, stance: string, claimed: string, right: string, range: string, n: number) =>
    `${variant} ${stance}: ${claimed} confidence on average, ${right} right${range} (n = ${n}).`,
  tooSmall: (start: string) => `${start} n too small for more.`,
} as const
