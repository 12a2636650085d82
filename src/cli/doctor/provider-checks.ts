import { systemClock } from "../../core/clock.ts"
import type { Price } from "../../core/cost.ts"
import { EvalkitError, messageOf } from "../../core/errors.ts"
import type { ModelRequest, OpenContext, Provider, Timeouts } from "../../core/provider.ts"
import { readGguf } from "../../local-model/gguf/read-gguf.ts"
import { answerFacts, answerVerdict } from "./answer-checks.ts"
import { checkBatches } from "./batch-check.ts"
import type { DoctorCheck } from "./check.ts"

/** What the checks of one provider need. */
export interface ProviderCheckOptions extends Pick<OpenContext, "environment" | "signal" | "cacheDirectory"> {
  readonly timeouts: Timeouts
  /** Ask for an answer; false opens and closes only (a started server still has to get ready). */
  readonly call: boolean
  progress(message: string): void
}

/** A call as a variant or a judge makes it. */
export interface TriedCall {
  /** How its checks are called: `variant a`. */
  readonly name: string
  readonly provider: Provider
  readonly request: ModelRequest
  /** A metric cannot be computed without log-probabilities. */
  readonly needsLogprobs: boolean
  /** The price of a variant that is to be asked by batch; absent: it is not. */
  readonly batchPrice?: Price | null
}

/** Tokens of an answer that says whether a call works; more where JSON or a tool call must be whole. */
const [fewTokens, wholeTokens] = [16, 512]

/** Key, reachability, parameters and latency of one kind of call: open, ask as the run asks, close. Never prints a key. */
export async function checkCall(call: TriedCall, options: ProviderCheckOptions): Promise<readonly DoctorCheck[]> {
  const { name, provider } = call
  try {
    const session = await provider.open({ ...options, clock: systemClock })
    try {
      if (!options.call || provider.traits?.isRecord)
        return [{ name, status: "ok", message: `${provider.label} opened; no call was made` }]
      const now = systemClock.now()
      const { parameters, messages } = call.request
      const max = parameters.jsonSchema || parameters.tools?.length ? wholeTokens : fewTokens
      const answer = await session.request(
        { messages, parameters: { ...parameters, maxTokens: Math.min(parameters.maxTokens ?? max, max) } },
        { signal: options.signal, timeouts: options.timeouts, clock: systemClock, originMs: now, scheduledMs: now },
      )
      const { status, message } = answerVerdict(answer)
      const latencyMs = answer.log.endMs - answer.log.sendMs
      const first = {
        name,
        status,
        message: `${provider.label} ${status === "failed" ? "did not answer: " : ""}${message}`,
        latencyMs,
      }
      if (status !== "ok") return [first]
      const facts = answerFacts(answer, parameters, { logprobs: call.needsLogprobs })
      const { batchPrice } = call
      const takesBatches = provider.traits?.takesBatches ?? false
      const batches =
        batchPrice === undefined ? [] : [await checkBatches(session, takesBatches, batchPrice, options.signal)]
      return [first, ...[...facts, ...batches].map((fact) => ({ ...fact, name: `${name}: ${fact.name}` }))]
    } finally {
      await session.close()
    }
  } catch (error) {
    const code = error instanceof EvalkitError ? ` (${error.code})` : ""
    return [{ name, status: "failed", message: `${messageOf(error)}${code}` }]
  }
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
