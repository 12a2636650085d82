import type { ChatService } from "./chat-service.ts"
import { anthropicCompatible } from "./services/anthropic-compatible.ts"
import { azure } from "./services/azure.ts"
import { deepseek } from "./services/deepseek.ts"
import { geminiCompatible } from "./services/gemini-compatible.ts"
import { groq } from "./services/groq.ts"
import { llamaCpp } from "./services/llama-cpp.ts"
import { lmStudio } from "./services/lm-studio.ts"
import { mistral } from "./services/mistral.ts"
import { ollama } from "./services/ollama.ts"
import { openai } from "./services/openai.ts"
import { openrouter } from "./services/openrouter.ts"
import { sglang } from "./services/sglang.ts"
import { together } from "./services/together.ts"
import { vllm } from "./services/vllm.ts"

/** Every OpenAI-shaped service that has a mock. */
export const chatServices: readonly ChatService[] = [
  openai,
  azure,
  anthropicCompatible,
  geminiCompatible,
  groq,
  together,
  mistral,
  deepseek,
  openrouter,
  vllm,
  sglang,
  llamaCpp,
  ollama,
  lmStudio,
]
