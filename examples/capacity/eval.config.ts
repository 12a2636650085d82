// How many requests at once can this machine serve, with which size of the model, at what price, and are the answers as good
// when it is busy? Ask it under load, one, two, four … requests at once, until throughput stops growing:
//
//   npx evalkit bench examples/capacity/eval.config.ts --sweep --slo "ttft<100ms,e2e<300ms" --html capacity.html
import { dataset, defineConfig, exactMatch, local, variant } from "evalkit"

const rented = { source: "the hosting bill", date: "2026-11-21" }
const price = { kind: "hourly", usdPerHour: 0.1, instances: 1, utilisation: 0.4, ...rented } as const
const parameters = { temperature: 0, maxTokens: 64 }
const served = (size: "m" | "s") =>
  local(new URL(`../../models/tiny/tiny-${size}-f16.gguf`, import.meta.url), { parallel: 16 })

export default defineConfig({
  name: "capacity",
  dataset: dataset(new URL("../../datasets/data/tiny-tasks.jsonl", import.meta.url)),
  variants: [
    variant({ name: "m", provider: served("m"), price, parameters }),
    variant({ name: "s", provider: served("s"), price, parameters }),
  ],
  metrics: [exactMatch()],
  margin: 0.02,
  axes: ["quality", "costUsd", "ttftMs"],
})
