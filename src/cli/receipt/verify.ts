import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { recreateMetric } from "../../../metrics/recreate.ts"
import { receiptDifferenceWords, receiptLine, verifiedWords } from "../../../reports/wording/receipt.ts"
import { receiptDifferences } from "../../analyse/source/receipt-difference.ts"
import { receiptOf } from "../../analyse/source/run-receipt.ts"
import { ExitCode } from "../../core/errors.ts"
import type { Receipt, ReceiptDifference } from "../../core/report/receipt.ts"
import type { RunRecord } from "../../core/run/run-record.ts"
import type { RunStore } from "../../core/run/run-store.ts"
import { temporaryFolder } from "../../platform/temporary-folder.ts"
import { importRun } from "../../store/archive/import-run.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { openRunStore } from "../../store/run-store.ts"
import { json, text } from "../arguments/options.ts"
import type { Args, Command, CommandIo } from "../command.ts"
import { archiveLines } from "../files/archive-lines.ts"
import { createReportCheck } from "../report-check.ts"
import { storeOptions } from "../store/store-options.ts"
import { readReceipt } from "./read-receipt.ts"
import { readKey } from "./receipt.ts"
import { signatureFaults } from "./signature.ts"

/** `evalkit verify RECEIPT [RUN or archive]`: computes the verdict of a receipt anew and says what differs. */
export const command: Command = {
  positionals: {
    receipt: text("file that evalkit receipt wrote", { demandOption: true }),
    run: text("archive of its run, or a run of the store; without: its form and signature alone"),
  },
  options: {
    "public-key": text("file of the public key (PEM) that must have signed it"),
    json: json(),
    ...storeOptions,
  },
  examples: { "$0 verify receipt.json 7f3a.evalkit.jsonl": "on another machine, from the archive" },
  epilogue: "exit codes: 0 it holds \u00b7 2 it is no receipt, or no archive \u00b7 3 something differs",

  async run(args, io) {
    const receipt = await readReceipt(String(args.receipt), io.cwd)
    const file = args.publicKey === undefined ? null : String(args.publicKey)
    const expected = file === null ? null : { pem: await readKey(file, io.cwd), where: file }
    const against = args.run === undefined ? null : String(args.run)
    const differences = [
      ...signatureFaults(receipt, expected),
      ...(against === null ? [] : await differencesFrom(receipt, against, args, io)),
    ]
    if (args.json)
      io.out(
        `${JSON.stringify({ run: receipt.run.id, holds: differences.length === 0, compared: against, differences })}\n`,
      )
    else {
      const lines = [
        verifiedWords(receipt, against, differences.length),
        ...differences.map((difference) => `  ${receiptDifferenceWords(difference)}`),
      ]
      io.out(`${[...lines, receiptLine(receipt)].join("\n")}\n`)
    }
    return differences.length === 0 ? ExitCode.ok : ExitCode.gateFailed
  },
}

/** What the run, of an archive or of the store, says differently. */
async function differencesFrom(
  receipt: Receipt,
  against: string,
  args: Args,
  io: CommandIo,
): Promise<readonly ReceiptDifference[]> {
  const path = resolve(io.cwd, against)
  if (!existsSync(path)) return differencesOf(receipt, openProjectStore(args, io), (store) => findRun(store, against))
  const store = openRunStore(await temporaryFolder())
  const imported = importRun(store, archiveLines(path, against), against, createReportCheck())
  return differencesOf(receipt, store, async () => (await imported).record)
}

async function differencesOf(
  receipt: Receipt,
  store: RunStore,
  run: (store: RunStore) => RunRecord | Promise<RunRecord>,
): Promise<readonly ReceiptDifference[]> {
  try {
    const record = await run(store)
    const now = await receiptOf(store, record, recreateMetric)
    return receiptDifferences(receipt, now, [...store.sampleIds(record.dataset.fingerprint)])
  } finally {
    store.close()
  }
}
