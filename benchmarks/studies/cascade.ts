import { configOf, evalkit, getModels } from "./models.ts"

/** SmolLM2 first, Gemma 3 where it is unsure (or the other way round), by log-probabilities: `npx jiti benchmarks/studies/cascade.ts` */
await getModels()
evalkit("inherit", "run", configOf("cascade"), ...process.argv.slice(2))
