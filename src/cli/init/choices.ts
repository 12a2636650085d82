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
  /** What the function calls the model. Default: `model`. */
  readonly modelOption?: string
  /** More options of both variants, as JSON. */
  readonly options?: Readonly<Record<string, string>>
  /** Addresses of the two variants where a server holds one model only. */
  readonly servers?: readonly [baseline: string, candidate: string]
  /** What is to be done before the config can run. */
  readonly first?: string
}

/** Tokens of an answer that begins with thinking; also where it is not known whether a model does. */
export const roomToThink = 1024

const bareFact = 32

/** Services by the name that `--provider` takes. */
export const services: ReadonlyMap<string, Service> = new Map<string, Service>([
  ["openai", service("openai", "OPENAI_API_KEY", "gpt-4.1", "gpt-4.1-mini")],
  [
    "azure",
    {
      ...service("azureOpenai", "AZURE_OPENAI_API_KEY", "gpt-4.1", "gpt-4.1-mini"),
      modelOption: "deployment",
      options: { resource: "your-resource" },
      first: "put the name of your Azure resource and of its deployments into the config",
    },
  ],
  ["anthropic", service("anthropic", "ANTHROPIC_API_KEY", "claude-sonnet-4-6", "claude-haiku-4-5")],
  [
    "anthropic-compatible",
    compatible("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", "claude-sonnet-4-6", "claude-haiku-4-5"),
  ],
  ["gemini", service("gemini", "GEMINI_API_KEY", "gemini-3.5-flash", "gemini-3.5-flash-lite", roomToThink)],
  [
    "gemini-compatible",
    {
      ...compatible(
        "https://generativelanguage.googleapis.com/v1beta/openai",
        "GEMINI_API_KEY",
        "gemini-3.5-flash",
        "gemini-3.5-flash-lite",
      ),
      maxTokens: roomToThink,
    },
  ],
  ["cohere", service("cohere", "COHERE_API_KEY", "command-a-03-2025", "command-r-08-2024")],
  ["groq", service("groq", "GROQ_API_KEY", "openai/gpt-oss-120b", "openai/gpt-oss-20b", roomToThink)],
  ["together", service("together", "TOGETHER_API_KEY", "openai/gpt-oss-120b", "Qwen/Qwen3.5-9B", roomToThink)],
  ["mistral", service("mistral", "MISTRAL_API_KEY", "mistral-medium-latest", "mistral-small-latest")],
  ["deepseek", service("deepseek", "DEEPSEEK_API_KEY", "deepseek-v4-pro", "deepseek-v4-flash", roomToThink)],
  ["openrouter", service("openrouter", "OPENROUTER_API_KEY", "openai/gpt-4.1", "openai/gpt-4.1-mini")],
  ["vllm", server("vllm", "vllm serve", "Qwen/Qwen3-8B", "Qwen/Qwen3-8B-AWQ", 8000)],
  ["sglang", server("sglang", "python -m sglang.launch_server", "Qwen/Qwen3-8B", "Qwen/Qwen3-8B-AWQ", 30000)],
  ["llama.cpp", server("llamaCppServer", "llama-server", "qwen3-8b-q8_0.gguf", "qwen3-8b-q4_k_m.gguf", 8080)],
  ["ollama", { ...service("ollama", null, "llama3.1:8b", "llama3.2:3b"), first: "ollama serve" }],
  ["lm-studio", { ...service("lmStudio", null, "qwen3-8b", "qwen3-4b", roomToThink), first: "lms server start" }],
  ["local", service("local", null, "model-f16.gguf", "model-q4_0.gguf")],
])

function service(
  factory: string,
  keyVariable: string | null,
  baseline: string,
  candidate: string,
  maxTokens = bareFact,
): Service {
  return { factory, keyVariable, baseline, candidate, maxTokens }
}

/** An endpoint that speaks OpenAI's protocol beside an interface of its own. */
function compatible(baseUrl: string, keyVariable: string, baseline: string, candidate: string): Service {
  return { ...service("openai", keyVariable, baseline, candidate), options: { baseUrl, apiKeyVariable: keyVariable } }
}

/** A server that holds one model: one runs for each variant. */
function server(factory: string, command: string, baseline: string, candidate: string, port: number): Service {
  return {
    ...service(factory, null, baseline, candidate, roomToThink),
    servers: [`http://127.0.0.1:${port}/v1`, `http://127.0.0.1:${port + 1}/v1`],
    first: `${command} … (one for each model, on ports ${port} and ${port + 1})`,
  }
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
export async function completeChoices(options: Partial<InitChoices>, ask: Ask | null): Promise<InitChoices> {
  const question = ask ?? ((_text: string, fallback: string) => Promise.resolve(fallback))
  const provider = options.provider ?? (await question(`Provider (${[...services.keys()].join(", ")})`, "openai"))
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
    baseline: options.baseline ?? (await question("Model in use (the baseline)", chosen.baseline)),
    candidate: options.candidate ?? (await question("Model to swap it for (the candidate)", chosen.candidate)),
  }
}
