/** Colours of the pictures, light and dark by the reader's setting; each picture has its own paper. */
export const pictureStyle = `
text{font:11px system-ui,sans-serif;text-anchor:middle;fill:#444}
.name{font-weight:600;font-size:14px;fill:#111}
.note{text-anchor:start}
.paper{fill:#fff}
.room rect,.storage rect{fill:var(--f);stroke:var(--c);stroke-width:1.5}
.arrow{fill:none;stroke:var(--c);opacity:.75}
marker path{fill:#666}
.front{--c:#6b6b6b;--f:#f2f2f2}
.catalogue{--c:#9a5b00;--f:#fdf0dc}
.engine{--c:#0b5cad;--f:#e2effb}
.endpoint{--c:#00735a;--f:#dcf4ed}
.storage{--c:#7a3f98;--f:#f3e6f8}
.figures{--c:#a02c4a;--f:#fbe5ea}
.ground{--c:#6b6b6b;--f:#f2f2f2}
@media (prefers-color-scheme:dark){
text{fill:#bbb}.name{fill:#fff}.paper{fill:#161b22}marker path{fill:#aaa}
.front,.ground{--c:#9a9a9a;--f:#2a2f36}
.catalogue{--c:#e0a040;--f:#3a2c14}
.engine{--c:#5aa8f0;--f:#12304d}
.endpoint{--c:#3cc9a4;--f:#0f3a31}
.storage{--c:#c58ae0;--f:#35213f}
.figures{--c:#f08098;--f:#42202a}
}
`
