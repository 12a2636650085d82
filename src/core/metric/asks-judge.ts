/**
 * Whether a metric asks a judge, by the signature that runs and reports keep of it: those of judges and panels name them.
 *
 * @param signature of {@link Metric}
 */
export function asksJudge({ signature }: { readonly signature: string }): boolean {
  return /(?:^|[| ])(?:judge:|panel\|)/.test(signature)
}
