/** A part of the site: a folder below `docs`, and the order of its pages. Pages that are not named follow by their titles. */
export interface Part {
  readonly title: string
  /** Folder of its pages, relative to `docs`; `""`: the pages that lie in `docs` itself. */
  readonly folder: string
  readonly order: readonly string[]
}

/**
 * The parts in the order of the sidebar. Every page below `docs` appears by this rule: the part of its folder takes it up, a
 * new folder becomes a part of its own, and nobody has to name a page here.
 */
export const parts: readonly Part[] = [
  { title: "Start", folder: "start", order: ["hosted", "local", "answers"] },
  {
    title: "Guides",
    folder: "guides",
    order: [
      "model-swap",
      "providers",
      "quantizations",
      "self-hosted-or-api",
      "batches",
      "judges",
      "view",
      "ci-gate",
      "receipts",
      "load-test",
      "rag",
      "agents",
      "fairness",
      "many-machines",
      "your-logs",
      "canary",
      "shadow",
      "production-traffic",
    ],
  },
  { title: "Concepts", folder: "concepts", order: ["paired", "margin", "inconclusive", "ttft", "client-error"] },
  { title: "Recipes", folder: "recipes", order: [] },
  { title: "For reviewers", folder: "reviewers", order: ["validity", "languages", "reproduce"] },
  { title: "In depth", folder: "", order: ["verdicts", "reliability"] },
]

/** Titles of folders that no part names: `many-words` becomes "Many words". */
export function titleOfFolder(folder: string): string {
  const words = folder.replaceAll(/[-_/]/g, " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}
