/** Where a process was killed. */
export const stages = ["generation", "judging", "scoring", "summary", "page", "import", "merge"] as const

/** One of {@link stages}. */
export type Stage = (typeof stages)[number]

/** What was counted over all kills. */
export interface Tally {
  readonly kills: Record<Stage, number>
  runs: number
  answers: number
  verdicts: number
  lost: number
  doubled: number
  /** Requests that were finished and on record, and were sent again all the same. */
  finishedSentAgain: number
  /** Requests that the server answered or began to answer, and that are on no record: they were in flight at a kill. */
  inFlight: number
  mostInFlightPerKill: number
  /** Runs whose cost on record is not that of the ledger, less what was in flight. */
  otherCosts: number
  /** Reports on recorded timings that are not byte by byte those of a run that nobody killed. */
  otherReports: number
  /** What went wrong, in words. */
  readonly faults: string[]
}

/** Nothing counted yet. */
export function emptyTally(): Tally {
  return {
    kills: { generation: 0, judging: 0, scoring: 0, summary: 0, page: 0, import: 0, merge: 0 },
    runs: 0,
    answers: 0,
    verdicts: 0,
    lost: 0,
    doubled: 0,
    finishedSentAgain: 0,
    inFlight: 0,
    mostInFlightPerKill: 0,
    otherCosts: 0,
    otherReports: 0,
    faults: [],
  }
}

/** Whether what must never happen did not. */
export function isClean(tally: Tally): boolean {
  const { lost, doubled, finishedSentAgain, otherCosts, otherReports, faults } = tally
  return lost + doubled + finishedSentAgain + otherCosts + otherReports + faults.length === 0
}

/** The tally as lines of a table. */
export function tallyLines(tally: Tally): string[] {
  const { kills, faults, ...counts } = tally
  const total = stages.reduce((sum, stage) => sum + kills[stage], 0)
  const rows = [["kills", total], ...stages.map((stage) => [`… in ${stage}`, kills[stage]]), ...Object.entries(counts)]
  return ["| what | number |", "| --- | ---: |", ...rows.map(([name, value]) => `| ${name} | ${value} |`), ...faults]
}
