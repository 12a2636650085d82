import { ExitCode } from "../../core/errors.ts"
import { closing } from "../../platform/closing.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore, openStoreToChange } from "../../store/project-store.ts"
import { noteRun, runNotes } from "../../store/run-tags.ts"
import { plainText } from "../../words/text.ts"
import { json, text } from "../arguments/options.ts"
import type { Command } from "../command.ts"
import { storeOptions } from "../store/store-options.ts"
import { localTime } from "./local-time.ts"

/** `evalkit note RUN TEXT`: what a person has to say of a run. */
export const command: Command = {
  positionals: {
    run: text("id or its beginning", { demandOption: true }),
    text: text("what to note; none: print the notes"),
  },
  options: {
    json: json("the run's notes as a JSON array"),
    ...storeOptions,
  },
  examples: {
    '$0 note 7f3a "new prompt, before the release"': "adds a note",
    "$0 note 7f3a": "prints the notes",
  },

  async run(args, io) {
    return closing(
      args.text === undefined ? openProjectStore(args, io) : openStoreToChange(args, io),
      async (store) => {
        const { id } = findRun(store, String(args.run), "all")
        if (args.text !== undefined) noteRun(store, id, { at: new Date().toISOString(), text: String(args.text) })
        const notes = runNotes(store, id)
        if (args.json) io.out(`${JSON.stringify(notes)}\n`)
        else if (notes.length === 0) io.out(`run ${id}: no notes\n`)
        else
          io.out(
            `run ${id}\n${notes.map(({ at, text }) => `  ${localTime(at, io.environment)}   ${plainText(text, 2000)}\n`).join("")}`,
          )
        return ExitCode.ok
      },
    )
  },
}
