import { UsageError } from "../../core/errors.ts"
import type { PromptCacheUse } from "../../perf/bench/bench-level.ts"
import type { Args } from "../command.ts"

/** What `--prompt-cache` may be. */
export const promptCacheChoices = ["hit", "miss", "both"] as const

/** Long enough for the caches of hosted services, which begin at 1,024 tokens. */
const defaults = { promptTokens: "2048", sharedPrefix: 0.9 }

/**
 * The options with what `--prompt-cache` says where the command line says nothing: long prompts that have most of their words in common.
 *
 * @throws UsageError where the prompts are not evalkit's own
 */
export function withPromptCache(args: Args): Args {
  if (args.promptCache === undefined) return args
  const flag = `--prompt-cache ${String(args.promptCache)}`
  if (typeof args.url !== "string")
    throw new UsageError("--prompt-cache needs --url: a config's own prompts are asked as they are", {
      where: flag,
      hint: "without it, hits and misses of a config's prompts stand beside each other as far as the service reports them",
    })
  for (const name of ["trace", "lengths"])
    if (args[name] !== undefined)
      throw new UsageError(`--prompt-cache and --${name} exclude each other: a trace states what its prompts share`, {
        where: flag,
      })
  const named = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined))
  return { ...defaults, ...named }
}

/** Whether prompts are made for hits, for misses, for each in turn, or (empty) for neither. */
export function promptCacheUses({ promptCache }: Args): readonly PromptCacheUse[] {
  if (promptCache === undefined) return []
  return promptCache === "both" ? ["hit", "miss"] : [promptCache as PromptCacheUse]
}
