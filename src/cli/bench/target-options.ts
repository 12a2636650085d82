import { UsageError } from "../../core/errors.ts"

type Args = Readonly<Record<string, unknown>>

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
