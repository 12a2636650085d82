import { systemClock } from "../../core/clock.ts"
import type { Provider } from "../../core/provider.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Calibrate } from "../../estimate/client-error.ts"
import { calibrateFunction } from "../../perf/client/function-calibration.ts"
import { calibrateClient } from "../../perf/client/self-calibration.ts"
import { worstError } from "../../perf/client/stated-error.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { fromFunction } from "../../providers/function.ts"
import { openai } from "../../providers/openai.ts"
import type { CommandIo } from "../command.ts"

/**
 * The client's error over every path that the run's answers took: functions are called, others are sent, by undici where all of
 * these are, else by the SDK. The larger error of two paths; null where one could not be measured.
 */
export async function calibrate(
  load: Parameters<Calibrate>[0],
  { variants }: Evaluation,
  io: CommandIo,
): ReturnType<Calibrate> {
  const providers = variants.flatMap(({ provider }) => askedProviders(provider))
  const sent = providers.filter(({ kind }) => kind !== "function")
  const context = {
    clock: systemClock,
    signal: io.signal,
    environment: io.environment,
    cacheDirectory: userCacheDirectory(io.environment),
    progress: () => {},
  }
  const transport = sent.every(({ traits }) => traits?.transport === "undici") ? "undici" : "sdk"
  const options = { ...load, clock: systemClock, signal: io.signal }
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
