import { figure, type Term, word } from "./term.ts"

/** What the terminal prints of a load test and of the comparison of two. */
export const loadTerms: readonly Term[] = [
  word("before", "before", "The figure of the earlier bench."),
  word("now", "now", "The figure of this bench."),
  word(
    "bench-metric-median",
    "against a bench",
    "The load that is compared, with the file of the earlier bench in the heading.",
    {
      also: ["against *"],
      place: "bench",
    },
  ),
  finding("faster", "The interval of the new median (or rate) lies wholly on the faster side of the old one\u2019s."),
  finding("slower", "The interval of the new median (or rate) lies wholly on the slower side of the old one\u2019s."),
  finding(
    "no clear difference",
    "The two intervals overlap: on this evidence either may be faster.",
    "More requests make the intervals narrower.",
  ),
  finding("no interval", "Another tool stated the figure without an interval, so that chance cannot be ruled out."),
  finding(
    "other lengths",
    "The answers of the two benches differ in length by more than a tenth, so that times and rates of whole answers do not compare.",
    "Ask for answers of one length, or compare the time per token.",
  ),
  figure("requests-per-second", "requests per second", "Requests that ended in a second, all together.", {
    also: ["req/s"],
  }),
  figure(
    "system-throughput",
    "system tokens per second",
    "Tokens a second of all requests together: what the endpoint as a whole brings.",
    {
      also: ["system t/s", "system_tps"],
      note: "One user sees the decode speed of one answer.",
    },
  ),
  figure(
    "p99-between",
    "p99 between",
    "The interval of the 99th percentile. \u201cn too small\u201d: fewer than 459 requests cannot bound it.",
  ),
  word(
    "by-other-tools",
    "by other tools\u2019 definitions",
    "The same log, as other tools would count it: they give the same words other meanings.",
    {
      also: ["by other tools' definitions, median ms", "by other tools' definitions"],
    },
  ),
  word(
    "evalkit-itself",
    "evalkit itself",
    "What measuring took of this machine, and how far its own time stamps were off.",
    {
      also: ["loop busy", "loop delay ms"],
    },
  ),
]

function finding(title: string, text: string, note?: string): Term {
  return word(`bench-${title.replaceAll(" ", "-")}`, title, text, {
    place: "bench",
    also: [title],
    ...(note !== undefined && { note }),
  })
}
