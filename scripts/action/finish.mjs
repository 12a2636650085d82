// The last step of action.yml: ends the job as the evaluation ended. Inconclusive is no failure unless the job says so.
const code = Number(process.env.EVALKIT_EXIT_CODE || 1)
const isPassed = code === 0 || (code === 4 && process.env.EVALKIT_FAIL_ON_INCONCLUSIVE !== "true")
const words = {
  0: "the gate passed",
  1: "evalkit has failed",
  2: "the config or the arguments cannot be used",
  3: "the gate failed",
  4: "the samples cannot decide the gate",
  5: "the run is incomplete",
}
console.log(`::${isPassed ? "notice" : "error"} title=evalkit::${words[code] ?? `evalkit ended with ${code}`}`)
process.exitCode = isPassed ? 0 : code
