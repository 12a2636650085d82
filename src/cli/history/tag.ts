import { ExitCode } from "../../core/errors.ts"
import { closing } from "../../platform/closing.ts"
import { findRun } from "../../store/find-run.ts"
import { openProjectStore, openStoreToChange } from "../../store/project-store.ts"
import { runTags, tagRun } from "../../store/run-tags.ts"
import { plainText } from "../../words/text.ts"
import { json, text, texts } from "../arguments/options.ts"
import type { Command } from "../command.ts"
import { storeOptions } from "../store/store-options.ts"

/** `evalkit tag RUN TAGS`: words by which a run is found again. */
export const command: Command = {
  positionals: {
    run: text("id or its beginning", { demandOption: true }),
    tags: texts("words to add; none: print them", { default: [] }),
  },
  options: {
    remove: texts("words to take away", { default: [] }),
    json: json("the run's tags as a JSON array"),
    ...storeOptions,
  },
  examples: {
    "$0 tag 7f3a release baseline": "adds two",
    "$0 tag 7f3a --remove baseline": "takes one away",
  },

  async run(args, io) {
    const [add, remove] = [args.tags as string[], args.remove as string[]].map((list) => list.map(String)) as [
      string[],
      string[],
    ]
    const isChange = add.length + remove.length > 0
    return closing(isChange ? openStoreToChange(args, io) : openProjectStore(args, io), async (store) => {
      const { id } = findRun(store, String(args.run), "all")
      const had = new Set(runTags(store, id))
      for (const tag of remove)
        if (!had.has(tag)) io.err(`evalkit: run ${id} has no tag ${JSON.stringify(plainText(tag, 40))} to remove\n`)
      if (isChange) tagRun(store, id, { add, remove, at: new Date().toISOString() })
      const tags = runTags(store, id)
      if (args.json) io.out(`${JSON.stringify(tags)}\n`)
      else io.out(`run ${id}: ${tags.length === 0 ? "no tags" : tags.map((tag) => plainText(tag, 40)).join(", ")}\n`)
      return ExitCode.ok
    })
  },
}
