import { readdirSync, readFileSync } from "node:fs"

/** CPU seconds of a process and of those of its children that have ended, user and system (Linux); null once it is gone. */
export function cpuSecondsOf(pid: number): number | null {
  const fields = statOf(pid)
  if (!fields) return null
  // utime, stime, cutime, cstime, in hundredths of a second.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100
}

/** The same with its living children: a server of PostgreSQL is a process for each connection. */
export function familyCpuSeconds(pid: number): number {
  const children = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && statOf(Number(name))?.[1] === String(pid),
  )
  return [pid, ...children.map(Number)].reduce((sum, value) => sum + (cpuSecondsOf(value) ?? 0), 0)
}

/** What is after the name in /proc/PID/stat, from the state on. */
function statOf(pid: number): readonly string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return null
  }
}
