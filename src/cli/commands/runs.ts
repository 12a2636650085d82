import { headline } from "../../../reports/bench/words/verdict.ts"
import { shortNames } from "../../../reports/terminal/short-names.ts"
import { fittedTable } from "../../../reports/terminal/text-table.ts"
import { readBench } from "../../bench/stored-bench.ts"
import { isOpen } from "../../core/batch/batch-record.ts"
import { ExitCode } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { closing } from "../../platform/closing.ts"
import { shardSizes } from "../../run/planned/started-part.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { type RunNote, runNotes, runTags } from "../../store/run-tags.ts"
import { plainText } from "../../words/text.ts"
import { json, number, text } from "../arguments/options.ts"
import { screenWidth } from "../arguments/screen.ts"
import type { Command } from "../command.ts"
import { localTime } from "../history/local-time.ts"
import { statusOf, workersOf } from "../history/run-status.ts"
import { foundPlacer } from "../run/place-command.ts"
import { calledAs } from "../run/shell-words.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit runs`: what is in the store, newest first. */
export const command: Command = {
  options: {
    json: json("one JSON array"),
    tag: text("only runs with this tag"),
    limit: number("only the newest n", { default: 20 }),
    ...storeOptions,
  },
  examples: {
    "$0 runs": "the newest twenty",
    "$0 runs --tag release": "those that were tagged so",
  },

  async run(args, io) {
    return closing(openProjectStore(args, io), async (store) => {
      const tag = args.tag === undefined ? null : String(args.tag)
      const annotations = new Map<string, Annotations>()
      const runs = store
        .runs("all")
        .filter(({ id }) => tag === null || runTags(store, id).includes(tag))
        .slice(0, Number(args.limit))
      for (const { id } of runs) annotations.set(id, { tags: runTags(store, id), notes: runNotes(store, id) })
      const headlines = new Map(runs.flatMap((run) => headlineOf(store, run) ?? []))
      const isAnnotated = [...annotations.values()].some(({ tags, notes }) => tags.length + notes.length > 0)
      const sizes = shardSizes(store, runs)
      const waiting = new Map(runs.map(({ id }) => [id, store.batches(id).filter(isOpen).length]))
      const elsewhere = new Map(runs.map((run) => [run.id, workersOf(store, run)]))
      if (args.json) {
        const shown = runs.map((run) => ({
          ...run,
          samples: sizes.get(run.id) ?? run.dataset.samples,
          openBatches: waiting.get(run.id) ?? 0,
          ...((elsewhere.get(run.id) ?? 0) > 0 && { workers: elsewhere.get(run.id) }),
          ...annotations.get(run.id),
          ...(headlines.has(run.id) && { headline: headlines.get(run.id) }),
        }))
        io.out(`${JSON.stringify(shown)}\n`)
      } else if (runs.length === 0) {
        const evalkit = calledAs(io.environment)
        io.out(
          tag === null
            ? `There are no runs yet in ${store.location ?? "the store"}. Make one with: ${evalkit} run\n`
            : `No run has the tag ${plainText(tag, 40)}. List all with: ${evalkit} runs\n`,
        )
      } else {
        const names = shortNames(
          runs.map((run) => plainText(run.name)),
          30,
        )
        io.out(
          fittedTable(
            [
              ...["run", "name", "started", "status", "samples", "variants"],
              ...(isAnnotated ? ["tags and last note"] : []),
              ...(headlines.size > 0 ? ["load test"] : []),
            ],
            runs.map((run, i) => [
              run.id,
              `${names[i]}${run.retry ? `, retry of ${run.retry.of}` : ""}`,
              localTime(run.startedAt, io.environment),
              statusOf(run, waiting.get(run.id) ?? 0, elsewhere.get(run.id) ?? 0),
              run.kind === "bench" ? "" : [sizes.get(run.id) ?? [], run.dataset.samples].flat().join(" of "),
              String(run.variants.length),
              ...(isAnnotated ? [annotationText(annotations.get(run.id))] : []),
              ...(headlines.size > 0 ? [plainText(headlines.get(run.id) ?? "", 70)] : []),
            ]),
            { words: [0, 1, 2, 3, 6, 7], width: screenWidth(io), drop: [5, 4, 2, 6] },
          ),
        )
        const resume = (record: RunRecord) =>
          foundPlacer(record, args, io)({ name: "run", words: ["--resume", record.id] })
        const stopped = runs.find(({ id, kind, status }) => !kind && status === "stopped" && elsewhere.get(id) === 0)
        const waits = runs.find(({ id, status }) => (waiting.get(id) ?? 0) > 0 && status !== "running")
        if (waits) io.out(`\nIts service goes on with a batch by itself. Fetch the answers with: ${resume(waits)}\n`)
        else if (stopped) io.out(`\nThe process of a stopped run is gone. Go on with: ${resume(stopped)}\n`)
      }
      return ExitCode.ok
    })
  },
}

/** What a load test found first; null of a run. */
function headlineOf(store: RunStore, run: RunRecord): [id: string, headline: string][] | null {
  if (run.kind !== "bench") return null
  const bench = readBench(store, run)
  return [[run.id, bench ? headline(bench) : ""]]
}

interface Annotations {
  readonly tags: readonly string[]
  readonly notes: readonly RunNote[]
}

function annotationText(annotations: Annotations | undefined): string {
  const note = annotations?.notes.at(-1)?.text
  return [...(annotations?.tags ?? []), ...(note === undefined ? [] : [`"${note.slice(0, 60)}"`])]
    .map((text) => plainText(text, 62))
    .join(" ")
}
