import { execFileSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** Installs the peers of package.json once into a scratch folder, and loads what is measured of them. */
export async function loadPeers(scratch = join(tmpdir(), "evalkit-benchmark-metrics")) {
  if (!existsSync(join(scratch, "node_modules", "autoevals"))) {
    mkdirSync(scratch, { recursive: true })
    copyFileSync(fileURLToPath(new URL("package.json", import.meta.url)), join(scratch, "package.json"))
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: scratch, stdio: "inherit" })
  }
  const require = createRequire(pathToFileURL(join(scratch, "package.json")))
  const rouge = require("js-rouge")
  const { bleu } = require("bleu-score")
  const { Levenshtein } = require("autoevals")
  const { LevenshteinDistance } = require("natural/lib/natural/distance/levenshtein_distance")
  return { rouge, bleu, Levenshtein, naturalLevenshtein: LevenshteinDistance }
}
