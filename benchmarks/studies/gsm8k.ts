import { configOf, evalkit, getModels } from "./models.ts"

/** Thirty word problems of GSM8K for the two models: `EVALKIT_REFERENCE_DATA=FOLDER npx jiti benchmarks/studies/gsm8k.ts` */
await getModels()
evalkit("inherit", "run", configOf("gsm8k"), ...process.argv.slice(2))
