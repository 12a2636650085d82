/** Where the figures of a workload profile are from; what is evalkit's own choice says so. */
export const profileSources = {
  chat: "lengths and objectives: GuideLLM (August 2026); 50 requests a second: AIPerf 0.13; arrivals: Azure's trace of conversations",
  rag: "lengths and objectives: GuideLLM (August 2026); 20 requests a second: AIPerf 0.13; arrivals: Poisson, evalkit's choice",
  summarise: "lengths, 5 requests a second and objectives: AIPerf 0.13; arrivals: Poisson, evalkit's choice",
  code: "lengths and objective: inference-perf's code generation (August 2026); arrivals: Azure's trace of code; 0.2 requests a second and a shared prefix of 95 %, for the earlier turns of a conversation, are evalkit's choice",
  agent:
    "lengths: inference-perf's replay of agents (August 2026); objective: GuideLLM (August 2026); 4 agents at once and a shared prefix of 95 %, for the earlier steps, are evalkit's choice",
  batch: "lengths and objectives: inference-perf's batch summarization (August 2026); 32 in flight is evalkit's choice",
} as const
