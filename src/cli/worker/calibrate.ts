import { systemClock } from "../../core/clock.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { Calibrate } from "../../engine/run/client-error.ts"
import { calibrateClient } from "../../perf/client/self-calibration.ts"
import { userCacheDirectory } from "../../platform/user-cache-directory.ts"
import { openai } from "../../providers/openai.ts"
import type { CommandIo } from "../command.ts"

/** The client's error over the transport that the run used: undici where all providers use it, else the SDK. */
export function calibrate(
  load: Parameters<Calibrate>[0],
  { variants }: Evaluation,
  io: CommandIo,
): ReturnType<Calibrate> {
  const transport = variants.every(({ provider }) => provider.traits?.transport === "undici") ? "undici" : "sdk"
  const context = {
    clock: systemClock,
    signal: io.signal,
    environment: io.environment,
    cacheDirectory: userCacheDirectory(io.environment),
    progress: () => {},
  }
  return calibrateClient({
    ...load,
    clock: systemClock,
    signal: io.signal,
    open: (baseUrl) => openai({ model: "truth", baseUrl, apiKeyVariable: null, transport }).open(context),
  })
}
