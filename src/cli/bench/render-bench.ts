import { resolve } from "node:path"
import { benchRenderers } from "../../../reports/bench/renderers.ts"
import { readBench } from "../../bench/stored-bench.ts"
import { nearest } from "../../core/did-you-mean.ts"
import { UsageError } from "../../core/errors.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import type { BenchResult } from "../../perf/bench/bench-result.ts"
import { writeOutput } from "../../platform/output-file.ts"
import { screenWidth } from "../arguments/screen.ts"
import type { CommandIo } from "../command.ts"

/** What a stored bench found. @throws {UsageError} for one that ended before it had found anything */
export function foundOfBench(store: RunStore, record: RunRecord): BenchResult {
  const result = readBench(store, record)
  if (result) return result
  throw new UsageError("the load test has no figures", {
    code: "no_report",
    where: `bench ${record.id} (${record.status})`,
    hint: record.status === "running" ? "wait for it to end" : "measure again with: evalkit bench",
  })
}

/**
 * Writes a stored bench into a file, or prints it.
 *
 * @throws {UsageError} for a format that is not known
 */
export async function renderBench(
  store: RunStore,
  record: RunRecord,
  { format, output }: { readonly format: string; readonly output?: string | undefined },
  io: CommandIo,
): Promise<void> {
  const benchRenderer = benchRenderers.find(({ name, extension }) => name === format || extension === format)
  if (!benchRenderer) {
    const names = benchRenderers.map(({ name }) => name)
    const near = nearest(format, names)
    throw new UsageError(`a load test is not written as "${format.slice(0, 40)}"`, {
      where: "--format",
      hint: `${near === undefined ? "" : `did you mean "${near}"? `}choose from: ${names.join(", ")}`,
    })
  }
  const { id, startedAt, finishedAt, versions } = record
  const facts = { id, startedAt, finishedAt: finishedAt ?? startedAt, version: versions.evalkit ?? "" }
  const bench = { ...facts, result: foundOfBench(store, record) }
  if (output === undefined) return void io.out(await benchRenderer.render(bench, screenWidth(io)))
  const path = resolve(io.cwd, output)
  const text = await benchRenderer.render(bench, Number.POSITIVE_INFINITY)
  await writeOutput(path, (write) => write(text), io.signal)
  io.err(`evalkit: wrote ${path}\n`)
}
