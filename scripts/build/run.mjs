// Builds what runs, without declarations: the bundle and then the reference pages, and the page of the report beside them.
import { spawn } from "node:child_process"
import { root } from "./root.mjs"

const run = (...args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" })
    child.once("error", reject)
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`${args[0]} ended with ${code}`))))
  })

await Promise.all([
  run("scripts/build/bundle.mjs").then(() => run("scripts/build/reference.mjs")),
  run("reports/app/build.mjs"),
])
