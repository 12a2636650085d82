// May a smaller model take over what users really ask? `traffic/` was made from a trace of production (OTLP), with its answers, times,
// tokens and passages:
//
//   npx jiti examples/production-traces/make-traces.ts traces.jsonl     (yours comes from your collector)
//   npx evalkit import traces.jsonl --as-dataset examples/production-traces/traffic
//
// For the real thing put openai({ model: "…" }) in the place of the recorded candidate: it is asked what users asked.
import { dataset, defineConfig, recorded, ungroundedFacts, variant } from "evalkit"

const traffic = (name: string) => new URL(`traffic/${name}.jsonl`, import.meta.url)

export default defineConfig({
  name: "production traces",
  dataset: dataset(traffic("samples")),
  variants: [
    variant({ name: "shop-large", provider: recorded(traffic("answers")) }),
    variant({ name: "shop-small", provider: recorded(new URL("recorded-candidate.jsonl", import.meta.url)) }),
  ],
  // Whether an answer states a number that no passage holds.
  metrics: [ungroundedFacts()],
  margin: 0.05,
  axes: ["quality", "ttftMs", "e2eMs"],
})
