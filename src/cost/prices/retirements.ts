/** When a model is shut down. */
export interface Retirement {
  /** ISO date. */
  readonly day: string
  /** The page that states it, and of which day. */
  readonly source: string
}

/**
 * Days on which makers shut their models down on their own services, snapshots included; other services that serve them have days of their own.
 * `date`: of what the copy says.
 */
export const retirements: readonly {
  readonly provider: string
  readonly source: string
  readonly date: string
  readonly days: readonly (readonly [day: string, models: readonly string[]])[]
}[] = [
  {
    provider: "openai",
    source: "developers.openai.com/api/docs/deprecations",
    date: "2026-10-27",
    days: [
      [
        "2026-10-23",
        [
          ...["gpt-3.5-turbo", "gpt-3.5-turbo-0125", "gpt-4", "gpt-4-0613", "gpt-4-1106-preview", "gpt-4-turbo"],
          ...["gpt-4o-2024-05-13", "gpt-4.1-nano", "o1", "o1-pro", "o3-mini", "o4-mini"],
        ],
      ],
      ["2026-12-11", ["gpt-5", "gpt-5-mini", "gpt-5-nano", "gpt-5-pro", "o3", "o3-pro"]],
      ["2027-01-14", ["gpt-4o", "gpt-4o-mini", "gpt-4.1", "gpt-4.1-mini"]],
      ["2027-04-01", ["gpt-5.1", "gpt-5.3-codex", "gpt-5.4-nano"]],
    ],
  },
  {
    provider: "anthropic",
    source: "platform.claude.com/docs",
    date: "2026-11-28",
    days: [
      ["2026-06-15", ["claude-sonnet-4", "claude-opus-4"]],
      ["2026-11-30", ["claude-sonnet-4-5"]],
    ],
  },
  {
    provider: "gemini",
    source: "ai.google.dev/gemini-api/docs/deprecations",
    date: "2026-11-10",
    days: [["2026-12-01", ["gemini-2.5-pro", "gemini-2.5-flash"]]],
  },
]
