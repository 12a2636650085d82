import { systemClock } from "../../core/clock.ts"
import { EvalkitError, messageOf } from "../../core/errors.ts"
import type { Answer } from "../../core/generation.ts"
import type { OpenContext, Provider, Timeouts } from "../../core/provider.ts"
import { readGguf } from "../../local-model/gguf/read-gguf.ts"
import type { DoctorCheck } from "./check.ts"

/** What the checks of one provider need. */
export interface ProviderCheckOptions extends Pick<OpenContext, "environment" | "signal" | "cacheDirectory"> {
  readonly timeouts: Timeouts
  /** Ask for one token; false opens and closes only (a started server still has to get ready). */
  readonly call: boolean
  progress(message: string): void
}

/** Key, reachability and latency of one provider: open, ask for one token, close. Never prints a key. */
export async function checkProvider(provider: Provider, options: ProviderCheckOptions): Promise<DoctorCheck> {
  const name = `model ${provider.label}`
  try {
    const session = await provider.open({ ...options, clock: systemClock })
    try {
      if (!options.call || provider.traits?.isRecord) return { name, status: "ok", message: "opened; no call was made" }
      const now = systemClock.now()
      const answer = await session.request(
        { messages: [{ role: "user", content: "Hi" }], parameters: { maxTokens: 1 } },
        { signal: options.signal, timeouts: options.timeouts, clock: systemClock, originMs: now, scheduledMs: now },
      )
      return { name, ...judge(answer), latencyMs: answer.log.endMs - answer.log.sendMs }
    } finally {
      await session.close()
    }
  } catch (error) {
    const code = error instanceof EvalkitError ? ` (${error.code})` : ""
    return { name, status: "failed", message: `${messageOf(error)}${code}` }
  }
}

/** One token may come as `length`, as `ok`, or as `empty` when the model began to reason. */
function judge(answer: Answer): Pick<DoctorCheck, "status" | "message"> {
  const took = `${(answer.log.endMs - answer.log.sendMs).toFixed(0)} ms`
  switch (answer.outcome) {
    case "ok":
    case "length":
    case "empty":
    case "refused":
      return { status: "ok", message: `answered in ${took}${answer.servedModel ? ` as ${answer.servedModel}` : ""}` }
    case "rate_limited":
      return { status: "warning", message: `reachable, but rate-limited now: ${reason(answer)}` }
    default:
      return { status: "failed", message: `${answer.outcome}: ${reason(answer)}` }
  }
}

function reason(answer: Answer): string {
  const status = answer.httpStatus === null ? "" : `HTTP ${answer.httpStatus} `
  return `${status}${answer.failure?.message ?? ""}`.trim() || "no reason was given"
}

/** Whether the file of a provider is a whole GGUF header; null for other providers. */
export async function checkModelFile(provider: Provider): Promise<DoctorCheck | null> {
  const path = provider.traits?.modelFile
  if (path === undefined) return null
  const name = `file ${path}`
  try {
    const { metadata, tensors } = await readGguf(path)
    const architecture = metadata.get("general.architecture")?.value
    return {
      name,
      status: "ok",
      message: `GGUF, ${String(architecture ?? "unknown architecture")}, ${tensors.length} tensors`,
    }
  } catch (error) {
    return { name, status: "failed", message: messageOf(error) }
  }
}
