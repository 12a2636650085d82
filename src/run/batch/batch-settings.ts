import { type BatchSettings, defaultPollSeconds } from "../../core/batch/batch-record.ts"
import { UsageError } from "../../core/errors.ts"
import type { Evaluation } from "../../core/run/evaluation.ts"
import type { RunRecord } from "../../core/run/run-record.ts"

/**
 * Checks what a run by batch needs, before anything is stored or sent.
 *
 * @throws {UsageError} when no variant's provider takes batches, or when the run is to stop early
 */
export function checkBatch({ batch, variants }: Pick<Evaluation, "batch" | "variants">, untilDecided: boolean): void {
  if (!batch) return
  if (untilDecided)
    throw new UsageError("--batch and --until do not go together", {
      hint: "each look at the answers would wait for a batch of its own; leave one of them out",
    })
  const agent = variants.find(({ episode }) => episode !== undefined)
  if (agent)
    throw new UsageError("conversations and agents cannot be asked by batch", {
      where: `variant ${agent.name}`,
      hint: "each of their steps needs the answer to the one before it; leave --batch out to ask live",
    })
  if (!variants.some(({ provider }) => provider.traits?.takesBatches))
    throw new UsageError("no variant can be asked by batch", {
      where: variants.map(({ name, provider }) => `${name} (${provider.label})`).join(", "),
      hint: "openai, azureOpenai, groq, anthropic and gemini can; leave --batch out to ask live",
    })
}

/**
 * How a run asks: as it began, whatever a later process is told.
 *
 * @returns null for a run that asks live
 * @throws {UsageError} when a resumed run is told to ask in another way than it began
 */
export function batchSettings(record: RunRecord, settings: BatchSettings | undefined): BatchSettings | null {
  const begun = record.batch
  if (settings && begun?.liveShare !== settings.liveShare)
    throw new UsageError("the run was begun in another way than it is to go on", {
      code: "plan_changed",
      where: begun ? `by batch, with a live share of ${begun.liveShare}` : "live, without --batch",
      hint: "go on as it began, or start a new run",
    })
  return begun ? { pollSeconds: defaultPollSeconds, ...settings, ...begun } : null
}
