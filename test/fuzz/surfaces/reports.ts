import fc from "fast-check"
import { decodeReport } from "../../../src/store/report-codec.ts"
import { faultOf, faultOfCommand } from "../faults.ts"
import { editJson, jsonEdits } from "../inputs.ts"
import { surface } from "../surface.ts"
import { changedArchive } from "./archives.ts"

const formats = ["html", "md", "csv", "junit", "otlp", "terminal", "json", "annotations", "gate"]

/** The report in an archive: what is not refused must be drawn in every format. */
export const reports = surface(
  "stored reports",
  1,
  ({ archive }) => {
    const at = archive.findIndex((line) => line.startsWith('{"kind":"report"'))
    return fc.record({
      format: fc.constantFrom(...formats, "library"),
      at: fc.constant(at),
      edits: jsonEdits(2),
    })
  },
  async ({ format, at, edits }, room) => {
    if (format === "library")
      return faultOf(() => {
        const line = JSON.parse(room.archive[at]!) as { report: unknown }
        try {
          decodeReport(JSON.stringify(editJson(line.report, edits)) ?? "null")
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error
        }
      })
    room.file("fuzz.evalkit.jsonl", changedArchive(room, at, edits))
    const directory = ["--directory", "store-report"]
    const imported = await room.command(["import", "fuzz.evalkit.jsonl", ...directory])
    const shown = imported.code === 0 ? await room.command(["report", "--format", format, ...directory]) : null
    room.reset()
    const fault = faultOfCommand(imported)
    if (fault) return `import: ${fault}`
    const drawn = shown && faultOfCommand(shown)
    return drawn && `report ${format}: ${drawn}`
  },
)
