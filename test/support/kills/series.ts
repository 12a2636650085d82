import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { messageOf } from "../../../src/core/errors.ts"
import { createRandom } from "../../../src/core/random.ts"
import { type Comparable, comparable } from "./comparable.ts"
import { type KillWorld, killAndResume } from "./killed-runs.ts"
import { archiveOf, copyProject, killImport, killMerge, type StoreWorld } from "./killed-stores.ts"
import { type LedgerServer, startLedgerServer } from "./ledger-server.ts"
import { runMarked } from "./marked-command.ts"
import { reading } from "./on-record.ts"
import { liveConfig, recordedConfig, writeProject } from "./projects.ts"
import { emptyTally, type Stage, stages, type Tally } from "./tally.ts"

/** How many kills a round makes where. */
export interface Round {
  /** Of a run over the network. */
  readonly live: readonly Stage[]
  /** Of a run on recorded timings. */
  readonly recorded: readonly Stage[]
  readonly import: number
  readonly merge: number
}

/** Kills round after round, until there are enough kills. */
export async function killSeries(options: {
  readonly kills: number
  readonly samples: number
  readonly seed: number
  readonly round: Round
  onRound?(tally: Tally): void
}): Promise<Tally> {
  const { kills, samples, round } = options
  const random = createRandom(`${options.seed}/kills`)
  const server = await startLedgerServer()
  const root = mkdtempSync(join(tmpdir(), "evalkit-kills-"))
  const tally = emptyTally()
  const made = () => stages.reduce((sum, stage) => sum + tally.kills[stage], 0)
  try {
    const templates = await makeTemplates(root, server, samples)
    const world: StoreWorld = { folder: join(root, "store"), server, random, tally }
    const compare = (folder: string, name: string, id?: string): void => {
      tally.otherReports++
      try {
        const { report, page } = comparable(folder, { page: id === undefined, ...(id !== undefined && { id }) })
        if (report !== templates.truth.report || (id === undefined && page !== templates.truth.page))
          tally.faults.push(`${name}: another report: ${firstDifference(templates.truth, { report, page })}`)
        else tally.otherReports--
      } catch (error) {
        tally.faults.push(`${name}: ${messageOf(error)}`)
      }
    }
    while (made() < kills) {
      await killRun({ folder: join(root, "live"), samples, server, random, tally, isBilledByNumber: true }, round.live)
      const recorded = join(root, "recorded")
      await killRun({ folder: recorded, samples, server, random, tally, isBilledByNumber: false }, round.recorded)
      compare(recorded, "a killed run")
      for (let n = 0; n < round.import; n++) await killImport(world, templates.archive, templates.importMs)
      for (let n = 0; n < round.merge; n++)
        compare(world.folder, "merged parts", await killMerge(world, templates.shards, templates.mergeMs))
      options.onRound?.(tally)
    }
    return tally
  } finally {
    await server.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Where two reports begin to differ, with what follows. */
function firstDifference(truth: Comparable, actual: Comparable): string {
  const [a, b] = truth.report === actual.report ? [truth.page, actual.page] : [truth.report, actual.report]
  let index = 0
  while (a[index] === b[index] && index < a.length) index++
  return [a, b].map((text) => text.slice(Math.max(0, index - 60), index + 60)).join(" | ")
}

async function killRun(world: KillWorld, kills: readonly Stage[]): Promise<void> {
  const { folder, samples, server } = world
  rmSync(folder, { recursive: true, force: true })
  const config = world.isBilledByNumber ? liveConfig(server.baseUrl) : recordedConfig(server.baseUrl, samples)
  writeProject(folder, samples, config)
  server.reset()
  await killAndResume(world, kills)
}

/** What the store's kills begin from, made once. */
interface Templates {
  /** What a run that nobody kills reports. */
  readonly truth: Comparable
  readonly archive: string
  readonly importMs: number
  /** A store with the two parts of a run. */
  readonly shards: string
  readonly mergeMs: number
}

async function makeTemplates(root: string, server: LedgerServer, samples: number): Promise<Templates> {
  const config = recordedConfig(server.baseUrl, samples)
  const [whole, shards, scratch] = ["whole", "shards", "scratch"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [whole, shards]) writeProject(folder, samples, config)
  const must = async (args: readonly string[], folder: string, codes = [0]): Promise<number> => {
    const { code, stderr, openMs } = await runMarked(args, folder)
    if (!codes.includes(code ?? -1)) throw new Error(`evalkit ${args.join(" ")} ended with ${code}: ${stderr}`)
    return openMs
  }
  await must(["run"], whole)
  for (const shard of ["1/2", "2/2"]) await must(["run", "--no-html", "--shard", shard], shards, [0, 5])
  copyProject(shards, scratch)
  const parts = reading(scratch, (store) => store.runs().map(({ id }) => id))
  const mergeMs = await must(["merge", ...parts], scratch)
  const archive = archiveOf(whole)
  const empty = join(root, "empty")
  mkdirSync(empty)
  writeFileSync(join(empty, "run.jsonl"), archive)
  const importMs = await must(["import", "run.jsonl"], empty)
  return { truth: comparable(whole, { page: true }), archive, importMs, shards, mergeMs }
}
