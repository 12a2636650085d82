import { checkOptions } from "../core/options.ts"
import type { Provider } from "../core/provider.ts"
import { withBaseUrl } from "./openai/base-url.ts"
import { type EndpointFeatures, type OpenaiOptions, openaiOptions } from "./openai/options.ts"
import { openaiAs } from "./openai.ts"

/** Options of a preset: those of {@link openai}; what is given replaces what the preset knows. @public */
export type PresetOptions = OpenaiOptions

interface Preset {
  readonly baseUrl: string
  /** Null for local servers, which need no key unless they were told to. */
  readonly apiKeyVariable: string | null
  readonly features?: EndpointFeatures
  readonly maxTokensField?: OpenaiOptions["maxTokensField"]
  readonly seedField?: OpenaiOptions["seedField"]
  /** It has OpenAI's `/files` and `/batches`. */
  readonly hasBatches?: boolean
}

/** Base URLs and key variables by the documentation that is linked above each; `evalkit doctor` checks them for real. */
const presets = {
  // https://console.groq.com/docs/openai — logprobs end in a 400; https://console.groq.com/docs/batch
  groq: {
    baseUrl: "https://api.groq.com/openai/v1",
    apiKeyVariable: "GROQ_API_KEY",
    features: { logprobs: false },
    hasBatches: true,
  },
  // https://docs.together.ai/docs/openai-api-compatibility
  together: { baseUrl: "https://api.together.xyz/v1", apiKeyVariable: "TOGETHER_API_KEY" },
  // https://openrouter.ai/docs/quickstart
  openrouter: { baseUrl: "https://openrouter.ai/api/v1", apiKeyVariable: "OPENROUTER_API_KEY" },
  // https://docs.fireworks.ai/tools-sdks/openai-compatibility
  fireworks: { baseUrl: "https://api.fireworks.ai/inference/v1", apiKeyVariable: "FIREWORKS_API_KEY" },
  // https://docs.mistral.ai/api — the seed is called random_seed; counts come unasked, and asking for them ends in a 422
  mistral: {
    baseUrl: "https://api.mistral.ai/v1",
    apiKeyVariable: "MISTRAL_API_KEY",
    seedField: "random_seed",
    features: { logprobs: false, streamUsage: "unasked" },
  },
  // https://api-docs.deepseek.com
  deepseek: { baseUrl: "https://api.deepseek.com/v1", apiKeyVariable: "DEEPSEEK_API_KEY" },
  // https://docs.baseten.co/development/model-apis/overview
  baseten: { baseUrl: "https://inference.baseten.co/v1", apiKeyVariable: "BASETEN_API_KEY" },
  // https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
  vllm: { baseUrl: "http://127.0.0.1:8000/v1", apiKeyVariable: null, features: { echoLogprobs: true } },
  // https://docs.sglang.ai/basic_usage/openai_api_completions.html
  sglang: { baseUrl: "http://127.0.0.1:30000/v1", apiKeyVariable: null },
  // https://github.com/ggml-org/llama.cpp/tree/master/tools/server
  llamaCppServer: { baseUrl: "http://127.0.0.1:8080/v1", apiKeyVariable: null, features: { forcedLogprobs: true } },
  // https://docs.ollama.com/api/openai-compatibility
  ollama: { baseUrl: "http://127.0.0.1:11434/v1", apiKeyVariable: null },
  // https://lmstudio.ai/docs/developer/openai-compat
  lmStudio: { baseUrl: "http://127.0.0.1:1234/v1", apiKeyVariable: null },
  // https://docs.nvidia.com/nim/large-language-models/latest/api-reference.html
  nim: { baseUrl: "http://127.0.0.1:8000/v1", apiKeyVariable: null },
  // https://nvidia.github.io/TensorRT-LLM/commands/trtllm-serve.html
  tensorRtLlm: { baseUrl: "http://127.0.0.1:8000/v1", apiKeyVariable: null },
} as const satisfies Readonly<Record<string, Preset>>

function fromPreset(kind: keyof typeof presets, options: PresetOptions): Provider {
  checkOptions(kind, options, openaiOptions)
  const { features, hasBatches, ...preset }: Preset = presets[kind]
  const given = { ...preset, ...withBaseUrl(options), features: { ...features, ...options.features } }
  return openaiAs(kind, given, kind, hasBatches)
}

/** Groq. Key and address: see the table of presets. @public */
export function groq(options: PresetOptions): Provider {
  return fromPreset("groq", options)
}

/** Together AI. Key and address: see the table of presets. @public */
export function together(options: PresetOptions): Provider {
  return fromPreset("together", options)
}

/**
 * OpenRouter; who answered is in the answer's server facts, and what was charged in its usage. Key and address: see the table of presets.
 * @public
 */
export function openrouter(options: PresetOptions): Provider {
  return fromPreset("openrouter", options)
}

/** Fireworks AI. Key and address: see the table of presets. @public */
export function fireworks(options: PresetOptions): Provider {
  return fromPreset("fireworks", options)
}

/** Mistral's La Plateforme. Key and address: see the table of presets. @public */
export function mistral(options: PresetOptions): Provider {
  return fromPreset("mistral", options)
}

/** DeepSeek. Key and address: see the table of presets. @public */
export function deepseek(options: PresetOptions): Provider {
  return fromPreset("deepseek", options)
}

/** Baseten's model APIs. Key and address: see the table of presets. @public */
export function baseten(options: PresetOptions): Provider {
  return fromPreset("baseten", options)
}

/** A running `vllm serve`. Key and address: see the table of presets. @public */
export function vllm(options: PresetOptions): Provider {
  return fromPreset("vllm", options)
}

/** A running `sglang.launch_server`. Key and address: see the table of presets. @public */
export function sglang(options: PresetOptions): Provider {
  return fromPreset("sglang", options)
}

/** A running `llama-server` of llama.cpp. Key and address: see the table of presets. @public */
export function llamaCppServer(options: PresetOptions): Provider {
  return fromPreset("llamaCppServer", options)
}

/** A running Ollama. Key and address: see the table of presets. @public */
export function ollama(options: PresetOptions): Provider {
  return fromPreset("ollama", options)
}

/** A running LM Studio server. Key and address: see the table of presets. @public */
export function lmStudio(options: PresetOptions): Provider {
  return fromPreset("lmStudio", options)
}

/** A running NVIDIA NIM container. Key and address: see the table of presets. @public */
export function nim(options: PresetOptions): Provider {
  return fromPreset("nim", options)
}

/** A running `trtllm-serve`. Key and address: see the table of presets. @public */
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
  const { model: _deployment, ...shared } = openaiOptions
  checkOptions("azureOpenai", options, { ...shared, resource: "text", deployment: "text" })
  const { resource, deployment, ...given } = withBaseUrl(options)
  const own = {
    baseUrl: `https://${resource}.openai.azure.com/openai/v1`,
    apiKeyVariable: "AZURE_OPENAI_API_KEY",
    maxTokensField: "max_completion_tokens",
  } as const
  return openaiAs("azureOpenai", { ...own, ...given, model: deployment }, "azureOpenai", true)
}
