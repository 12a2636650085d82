import { basename, extname } from "node:path"
import { UsageError } from "../core/errors.ts"
import type { Evaluation } from "../core/run/evaluation.ts"
import type { RetryRecord } from "../core/run/run-record.ts"
import type { Prompt, Variant } from "../core/variant.ts"
import { triesAlpha } from "../stats/sequential/tries-alpha.ts"
import { prompt } from "./prompt.ts"

/**
 * The evaluation of a retry, from that of the run it repairs: the baseline, the candidate that lost, and the candidate with each changed
 * prompt, read at the error rate that is left for so many tries and asked live. The same evaluation for a run that is none.
 *
 * @throws {UsageError} when the config has no such candidate, or a prompt cannot be parsed
 */
export function retryEvaluation(
  evaluation: Evaluation,
  retry: Omit<RetryRecord, "first" | "cause" | "causeName" | "metric"> | undefined,
): Evaluation {
  if (!retry) return evaluation
  const { base, prompts, firstAlpha, triesBefore } = retry
  const { batch: _, ...live } = evaluation
  const source = evaluation.variants.find((entry) => entry.name === base)
  if (!source)
    throw new UsageError(`the config has no variant ${base}, whose prompt is changed`, {
      where: `retry of run ${retry.of}`,
      hint: "retry with the config that the run was made with",
    })
  // Not a value of a sweep of the config, but a variant of its own.
  const { sweep, ...own } = source
  const before = retry.baseTexts.reduce(changedPrompt, own.prompt)
  const changed = prompts.map(({ variant, text }): Variant => {
    return { ...own, name: variant, prompt: changedPrompt(before, text) }
  })
  const isRetried = (name: string) => name === base || name === retry.candidate
  const candidate = { ...own, name: retry.candidate, prompt: before }
  return {
    ...live,
    variants: [...evaluation.variants.filter((entry) => entry.name === evaluation.baseline), candidate, ...changed],
    alpha: triesAlpha(firstAlpha, triesBefore, prompts.length),
    gate: evaluation.gate.map((rule) => ({
      ...rule,
      ...(rule.variants && {
        variants: rule.variants.flatMap((name) => (isRetried(name) ? changed.map((each) => each.name) : [name])),
      }),
    })),
  }
}

/** A name for the candidate with the prompt of a file, that none of these has. */
export function retryName(candidate: string, file: string, taken: readonly string[]): string {
  const own = `${candidate}-${basename(file, extname(file))}`.replace(/[^A-Za-z0-9._-]+/g, "-")
  for (let number = 1; ; number++) {
    const name = number === 1 ? own : `${own}-${number}`
    if (!taken.includes(name)) return name
  }
}

/** A text with a field of the sample is the user's message, any other the system's; the other messages stay as they were. */
function changedPrompt(before: Prompt, text: string): Prompt {
  const isUser = text.includes("{{")
  const changed = isUser ? prompt(text) : prompt([], { system: text })
  return {
    identity: { kind: "retry", of: before.identity, changed: changed.identity },
    render(sample) {
      const messages = before.render(sample)
      const isSystem = ({ role }: (typeof messages)[number]) => role === "system"
      return isUser
        ? [...messages.filter(isSystem), ...changed.render(sample)]
        : [...changed.render(sample), ...messages.filter((message) => !isSystem(message))]
    },
  }
}
