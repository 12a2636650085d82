// Arbitrary inputs for everything that reads what others wrote: npm run fuzz -- --seed 1 --cases 100000 [--surface NAME]
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "5000" },
    surface: { type: "string", default: "" },
  },
})
const [seed, cases] = [Number(values.seed), Number(values.cases)]
if (!Number.isSafeInteger(seed) || !(Number.isSafeInteger(cases) && cases > 0)) {
  console.error("fuzz: --seed and --cases must be whole numbers: npm run fuzz -- --seed 1 --cases 100000")
  process.exit(2)
}
const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url))
const child = spawn(
  process.execPath,
  [vitest, "run", "--maxWorkers=1", "--silent=false", "test/fuzz/fuzz.long.test.ts"],
  {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: {
      ...process.env,
      EVALKIT_FUZZ_SEED: values.seed,
      EVALKIT_FUZZ_CASES: values.cases,
      EVALKIT_FUZZ_SURFACE: values.surface,
    },
    stdio: "inherit",
  },
)
child.on("close", (code) => process.exit(code ?? 1))
