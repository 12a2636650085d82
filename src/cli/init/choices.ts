import { nearest } from "../../core/did-you-mean.ts"
import { UsageError } from "../../core/errors.ts"

/** A service that `evalkit init` can write a config for. */
export interface Service {
  /** The function that a config imports. */
  readonly factory: string
  /** Environment variable that holds the key; null where none is needed. */
  readonly keyVariable: string | null
  /** Models that are suggested: the one in use and a candidate to swap it for. */
  readonly baseline: string
  readonly candidate: string
  /** Tokens that an answer may have: few for a bare fact, more where the suggested models think first. */
  readonly maxTokens: number
}

/** Services by the name that `--provider` takes. */
export const services: ReadonlyMap<string, Service> = new Map<string, Service>([
  ["openai", service("openai", "OPENAI_API_KEY", "gpt-4.1", "gpt-4.1-mini")],
  ["anthropic", service("anthropic", "ANTHROPIC_API_KEY", "claude-sonnet-4-6", "claude-haiku-4-5")],
  ["gemini", service("gemini", "GEMINI_API_KEY", "gemini-3.5-flash", "gemini-3.5-flash-lite", 1024)],
  ["groq", service("groq", "GROQ_API_KEY", "openai/gpt-oss-120b", "openai/gpt-oss-20b", 1024)],
  ["mistral", service("mistral", "MISTRAL_API_KEY", "mistral-medium-latest", "mistral-small-latest")],
  ["openrouter", service("openrouter", "OPENROUTER_API_KEY", "openai/gpt-4.1", "openai/gpt-4.1-mini")],
  ["ollama", service("ollama", null, "llama3.1:8b", "llama3.2:3b")],
  ["local", service("local", null, "model-f16.gguf", "model-q4_0.gguf")],
])

function service(
  factory: string,
  keyVariable: string | null,
  baseline: string,
  candidate: string,
  maxTokens = 32,
): Service {
  return { factory, keyVariable, baseline, candidate, maxTokens }
}

/** What a new config compares. */
export interface InitChoices {
  readonly provider: string
  readonly baseline: string
  readonly candidate: string
}

/** Asks one question; an empty answer takes the default. */
export type Ask = (question: string, fallback: string) => Promise<string>

/**
 * Completes what the flags left open: by asking, else by defaults.
 *
 * @throws UsageError for an unknown provider.
 */
export async function completeChoices(given: Partial<InitChoices>, ask: Ask | null): Promise<InitChoices> {
  const question = ask ?? ((_text: string, fallback: string) => Promise.resolve(fallback))
  const provider = given.provider ?? (await question(`Provider (${[...services.keys()].join(", ")})`, "openai"))
  const chosen = services.get(provider)
  if (chosen === undefined) {
    const meant = nearest(provider, [...services.keys()])
    throw new UsageError(`unknown provider "${provider}"`, {
      where: "--provider",
      hint: meant ? `did you mean "${meant}"?` : `one of: ${[...services.keys()].join(", ")}`,
    })
  }
  return {
    provider,
    baseline: given.baseline ?? (await question("Model in use (the baseline)", chosen.baseline)),
    candidate: given.candidate ?? (await question("Model to swap it for (the candidate)", chosen.candidate)),
  }
}
