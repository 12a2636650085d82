import type { Section } from "./pages.ts"

/** VitePress's config as a module: data only. No part of the site is fetched from elsewhere, and search runs in the browser. */
export function siteConfig(sections: readonly Section[]): string {
  const sidebar = sections.map(({ title, pages }) => ({
    text: title,
    collapsed: pages.length > 12,
    items: pages.map((page) => ({ text: page.title, link: `/${page.path.replace(/\.md$/, "")}` })),
  }))
  const config = {
    title: "evalkit",
    description: "May we make this swap? Quality, speed and cost of language models, from the same calls.",
    outDir: "../site",
    cacheDir: "./cache",
    cleanUrls: false,
    lastUpdated: false,
    srcExclude: ["public/**"],
    markdown: { lineNumbers: false },
    vite: { build: { chunkSizeWarningLimit: 4096 }, logLevel: "warn" },
    themeConfig: {
      search: { provider: "local" },
      outline: [2, 3],
      nav: ["Start", "Guides", "Concepts", "Reference"].flatMap((text) => {
        const first = sidebar.find((section) => section.text === text)?.items[0]
        return first ? [{ text, link: first.link }] : []
      }),
      sidebar,
      docFooter: { prev: "before", next: "next" },
    },
  }
  return `export default ${JSON.stringify(config, null, 2)}\n`
}

/** The theme without its own fonts: the system's are read as well, and nothing is loaded. */
export const siteTheme: Readonly<Record<string, string>> = {
  "index.js": 'import theme from "vitepress/theme-without-fonts"\nimport "./style.css"\nexport default theme\n',
  "style.css": `:root {
  --vp-font-family-base: system-ui, sans-serif;
  --vp-font-family-mono: ui-monospace, monospace;
}
.vp-doc table { font-variant-numeric: tabular-nums; }
/* On a telephone a table gives its width to its words: long code breaks, a number does not, and what is still too wide scrolls. */
@media (max-width: 640px) {
  .vp-doc tr > :is(th, td) { padding: 6px 4px; font-size: 12.5px; line-height: 1.45; vertical-align: top; }
  .vp-doc td :is(a, code) { overflow-wrap: anywhere; }
  .vp-doc td:has(a, code) { min-width: 5.25rem; }
  .vp-doc td[style*="right"] { white-space: nowrap; }
}
`,
}
