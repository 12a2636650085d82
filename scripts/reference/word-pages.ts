import { type Term, terms } from "../../reports/wording/terms/all.ts"
import type { Page } from "../docs/pages.ts"

/** Pages of the words that evalkit prints, and where each stands. */
export interface WordPages {
  readonly pages: readonly Page[]
  /** Page and anchor of a term. */
  placeOf(term: Term): string
}

const groups: readonly {
  readonly kinds: readonly Term["kind"][]
  readonly file: string
  readonly title: string
  readonly lead: string
}[] = [
  {
    kinds: ["verdict"],
    file: "verdicts",
    title: "Verdicts",
    lead: "What is said of a swap, and what a comparison finds on one metric.",
  },
  {
    kinds: ["figure"],
    file: "figures",
    title: "Figures",
    lead: "Figures that the field has a term for: what each is, its unit and its range. The fields of a report have the others.",
  },
  {
    kinds: ["word"],
    file: "words",
    title: "Words",
    lead: "Terms of statistics and of serving, as evalkit uses them.",
  },
  {
    kinds: ["outcome"],
    file: "outcomes",
    title: "How a request ended",
    lead: "Every request ends in exactly one of these classes.",
  },
  {
    kinds: ["reason"],
    file: "unscored",
    title: "Why an answer has no score",
    lead: "What a metric cannot measure is unscored, with one of these codes. It is never counted as 0.",
  },
]

/** What `evalkit explain` says of verdicts, figures, words, outcomes and reasons, as pages of the site. */
export function wordPages(): WordPages {
  return {
    pages: groups.map(({ kinds, file, title, lead }) => {
      const own = terms.filter(({ kind }) => kinds.includes(kind))
      const sorted = own.toSorted((a, b) => a.title.localeCompare(b.title, "en", { sensitivity: "base" }))
      return {
        path: `reference/${file}.md`,
        title,
        text: `# ${title}\n\n${lead}\n\n${sorted.map(termText).join("\n")}`,
      }
    }),
    placeOf: ({ id, kind }) => `/reference/${groups.find(({ kinds }) => kinds.includes(kind))?.file}.md#${id}`,
  }
}

function termText({ id, title, text, note }: Term): string {
  return `## ${title} {#${id}}\n\n${[text, ...(note === undefined ? [] : [note])].join("\n\n")}\n`
}
