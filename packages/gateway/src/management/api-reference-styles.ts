/** How the reference page looks: the console's colours, in light and dark. */
export const styles = `
:root { --ground: #f6f8f8; --page: #fff; --text: #182022; --dim: #57656a; --line: #dde3e4; --link: #0a5862; --code: #eff4f4;
  --get: #1a5fa8; --change: #1a7f4b; --remove: #b42a2a; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #101516; --page: #161c1e; --text: #e3e8e9; --dim: #9ba9ad; --line: #2b3436; --link: #75c3bf; --code: #20282a;
    --get: #7fb5ee; --change: #53c78b; --remove: #f08a8a; }
}
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 270px minmax(0, 1fr); background: var(--page); color: var(--text);
  font: 14px/1.5 Inter, -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 16px; background: var(--ground);
  border-right: 1px solid var(--line); font-size: 13px; }
nav h2 { margin: 16px 0 4px; font-size: 12px; color: var(--dim); font-weight: 600; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 3px 0; min-height: 24px; color: inherit; text-decoration: none; }
nav li a:hover { text-decoration: underline; }
.brand { margin: 0; font-weight: 650; }
.brand a { color: inherit; text-decoration: none; display: inline-block; padding: 4px 0; }
main { padding: 28px 40px 80px; max-width: 1020px; }
h1 { font-size: 22px; margin: 0 0 12px; }
h2 { font-size: 17px; }
main > section > h2 { margin: 44px 0 0; padding-bottom: 8px; border-bottom: 1px solid var(--line); }
h3 { font-size: 15px; margin: 0 0 6px; }
h4 { font-size: 13px; margin: 16px 0 6px; }
small { font-weight: 400; color: var(--dim); font-size: 12px; }
article { padding: 24px 0; border-bottom: 1px solid var(--line); scroll-margin-top: 8px; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code { font: 12.5px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: var(--code); padding: 1px 4px;
  border-radius: 4px; overflow-wrap: anywhere; }
.call { margin: 0 0 8px; }
.method { font: 600 12px ui-monospace, Menlo, Consolas, monospace; color: var(--change); }
.method.get { color: var(--get); }
.method.delete { color: var(--remove); }
.access { color: var(--dim); margin: 4px 0; font-size: 13px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-top: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--dim); border-top: 0; font-size: 12px; }
th[scope="row"] { white-space: nowrap; }
details { margin: 8px 0 0; }
summary { cursor: pointer; color: var(--dim); font-size: 13px; min-height: 24px; }
details .scroll { padding-left: 12px; border-left: 2px solid var(--line); }
dl { display: grid; grid-template-columns: 48px 1fr; gap: 2px 8px; margin: 8px 0; font-size: 13px; }
dd { margin: 0; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; padding: 6px 12px; background: var(--page); z-index: 1; }
@media (max-width: 800px) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 20px 16px 60px; }
}
`;
