/** Configs that are code, in the order in which they are looked for. */
export const codeNames = ["eval.config.ts", "eval.config.mts", "eval.config.js", "eval.config.mjs"] as const

/** Configs that are read, and not run. */
export const writtenNames = ["eval.config.yaml", "eval.config.yml", "eval.config.json"] as const
