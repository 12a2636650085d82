import type { OpenContext, Provider } from "../core/provider.ts"
import type { Variant } from "../core/variant.ts"
import { calibrateFunction } from "../perf/client/function-calibration.ts"
import { type CalibrationOptions, type ClientError, calibrateClient } from "../perf/client/self-calibration.ts"
import { worstError } from "../perf/client/stated-error.ts"
import { fromFunction } from "./function.ts"
import { openai } from "./openai.ts"

/**
 * The client's error over every path that the run's answers took: functions are called, others are sent, by undici where all of
 * these are, else by the SDK. The larger error of two paths; null where one could not be measured. Takes half a second to two.
 *
 * @example evaluate({ ...options, calibrate: (load) => calibrate(load, options.evaluation.variants, options) })
 * @experimental
 */
export async function calibrate(
  load: Pick<CalibrationOptions, "concurrency" | "chunkIntervalMs" | "durationMs">,
  variants: readonly Variant[],
  opening: Omit<OpenContext, "progress">,
): Promise<ClientError | null> {
  const providers = variants.flatMap(({ provider }) => askedProviders(provider))
  const sent = providers.filter(({ kind }) => kind !== "function")
  const context = { ...opening, progress: () => {} }
  const transport = sent.every(({ traits }) => traits?.transport === "undici") ? "undici" : "sdk"
  const options = { ...load, clock: opening.clock, signal: opening.signal }
  const paths = [
    ...(sent.length > 0
      ? [
          () =>
            calibrateClient({
              ...options,
              open: (baseUrl) => openai({ model: "truth", baseUrl, apiKeyVariable: null, transport }).open(context),
            }),
        ]
      : []),
    ...(sent.length < providers.length
      ? [() => calibrateFunction({ ...options, open: (answer) => fromFunction(answer).open(context) })]
      : []),
  ]
  const errors = []
  for (const measure of paths) errors.push(await measure())
  return worstError(errors)
}

/** Those behind a provider that asks several, without those that read records. */
function askedProviders(provider: Provider): readonly Provider[] {
  if (provider.traits?.isRecord) return []
  return provider.traits?.members?.flatMap(askedProviders) ?? [provider]
}
