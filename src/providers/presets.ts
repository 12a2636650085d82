import { checkOptions } from "../core/options.ts"
import type { Provider } from "../core/provider.ts"
import { withBaseUrl } from "./openai/base-url.ts"
import type { EndpointFeatures, OpenaiOptions } from "./openai/options.ts"
import { openaiAs } from "./openai.ts"

/** Options of a preset: those of {@link openai}; what is given replaces what the preset knows. @public */
export type PresetOptions = OpenaiOptions

/** What is known of a service that speaks OpenAI's protocol. @experimental */
export interface Preset {
  /** Where the service says so. */
  readonly documentation: string
  readonly baseUrl: string
  /** Null for local servers, which need no key unless they were told to. */
  readonly apiKeyVariable: string | null
  readonly features?: EndpointFeatures
  readonly maxTokensField?: OpenaiOptions["maxTokensField"]
  readonly seedField?: OpenaiOptions["seedField"]
  /** It has OpenAI's `/files` and `/batches`. */
  readonly hasBatches?: boolean
}

/** Base URLs and key variables of services by their documentation; `evalkit doctor` checks them for real. @experimental */
export const presets = {
  // logprobs end in a 400; https://console.groq.com/docs/batch
  groq: {
    documentation: "https://console.groq.com/docs/openai",
    baseUrl: "https://api.groq.com/openai/v1",
    apiKeyVariable: "GROQ_API_KEY",
    features: { logprobs: false },
    hasBatches: true,
  },
  together: {
    documentation: "https://docs.together.ai/docs/openai-api-compatibility",
    baseUrl: "https://api.together.xyz/v1",
    apiKeyVariable: "TOGETHER_API_KEY",
  },
  openrouter: {
    documentation: "https://openrouter.ai/docs/quickstart",
    baseUrl: "https://openrouter.ai/api/v1",
    apiKeyVariable: "OPENROUTER_API_KEY",
  },
  fireworks: {
    documentation: "https://docs.fireworks.ai/tools-sdks/openai-compatibility",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    apiKeyVariable: "FIREWORKS_API_KEY",
  },
  // the seed is called random_seed; counts come unasked, and asking for them ends in a 422
  mistral: {
    documentation: "https://docs.mistral.ai/api",
    baseUrl: "https://api.mistral.ai/v1",
    apiKeyVariable: "MISTRAL_API_KEY",
    seedField: "random_seed",
    features: { logprobs: false, streamUsage: "unasked" },
  },
  deepseek: {
    documentation: "https://api-docs.deepseek.com",
    baseUrl: "https://api.deepseek.com/v1",
    apiKeyVariable: "DEEPSEEK_API_KEY",
  },
  baseten: {
    documentation: "https://docs.baseten.co/development/model-apis/overview",
    baseUrl: "https://inference.baseten.co/v1",
    apiKeyVariable: "BASETEN_API_KEY",
  },
  vllm: {
    documentation: "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html",
    baseUrl: "http://127.0.0.1:8000/v1",
    apiKeyVariable: null,
    features: { echoLogprobs: true },
  },
  sglang: {
    documentation: "https://docs.sglang.ai/basic_usage/openai_api_completions.html",
    baseUrl: "http://127.0.0.1:30000/v1",
    apiKeyVariable: null,
  },
  llamaCppServer: {
    documentation: "https://github.com/ggml-org/llama.cpp/tree/master/tools/server",
    baseUrl: "http://127.0.0.1:8080/v1",
    apiKeyVariable: null,
    features: { forcedLogprobs: true },
  },
  ollama: {
    documentation: "https://docs.ollama.com/api/openai-compatibility",
    baseUrl: "http://127.0.0.1:11434/v1",
    apiKeyVariable: null,
  },
  lmStudio: {
    documentation: "https://lmstudio.ai/docs/developer/openai-compat",
    baseUrl: "http://127.0.0.1:1234/v1",
    apiKeyVariable: null,
  },
  nim: {
    documentation: "https://docs.nvidia.com/nim/large-language-models/latest/api-reference.html",
    baseUrl: "http://127.0.0.1:8000/v1",
    apiKeyVariable: null,
  },
  tensorRtLlm: {
    documentation: "https://nvidia.github.io/TensorRT-LLM/commands/trtllm-serve.html",
    baseUrl: "http://127.0.0.1:8000/v1",
    apiKeyVariable: null,
  },
} as const satisfies Readonly<Record<string, Preset>>

function fromPreset(kind: keyof typeof presets, options: PresetOptions): Provider {
  checkOptions(kind, options, "openai")
  const { features, hasBatches, documentation: _, ...preset }: Preset = presets[kind]
  const settings = { ...preset, ...withBaseUrl(options), features: { ...features, ...options.features } }
  return openaiAs(kind, settings, kind, hasBatches)
}

/** Groq, by its OpenAI-compatible API. @public */
export function groq(options: PresetOptions): Provider {
  return fromPreset("groq", options)
}

/** Together AI, by its OpenAI-compatible API. @public */
export function together(options: PresetOptions): Provider {
  return fromPreset("together", options)
}

/**
 * OpenRouter; who answered is in the answer's server facts, and what was charged in its usage.
 * @public
 */
export function openrouter(options: PresetOptions): Provider {
  return fromPreset("openrouter", options)
}

/** Fireworks AI, by its OpenAI-compatible API. @public */
export function fireworks(options: PresetOptions): Provider {
  return fromPreset("fireworks", options)
}

/** Mistral's La Plateforme, by its OpenAI-compatible API. @public */
export function mistral(options: PresetOptions): Provider {
  return fromPreset("mistral", options)
}

/** DeepSeek, by its OpenAI-compatible API. @public */
export function deepseek(options: PresetOptions): Provider {
  return fromPreset("deepseek", options)
}

/** Baseten's model APIs, by its OpenAI-compatible API. @public */
export function baseten(options: PresetOptions): Provider {
  return fromPreset("baseten", options)
}

/** A running `vllm serve`, by its OpenAI-compatible API. @public */
export function vllm(options: PresetOptions): Provider {
  return fromPreset("vllm", options)
}

/** A running `sglang.launch_server`, by its OpenAI-compatible API. @public */
export function sglang(options: PresetOptions): Provider {
  return fromPreset("sglang", options)
}

/** A running `llama-server` of llama.cpp, by its OpenAI-compatible API. @public */
export function llamaCppServer(options: PresetOptions): Provider {
  return fromPreset("llamaCppServer", options)
}

/** A running Ollama, by its OpenAI-compatible API. @public */
export function ollama(options: PresetOptions): Provider {
  return fromPreset("ollama", options)
}

/** A running LM Studio server, by its OpenAI-compatible API. @public */
export function lmStudio(options: PresetOptions): Provider {
  return fromPreset("lmStudio", options)
}

/** A running NVIDIA NIM container, by its OpenAI-compatible API. @public */
export function nim(options: PresetOptions): Provider {
  return fromPreset("nim", options)
}

/** A running `trtllm-serve`, by its OpenAI-compatible API. @public */
export function tensorRtLlm(options: PresetOptions): Provider {
  return fromPreset("tensorRtLlm", options)
}

/** Options of {@link azureOpenai}. @public */
export interface AzureOptions extends Omit<PresetOptions, "model"> {
  /** Name of the Azure OpenAI resource: the first part of its host. */
  readonly resource: string
  /** Name of the deployment: what Azure takes as the model. */
  readonly deployment: string
}

/**
 * Azure OpenAI through its v1 API (https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle), which
 * needs no `api-version`. The key is read from AZURE_OPENAI_API_KEY.
 * @public
 */
export function azureOpenai(options: AzureOptions): Provider {
  checkOptions("azureOpenai", options)
  const { resource, deployment, ...others } = withBaseUrl(options)
  const own = {
    baseUrl: `https://${resource}.openai.azure.com/openai/v1`,
    apiKeyVariable: "AZURE_OPENAI_API_KEY",
    maxTokensField: "max_completion_tokens",
  } as const
  return openaiAs("azureOpenai", { ...own, ...others, model: deployment }, "azureOpenai", true)
}
