// From how much traffic is your own machine cheaper? The API is paid by the token, the machine by the hour, idle or not.
// The answers are made up for this example; for the real thing put openai({ model: "…" }) and
// command({ command: "vllm", args: ["serve", "…"], … }) in the place of recorded(…).
import { dataset, defineConfig, exactMatch, recorded, variant } from "evalkit"

const answers = (name: string) => recorded(new URL(`recorded-${name}.jsonl`, import.meta.url))
const facts = { source: "made up for the example", date: "2026-11-21" }

export default defineConfig({
  name: "self-hosted or api",
  dataset: dataset("questions.jsonl"),
  variants: [
    variant({
      name: "api",
      provider: answers("api"),
      price: { kind: "tokens", inputPerMillion: 2.5, cachedInputPerMillion: 1.25, outputPerMillion: 10, ...facts },
    }),
    variant({
      name: "own",
      provider: answers("own"),
      // What one machine carries, as a load test found it: requestsPerSecond, or capacity: "bench.json" (evalkit bench … -o bench.json).
      price: { kind: "hourly", usdPerHour: 3, instances: 1, utilisation: 0.6, requestsPerSecond: 24, ...facts },
    }),
  ],
  metrics: [exactMatch()],
  margin: 0.05,
  axes: ["quality", "costUsd", "ttftMs"],
})
