import { priceSource } from "../../words/reasons/prices.ts"
import type { PriceTable } from "./price-table.ts"

/** Services that host open-weight models of others. */
export const openModelHostPrices: readonly PriceTable[] = [
  {
    provider: "groq",
    source: priceSource("console.groq.com/docs/models", ["models.dev", "braintrust-proxy"]),
    date: "2026-11-10",
    rows: [
      ["openai/gpt-oss-120b", 0.15, 0.075, 0.6, null, 131072],
      ["openai/gpt-oss-20b", 0.075, 0.0375, 0.3, null, 131072],
      ["openai/gpt-oss-safeguard-20b", 0.075, null, 0.3, null, 131072],
      ["qwen/qwen3.6-27b", 0.6, null, 3, null, 131072],
    ],
  },
  {
    provider: "together",
    source: priceSource("docs.together.ai/docs/serverless/models", ["models.dev", "braintrust-proxy"]),
    date: "2026-11-10",
    rows: [
      ["moonshotai/Kimi-K3", 3, 0.3, 15, null, 1048576],
      ["zai-org/GLM-5.2", 1.4, 0.26, 4.4, null, null],
      ["deepseek-ai/DeepSeek-V4-Pro-0813", 1.32, 0.13, 3.96, null, 1048576],
      ["MiniMaxAI/MiniMax-M3", 0.3, 0.06, 1.2, null, 524288],
      ["Qwen/Qwen3.6-Plus", 0.5, null, 3, null, 1000000],
      ["Qwen/Qwen3.5-9B", 0.17, null, 0.25, null, 262144],
      ["openai/gpt-oss-120b", 0.15, null, 0.6, null, 131072],
      ["thinkingmachines/Inkling", 1, 0.17, 4.05, null, null],
    ],
  },
  {
    provider: "fireworks",
    source: priceSource("docs.fireworks.ai/serverless/pricing", ["models.dev", "braintrust-proxy"]),
    date: "2026-11-10",
    rows: [
      ["accounts/fireworks/models/kimi-k3", 3, 0.3, 15, 0.5, 1048576],
      ["accounts/fireworks/models/minimax-m3", 0.3, 0.06, 1.2, 0.5, 512000],
      ["accounts/fireworks/models/qwen3p8-max", 2, 0.25, 6, 0.5, 262144],
    ],
  },
  {
    provider: "fireworks",
    source: priceSource("docs.fireworks.ai/serverless/pricing", ["braintrust-proxy"]),
    date: "2026-08-21",
    rows: [
      ["accounts/fireworks/models/kimi-k2p6", 0.95, 0.16, 4, 0.5, null],
      ["accounts/fireworks/models/glm-5p1", 1.4, 0.26, 4.4, 0.5, 202800],
      ["accounts/fireworks/models/minimax-m2p7", 0.3, 0.06, 1.2, 0.5, 196608],
      ["accounts/fireworks/models/gpt-oss-120b", 0.15, 0.015, 0.6, 0.5, 131072],
      ["accounts/fireworks/models/gpt-oss-20b", 0.07, 0.035, 0.3, 0.5, 131072],
    ],
  },
  {
    provider: "baseten",
    source: priceSource("docs.baseten.co/inference/model-apis", ["models.dev", "genai-prices"]),
    date: "2026-11-10",
    rows: [
      ["moonshotai/Kimi-K3", 3, 0.3, 15, null, 1048576],
      ["zai-org/GLM-5.3", 1.4, 0.14, 4.4, null, 1048576],
      ["zai-org/GLM-5.3-Flash", 0.15, 0.03, 0.5, null, 1048576],
      ["zai-org/GLM-5.2", 1.4, 0.14, 4.4, null, null],
      ["zai-org/GLM-5.2-Fast", 2.1, 0.21, 6.6, null, null],
      ["deepseek-ai/DeepSeek-V4-Pro-0813", 1.32, 0.132, 3.96, null, 1048576],
      ["deepseek-ai/DeepSeek-V4-Flash-0731", 0.13, 0.028, 0.26, null, 1048576],
      ["nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B", 0.6, 0.12, 2.4, null, 202800],
      ["openai/gpt-oss-120b", 0.1, null, 0.5, null, 128072],
    ],
  },
  {
    provider: "deepinfra",
    source: priceSource("deepinfra.com/pricing", ["models.dev", "Portkey"]),
    date: "2026-08-21",
    rows: [
      ["MiniMaxAI/MiniMax-M2.5", 0.15, 0.03, 1.15, null, 196608],
      ["Qwen/Qwen3.5-35B-A3B", 0.14, 0.05, 1, null, 262144],
      ["Qwen/Qwen3.6-35B-A3B", 0.15, null, 0.95, null, 262144],
      ["deepseek-ai/DeepSeek-V3.2", 0.26, 0.13, 0.38, null, 163840],
      ["deepseek-ai/DeepSeek-V4-Pro", 1.3, 0.1, 2.6, null, 1048576],
      ["google/gemma-4-26B-A4B-it", 0.07, null, 0.34, null, null],
      ["google/gemma-4-31B-it", 0.13, null, 0.38, null, null],
      ["meta-llama/Llama-3.3-70B-Instruct-Turbo", 0.1, null, 0.32, null, 131072],
      ["moonshotai/Kimi-K2.5", 0.45, 0.07, 2.25, null, 262144],
      ["moonshotai/Kimi-K2.6", 0.75, 0.15, 3.5, null, 262144],
      ["openai/gpt-oss-120b", 0.039, null, 0.19, null, 131072],
      ["openai/gpt-oss-20b", 0.03, null, 0.14, null, 131072],
      ["zai-org/GLM-4.6", 0.43, 0.08, 1.74, null, 202752],
      ["zai-org/GLM-4.7", 0.4, 0.08, 1.75, null, 202752],
      ["zai-org/GLM-5", 0.6, 0.12, 2.08, null, 202752],
    ],
  },
]
