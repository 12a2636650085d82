import { type ChildProcess, spawn } from "node:child_process"

/** Ends a process group when this process is gone, however it went: also after SIGKILL, when no code of ours runs any more. */
export interface ParentGuard {
  /** From here on the group of this leader is guarded. */
  protect(pid: number): void
  /** The group is gone: nothing is left to guard. */
  dismiss(): void
}

/** Seconds that an orphaned server has to end by itself before it is killed. */
const graceSeconds = 2

/**
 * The guard's program: it learns the group from its input and waits for the end of that input, which the system closes with the
 * process that holds its other end.
 */
const posixGuard = `
trap '' HUP INT TERM
read -r group || exit 0
while read -r line; do :; done
kill -TERM "-$group" 2>/dev/null
left=${graceSeconds}
while [ "$left" -gt 0 ] && kill -0 "-$group" 2>/dev/null; do sleep 1; left=$((left - 1)); done
kill -KILL "-$group" 2>/dev/null
exit 0
`

/** Windows has neither process groups nor sh: Node waits, and taskkill ends what is a child of the server at that moment. */
const windowsGuard = `
let pid = ""
process.stdin.on("data", (text) => (pid += text))
process.stdin.on("end", () => pid && require("node:child_process").spawnSync("taskkill", ["/PID", pid.trim(), "/T", "/F"]))
`

/**
 * Starts a guard: one small process beside the server, outside its group. Start it before the server, so that there is no moment
 * without it. Where it cannot be started (no /bin/sh), servers still end with every ending of this process but SIGKILL.
 */
export function startParentGuard(): ParentGuard {
  const guard: ChildProcess =
    process.platform === "win32"
      ? spawn(process.execPath, ["-e", windowsGuard], { stdio: ["pipe", "ignore", "ignore"], windowsHide: true })
      : spawn("/bin/sh", ["-c", posixGuard], { stdio: ["pipe", "ignore", "ignore"], detached: true, env: {} })
  const ignore = () => {}
  guard.on("error", ignore)
  guard.stdin?.on("error", ignore)
  guard.unref()
  if (guard.stdin && "unref" in guard.stdin) (guard.stdin as unknown as { unref(): void }).unref()
  return {
    protect: (pid) => void guard.stdin?.write(`${pid}\n`),
    dismiss: () => void guard.kill("SIGKILL"),
  }
}
