import { escapeHtml, type PageLink, page } from '../page.ts';
import type { Shown } from './messageStore.ts';

// What arrived, and what of it can be read here.
export function showPushes({ pushes, base, nav }: { pushes: Shown[]; base: string; nav: PageLink[] }): string {
  const about = `<p class="quiet">A push service that takes any subscription below <code>${escapeHtml(base)}/</code> and shows nothing on
any screen. Pushes are encrypted for the browser that subscribed, so only those to subscriptions made here (<code>POST ${escapeHtml(base)}/subscriptions</code>) can be read.</p>`;
  const body = pushes.length
    ? `${about}<div class="card"><table class="cards"><thead><tr><th>Arrived (UTC)</th><th>To</th><th>What</th><th>Kept for</th><th>Urgency</th></tr></thead><tbody>${pushes.map(showRow).join('')}</tbody></table></div>`
    : `${about}<div class="card"><p>No push yet.</p></div>`;
  return page({ title: 'Pushes', body, nav });
}

function showRow({ date, to, text, body, ttl, urgency }: Shown): string {
  const size = Buffer.byteLength(body, 'base64');
  const what = text === null ? `<span class="quiet">encrypted, ${size} bytes</span>` : showText(text);
  return `<tr><td data-name="Arrived">${escapeHtml(date.slice(0, 19).replace('T', ' '))}</td>
<td data-name="To"><code>${escapeHtml(to)}</code></td><td data-name="What">${what}</td>
<td data-name="Kept for">${ttl} s</td><td data-name="Urgency">${escapeHtml(urgency)}</td></tr>`;
}

function showText(text: string): string {
  try {
    const { title, body, url } = JSON.parse(text) as { title?: unknown; body?: unknown; url?: unknown };
    return `<b>${escapeHtml(String(title))}</b><br>${escapeHtml(String(body))}<br><code>${escapeHtml(String(url))}</code>`;
  } catch {
    return escapeHtml(text);
  }
}
