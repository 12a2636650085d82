import type { ChatService } from "../chat-service.ts"
import { openai, reasons, refusedByReasoning } from "./openai.ts"

/**
 * Azure OpenAI through its v1 interface: OpenAI's, with the findings of the content filter in every chunk and before all of them.
 *
 * Sources: learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle and …/concepts/content-streaming (2026);
 * recorded streams of a deployment in meta-llama/llama-stack (tests/integration/recordings, 2025-09: a first chunk without choices,
 * model and id); 401 and 404: learn.microsoft.com/answers. The prices are what a customer of this mock pays.
 */
export const azure: ChatService = {
  ...openai,
  name: "azure",
  basePath: "/openai/v1",
  keyVariable: "AZURE_OPENAI_API_KEY",
  models: ["gpt-4.1", "gpt-4.1-mini"],
  refuse: (body) => (reasons(body) ? refusedByReasoning(body) : null),
  wrongKey: {
    status: 401,
    message:
      "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.",
    code: "401",
  },
  wrongModel: () => ({
    status: 404,
    message: "The API deployment for this resource does not exist.",
    code: "DeploymentNotFound",
  }),
  first: {
    id: "",
    model: "",
    object: "",
    created: 0,
    choices: [],
    prompt_filter_results: [
      { prompt_index: 0, content_filter_results: { hate: { filtered: false, severity: "safe" } } },
    ],
  },
  chunk: { system_fingerprint: "fp_1" },
  choice: { logprobs: null, content_filter_results: {} },
  headers: { "apim-request-id": "a-1", "x-ms-region": "Sweden Central", "x-ratelimit-remaining-requests": "249" },
  rates: { "gpt-4.1": [2, 0.5, 8], "gpt-4.1-mini": [0.4, 0.1, 1.6] },
}
