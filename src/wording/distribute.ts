/** A run over many workers. */
export const distributeWords = {
  detached: "its slices wait for workers; score and report them with --resume",
  noStore: "the worker could not reach the store",
  sharedBudget: (quota: string) => `the budget of ${quota} that all workers share had no room for another call`,
  noWorker: "no worker: start one with evalkit worker --queue URL --config FILE",
  waits: ", waits for the budget",
  budget: (limit: string) => `the budget of ${limit} has no room for another call`,
  joined: (run: string, worker: number) => `takes part in run ${run} as worker ${worker}`,
  missed: (run: string) => `run ${run} has ended, and nothing of it was left to do here`,
  left: (run: string, answers: string, refused: number, ones: string) =>
    `has left run ${run}: ${answers} stored, ${refused} refused as ${ones}`,
  timesOfDay: "their times of day tell nothing of what came first; durations are each taken on one machine, and hold",
  killed: "a worker that was killed could not measure its own timing error",
  measured: (clocks: string, errors: string) => `clocks against the store's: ${clocks}; own timing errors: ${errors}`,
  check: "workers' clocks and timing errors are known",
} as const

/** Why a worker cannot take part in a run. */
export const otherTask = {
  noRun: "its store does not have the run",
  version: (here: string, there: string) => `evalkit is ${here} here and ${there} there`,
  noVariant: (name: string) => `there is no variant ${name} here`,
  otherVariant: (name: string) => `variant ${name} asks something else here`,
  noMetric: (name: string) => `there is no metric ${name} here`,
  otherMetric: (name: string, here: string, there: string) => `metric ${name} is ${here} here and ${there} there`,
  otherJudge: (metric: string) => `metric ${metric} asks another judge, or asks it otherwise, here`,
  otherPlan: "the plan that this config makes of the run's samples is another one",
} as const
