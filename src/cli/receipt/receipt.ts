import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { recreateMetric } from "../../../metrics/recreate.ts"
import { receiptLine } from "../../../reports/wording/receipt.ts"
import { receiptOf, refuseOtherVerdict } from "../../analyse/source/run-receipt.ts"
import { reportInput } from "../../analyse/summary/report-input.ts"
import { ExitCode, messageOf, UsageError } from "../../core/errors.ts"
import type { Receipt } from "../../core/report/receipt.ts"
import { closing } from "../../platform/closing.ts"
import { namedOutput, writeOutput } from "../../platform/output-file.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore } from "../../store/project-store.ts"
import { text } from "../arguments/options.ts"
import type { Command } from "../command.ts"
import { storeOptions } from "../store/store-options.ts"
import { signReceipt } from "./signature.ts"

/** `evalkit receipt [run]`: verdict, figures and hashes of a run in one small file, signed where a key is given. */
export const command: Command = {
  printsData: true,

  positionals: { run: text("id or its beginning; default: the newest") },
  options: {
    key: text("file of a private Ed25519 key (PEM) to sign with"),
    out: text("file; default, and -: standard output", { alias: ["o", "output"] }),
    ...storeOptions,
  },
  examples: { "$0 receipt 7f3a --key key.pem -o receipt.json": "signed; prints the line to paste" },

  async run(args, io) {
    return closing(openProjectStore(args, io), async (store) => {
      const record = findRun(store, args.run as string | undefined)
      const body = await receiptOf(store, record, recreateMetric)
      refuseOtherVerdict(body, reportInput(store, record).report)
      const signature =
        args.key === undefined ? null : signReceipt(body, await readKey(String(args.key), io.cwd), String(args.key))
      const receipt: Receipt = { ...body, signature }
      const text = `${JSON.stringify(receipt, null, 1)}\n`
      const output = namedOutput(args.out)
      if (output === undefined) io.out(text)
      else {
        await writeOutput(resolve(io.cwd, output), (write) => write(text), io.signal)
        io.out(`${receiptLine(receipt)}\n`)
        io.err(`evalkit: wrote ${resolve(io.cwd, output)}\n`)
      }
      return ExitCode.ok
    })
  },
}

/** The text of a key's file. @throws {UsageError} */
export async function readKey(file: string, cwd: string): Promise<string> {
  return readFile(resolve(cwd, file), "utf8").catch((error: unknown) => {
    throw new UsageError("the key cannot be read", {
      code: "key_invalid",
      where: `${file} (${messageOf(error)})`,
      cause: error,
      hint: "name a file that holds a key in PEM",
    })
  })
}
