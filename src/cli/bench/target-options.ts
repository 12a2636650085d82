import { UsageError } from "../../core/errors.ts"
import type { Args } from "../command.ts"

/** Options that say what `--url` is asked, by their name in the arguments, with where a config says it. */
const ofUrl: Readonly<Record<string, readonly [option: string, inConfig: string]>> = {
  model: ["--model", "or give a config"],
  keyVariable: ["--key-variable", "a config's provider takes apiKeyVariable itself"],
  metricsUrl: ["--metrics-url", "a config's provider takes metricsUrl itself"],
  extraBody: ["--extra-body", "a config's provider takes extraBody itself"],
  price: ["--price", "a config's variants take price themselves"],
  promptTokens: ["--prompt-tokens", "the prompts of a config are those of its data set"],
  sharedPrefix: ["--shared-prefix", "the prompts of a config are those of its data set"],
  maxTokens: ["--max-tokens", "a config's variants take parameters.maxTokens themselves"],
}

/**
 * Refuses an option that would be left unread.
 *
 * @param asked as the command line has them, without what a profile adds
 * @throws {UsageError} for an option of `--url` without it, and for one of a config beside `--url`
 */
export function checkTargetOptions(asked: Args): void {
  if (asked.url !== undefined) {
    if (asked.variant !== undefined)
      throw new UsageError("--variant needs a config", { hint: "--url has one variant, that of --model" })
    return
  }
  for (const [name, [option, inConfig]] of Object.entries(ofUrl))
    if (asked[name] !== undefined) throw new UsageError(`${option} needs --url`, { hint: inConfig })
}

/** Options that say nothing without another, by their names in the arguments. */
const companions: readonly (readonly [name: string, option: string, needed: string, companion: string])[] = [
  ["quick", "--quick", "findRate", "--find-rate"],
  ["against", "--against", "url", "--url"],
  ["repeat", "--repeat", "against", "--against"],
]

/** @throws {UsageError} for an option whose companion is not given */
export function checkCompanions(asked: Args): void {
  for (const [name, option, needed, companion] of companions)
    if (asked[name] !== undefined && asked[name] !== false && !asked[needed])
      throw new UsageError(`${option} needs ${companion}`, { where: "evalkit bench", hint: `add ${companion}` })
}
