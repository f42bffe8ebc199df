import type { FastifyReply } from 'fastify';

export type PageLink = { href: string; text: string };

/** Escapes everything the stand-ins show: mails and payments contain text from strangers. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** `body` is HTML whose data is already escaped; `title` and `nav` are plain text. */
export function renderPage({ title, body, nav = [] }: { title: string; body: string; nav?: PageLink[] }): string {
  const links = nav.map(({ href, text }) => {
    const current = text === title ? ' aria-current="page"' : '';
    return `<a href="${escapeHtml(href)}"${current}>${escapeHtml(text)}</a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Rubadub sandbox</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<header class="frame"><a class="name" href="/sandbox">Rubadub <b>sandbox</b></a><nav aria-label="Sandbox">${links.join('')}</nav></header>
<main class="frame">
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

// No page may run scripts or load anything from elsewhere. Framed mails inherit this policy.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header('content-security-policy', CONTENT_SECURITY_POLICY)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(html);
}

const STYLE = `
:root {
  --page: #f5f8fa; --card: #ffffff; --line: #dfe7ec; --input-line: #7b8c96; --ink: #10222b; --quiet: #51626c;
  --brand: #0b6e8b; --brand-hover: #0a5a72; --on-brand: #ffffff; --link: #0b6e8b; --selected: #e8f6fa;
  --pending: #6b4e00; --pending-ground: #fff3c4; --progress: #0b4a86; --progress-ground: #d9ecff;
  --completed: #14532d; --completed-ground: #d8f5e1; --cancelled: #8f1d1d; --cancelled-ground: #fde2e1;
  --other: #3b4654; --other-ground: #eceff3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1a20; --card: #15252d; --line: #25383f; --input-line: #6b7f8a; --ink: #e6eff3; --quiet: #9db1bb;
    --brand: #47b0cd; --brand-hover: #72c3da; --on-brand: #06222c; --link: #72c3da; --selected: #1c3a46;
    --pending: #ffe08a; --pending-ground: #43350a; --progress: #a9d3ff; --progress-ground: #123455;
    --completed: #9fe3b4; --completed-ground: #12351f; --cancelled: #ffb4b0; --cancelled-ground: #4a1616;
    --other: #c6d0d9; --other-ground: #2a343c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 16px/1.5 'Inter Variable', Inter, system-ui, sans-serif; }
@media (min-width: 720px) { body { font-size: 14px; } }
.frame { max-width: 1200px; margin: 0 auto; padding: 0 16px; }
header.frame { display: flex; flex-wrap: wrap; align-items: center; gap: 0 24px; padding-top: 8px; padding-bottom: 8px; }
.name { color: var(--ink); font-weight: 650; font-size: 18px; }
.name b { color: var(--link); font-weight: 650; }
header nav { display: flex; flex-wrap: wrap; gap: 0 16px; }
header nav [aria-current] { font-weight: 650; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
header a { display: inline-flex; align-items: center; gap: 0.3em; min-height: 44px; }
a:focus-visible, button:focus-visible, input:focus-visible, summary:focus-visible {
  outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px;
}
main { padding-bottom: 48px !important; }
h1 { font-size: 28px; font-weight: 700; line-height: 1.2; margin: 16px 0 8px; }
h2 { font-size: 18px; font-weight: 600; line-height: 1.3; margin: 0 0 8px; }
p { margin: 0 0 12px; max-width: 680px; }
.quiet { color: var(--quiet); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 16px; margin: 16px 0; }
.grid { display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(260px, 100%), 1fr)); margin: 16px 0; }
.grid .card { margin: 0; }
table { border-collapse: collapse; width: 100%; }
th:last-child, td:last-child { padding-right: 0 !important; }
th, td { text-align: left; padding: 8px 12px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tr:last-child > td { border-bottom: 0; }
th { color: var(--quiet); font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
code, .mono { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-size: 0.93em; overflow-wrap: anywhere; }
.badge { display: inline-block; border-radius: 999px; padding: 1px 10px; font-weight: 600; font-size: 0.93em; white-space: nowrap; color: var(--other); background: var(--other-ground); }
.badge.pending { color: var(--pending); background: var(--pending-ground); }
.badge.progress { color: var(--progress); background: var(--progress-ground); }
.badge.completed { color: var(--completed); background: var(--completed-ground); }
.badge.cancelled { color: var(--cancelled); background: var(--cancelled-ground); }
form.row { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; margin: 16px 0; }
label { font-weight: 600; }
input {
  display: block; min-height: 44px; padding: 8px 12px; font: inherit; font-size: 16px; font-weight: 400; color: var(--ink); width: 100%;
  background: var(--card); border: 1px solid var(--input-line); border-radius: 10px;
}
input::placeholder { color: var(--quiet); opacity: 1; }
button {
  min-height: 44px; padding: 8px 20px; font: inherit; font-weight: 600; border: 0; border-radius: 10px;
  color: var(--on-brand); background: var(--brand); cursor: pointer;
}
button:hover { background: var(--brand-hover); }
@media (max-width: 719px) {
  table.cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table.cards, table.cards tbody, table.cards tr, table.cards td { display: block; }
  table.cards tr { border-bottom: 1px solid var(--line); padding: 8px 0; }
  table.cards tr:last-child { border-bottom: 0; }
  table.cards td { border: 0; padding: 2px 0; text-align: left; }
  table.cards td[data-name]::before { content: attr(data-name) ' '; color: var(--quiet); }
}
`;
