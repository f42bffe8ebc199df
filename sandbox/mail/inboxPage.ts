import { escapeHtml, type PageLink, renderPage } from '../page.ts';
import type { Message } from './inbox.ts';

const STYLE = `<style>
.mail { display: grid; grid-template-columns: minmax(260px, 360px) minmax(0, 1fr); gap: 16px; align-items: start; }
.mail .card { margin: 0; }
.list { padding: 0; overflow: hidden; }
.list ul { list-style: none; margin: 0; padding: 0; max-height: max(320px, calc(100vh - 232px)); overflow-y: auto; }
.list li + li { border-top: 1px solid var(--line); }
.list a { display: block; padding: 12px 16px; color: inherit; }
.list a:hover { background: var(--page); text-decoration: none; }
.list a[aria-current] { background: var(--selected); box-shadow: inset 3px 0 0 var(--link); }
.list a:focus-visible { outline-offset: -3px; }
.list .top { display: flex; justify-content: space-between; gap: 8px; }
.list .to { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--quiet); }
.list .top time { flex: none; color: var(--quiet); font-variant-numeric: tabular-nums; }
.list .subject { display: block; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.message dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; margin: 0 0 16px; }
.message dt { color: var(--quiet); } .message dd { margin: 0; overflow-wrap: anywhere; }
.message pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; max-width: 680px; }
.message iframe { width: 100%; height: 420px; resize: vertical; border: 1px solid var(--line); border-radius: 10px; background: #fff; color-scheme: light; }
.message details { margin-top: 16px; } .message summary { cursor: pointer; min-height: 44px; line-height: 44px; color: var(--link); }
.back { display: none; }
form.row label { flex: 1 1 240px; max-width: 360px; }
form.row .all { line-height: 44px; padding: 0 8px; }
@media (max-width: 719px) {
  .mail { grid-template-columns: minmax(0, 1fr); }
  .mail.reading .list, .mail:not(.reading) .message { display: none; }
  .list ul { max-height: none; }
  .mail:not(.reading) a[aria-current] { background: none; box-shadow: none; }
  .reading-page form.row { display: none; }
  .back { display: inline-flex; align-items: center; min-height: 44px; }
}
</style>`;

type InboxPage = {
  messages: Message[];
  selected: Message | undefined;
  isMessagePage: boolean;
  to: string;
  nav: PageLink[];
};

/** `reading`: this one message was opened, so a phone shows it instead of the list. */
export function renderInboxPage({ messages, selected: open, isMessagePage: reading, to, nav }: InboxPage): string {
  const query = to ? `?to=${encodeURIComponent(to)}` : '';
  const body = `${STYLE}
<div class="${reading ? 'reading-page' : ''}">
<form class="row" method="get" action="/sandbox/mail">
<label>Sent to <input type="search" name="to" value="${escapeHtml(to)}" placeholder="anyone" autocomplete="off" spellcheck="false"></label>
<button>Show</button><a class="all" href="/sandbox/mail${query}">Refresh</a>${to ? '<a class="all" href="/sandbox/mail">Show all</a>' : ''}
</form>
${messages.length ? '' : `<div class="card">${to ? `<p>Nothing has been sent to <b>${escapeHtml(to)}</b> yet.</p>` : '<p>No mail yet. Whatever the product sends lands here, and goes nowhere else.</p>'}</div>`}
${messages.length ? `<div class="mail${reading ? ' reading' : ''}">${renderMessageList(messages, open, query)}${open ? renderMessage(open, query) : ''}</div>` : ''}
</div>`;
  return renderPage({ title: 'Mail', body, nav });
}

function renderMessageList(messages: Message[], open: Message | undefined, query: string): string {
  const rows = messages.map(
    (message) => `<li><a href="/sandbox/mail/${message.id}${query}"${message === open ? ' aria-current="true"' : ''}>
<span class="top"><span class="to">${escapeHtml(message.to)}</span>${renderTime(message.date)}</span>
<span class="subject">${escapeHtml(message.subject || '(no subject)')}</span></a></li>`,
  );
  return `<nav class="card list" aria-label="Messages"><ul>${rows.join('')}</ul></nav>`;
}

function renderMessage(message: Message, query: string): string {
  const text = `<pre>${linkUrls(message.text)}</pre>`;
  return `<article class="card message">
<a class="back" href="/sandbox/mail${query}">← All messages</a>
<h2>${escapeHtml(message.subject || '(no subject)')}</h2>
<dl><dt>To</dt><dd>${escapeHtml(message.to)}</dd><dt>From</dt><dd>${escapeHtml(message.from)}</dd>
<dt>Sent</dt><dd>${renderTime(message.date)} UTC</dd>${renderUnsubscribe(message)}</dl>
${message.html === null ? text : `${renderHtmlFrame(message.html)}${message.text ? `<details><summary>As plain text</summary>${text}</details>` : ''}`}
</article>`;
}

function renderUnsubscribe({ unsubscribe }: Message): string {
  return unsubscribe ? `<dt>Unsubscribe</dt><dd><code>POST ${escapeHtml(unsubscribe)}</code></dd>` : '';
}

// The sandbox attribute blocks scripts in mails. Links open in a new tab, as in a mail program.
function renderHtmlFrame(html: string): string {
  const framed = `<base target="_blank"><style>body{font:16px/1.5 system-ui,sans-serif}</style>${html}`;
  return `<iframe title="Message" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(framed)}"></iframe>`;
}

// Only http addresses become links. Each part of the text is escaped separately.
function linkUrls(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/)
    .map((piece, index) =>
      index % 2 ? `<a href="${escapeHtml(piece)}" rel="noreferrer">${escapeHtml(piece)}</a>` : escapeHtml(piece),
    )
    .join('');
}

function renderTime(iso: string): string {
  return `<time datetime="${escapeHtml(iso)}">${escapeHtml(iso.slice(0, 16).replace('T', ' '))}</time>`;
}
