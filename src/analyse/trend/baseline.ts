/** A run of a variant, and the samples that it asked. */
export interface AskedRun {
  readonly run: string
  readonly samples: ReadonlySet<string>
}

/** Share of the newest run's samples that its baseline has at least, where any run does: an answer or two may be lost. */
const coverage = 0.9

/**
 * The run that the others of a trend are compared with: the earliest that asked nine in ten of the samples of the newest run, since
 * runs are compared sample by sample; where none did, the earliest of those that share most with it. A look at a part of another
 * run's samples does not count as the newest: what it asked says nothing about what the others have in common.
 *
 * @param runs oldest first
 * @param earlier runs before them, oldest first: the first that fits is taken, and none after it is read
 * @returns its id; undefined where there is no run
 */
export function chooseBaseline(runs: readonly AskedRun[], earlier: Iterable<AskedRun> = []): string | undefined {
  const reference = runs.findLast((run) => !runs.some((other) => isPartOf(run, other)))
  if (!reference) return undefined
  const needed = coverage * reference.samples.size
  for (const run of earlier) if (sharedSamples(run, reference) >= needed) return run.run
  const candidates = runs.length > 1 ? runs.slice(0, -1) : runs
  const shared = candidates.map((run) => sharedSamples(run, reference))
  const first = shared.findIndex((count) => count >= needed)
  return candidates[first >= 0 ? first : shared.indexOf(Math.max(...shared))]?.run
}

function isPartOf({ samples }: AskedRun, other: AskedRun): boolean {
  return samples.size < other.samples.size && [...samples].every((id) => other.samples.has(id))
}

function sharedSamples(first: AskedRun, second: AskedRun): number {
  let count = 0
  for (const id of first.samples) if (second.samples.has(id)) count++
  return count
}
