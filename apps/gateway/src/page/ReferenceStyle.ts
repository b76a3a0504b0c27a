/** The style sheet of the API reference, in the colours of the page. */
export const style = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fdfdfc, #131512);
  --panel: light-dark(#f5f5f2, #191b18);
  --line: light-dark(#dfdfd9, #31352f);
  --ink: light-dark(#1b1d1a, #e8eae4);
  --muted: light-dark(#5c6058, #a0a599);
  --accent: light-dark(#2c6a3f, #86cb97);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, "DejaVu Sans Mono", monospace;
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  color: var(--ink);
  background: var(--paper);
  scroll-padding-top: 1rem;
}
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
nav { position: sticky; top: 0; max-height: 100vh; overflow: auto; padding: 1.5rem 1.25rem; border-right: 1px solid var(--line); background: var(--panel); }
nav ul { list-style: none; margin: 0.75rem 0 0; padding: 0; }
nav li { padding: 0.15rem 0; }
main { padding: 1.5rem 2rem 4rem; max-width: 62rem; }
h1 { font-size: 1.6rem; margin: 0 0 0.5rem; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 0.75rem; border-bottom: 1px solid var(--line); padding-bottom: 0.3rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
a { color: var(--accent); }
code, h3 { font-family: var(--mono); font-size: 0.9em; }
p { margin: 0.25rem 0; }
.muted { color: var(--muted); }
.method { display: inline-block; min-width: 4.2rem; color: var(--accent); font-weight: 700; }
.operation, .schema { padding: 0.9rem 0; border-bottom: 1px solid var(--line); }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) minmax(0, 1fr); gap: 0.2rem 1rem; margin: 0.5rem 0 0; }
dt { font-family: var(--mono); font-size: 0.87em; overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 48rem) {
  body { display: block; }
  nav { position: static; max-height: none; border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul { columns: 2; }
  main { padding: 1rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { padding: 0 0 0.4rem 1rem; }
}
`
