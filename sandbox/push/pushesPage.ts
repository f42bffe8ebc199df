import { escapeHtml, type PageLink, renderPage } from '../page.ts';
import type { PushMessageView } from './messageStore.ts';

/** The received pushes, decrypted where the keys are known. */
export function renderPushesPage({
  pushes,
  base,
  nav,
}: {
  pushes: PushMessageView[];
  base: string;
  nav: PageLink[];
}): string {
  const about = `<p class="quiet">A push service that takes any subscription below <code>${escapeHtml(base)}/</code> and shows nothing on
any screen. Pushes are encrypted for the browser that subscribed, so only those to subscriptions made here (<code>POST ${escapeHtml(base)}/subscriptions</code>) can be read.</p>`;
  const body = pushes.length
    ? `${about}<div class="card"><table class="cards"><thead><tr><th>Arrived (UTC)</th><th>To</th><th>What</th><th>Kept for</th><th>Urgency</th></tr></thead><tbody>${pushes.map(renderRow).join('')}</tbody></table></div>`
    : `${about}<div class="card"><p>No push yet.</p></div>`;
  return renderPage({ title: 'Pushes', body, nav });
}

function renderRow({ date, to, text, body, ttl, urgency }: PushMessageView): string {
  const size = Buffer.byteLength(body, 'base64');
  const what = text === null ? `<span class="quiet">encrypted, ${size} bytes</span>` : renderText(text);
  return `<tr><td data-name="Arrived">${escapeHtml(date.slice(0, 19).replace('T', ' '))}</td>
<td data-name="To"><code>${escapeHtml(to)}</code></td><td data-name="What">${what}</td>
<td data-name="Kept for">${ttl} s</td><td data-name="Urgency">${escapeHtml(urgency)}</td></tr>`;
}

function renderText(text: string): string {
  try {
    const { title, body, url } = JSON.parse(text) as { title?: unknown; body?: unknown; url?: unknown };
    return `<b>${escapeHtml(String(title))}</b><br>${escapeHtml(String(body))}<br><code>${escapeHtml(String(url))}</code>`;
  } catch {
    return escapeHtml(text);
  }
}
