import { configOf, evalkit, getModels } from "./models.ts"

/** An agent with three tools on real models, with and without worked examples: `npx jiti benchmarks/studies/agent.ts` */
await getModels()
evalkit("inherit", "run", configOf("agent"), ...process.argv.slice(2))
