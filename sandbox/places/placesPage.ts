import { escapeHtml, renderPage } from '../page.ts';
import type { Gazetteer } from './gazetteer.ts';
import { toFeature } from './responses.ts';
import { findEntries } from './search.ts';

/** One request in the page's log. */
export type LoggedRequest = { at: number; path: string; params: [string, string][]; status: number; summary: string };

export function renderPlacesPage(gazetteer: Gazetteer, requests: readonly LoggedRequest[], text: string): string {
  const { city } = gazetteer;
  const body = `
<p class="quiet">Stands in for Mapbox's Search Box API, over the made-up city of ${escapeHtml(city.name)}:
${city.houses.length.toLocaleString('en')} doors on ${city.streets.length} streets, ${city.pointsOfInterest.length} places to go.
Any access token will do.</p>
<form class="row" method="get" action="/sandbox/places">
  <div class="ask"><label for="q">Search address</label><input id="q" name="q" type="search" maxlength="256" value="${escapeHtml(text)}" placeholder="12 Heron Street" autocomplete="off"></div>
  <button>Search</button>
</form>
<style>.ask { flex: 1 1 260px; max-width: 480px; } td.asks code + code { margin-left: 8px; }</style>
${text.trim() === '' ? '' : renderResults(gazetteer, text)}
<section class="card" aria-labelledby="requests"><h2 id="requests">What was asked</h2>${renderRequestLog(requests)}</section>`;
  return renderPage({ title: 'Places', body, nav: [{ href: '/sandbox/map', text: 'Map' }] });
}

function renderResults(gazetteer: Gazetteer, text: string): string {
  const found = findEntries(gazetteer, text, { limit: 10 });
  const rows = found.map((entry) => {
    const { properties } = toFeature(gazetteer, entry, { language: 'en' });
    const { latitude, longitude } = properties.coordinates;
    return `<tr><td>${escapeHtml(properties.name)}</td><td data-name="Kind"><span class="badge">${escapeHtml(
      properties.poi_category?.[0] ?? properties.feature_type,
    )}</span></td><td data-name="Where">${escapeHtml(properties.full_address)}</td><td data-name="Point"><a href="/sandbox/map?at=${longitude},${latitude}">${latitude}, ${longitude}</a></td></tr>`;
  });
  const table = `<table class="cards"><thead><tr><th>Name</th><th>Kind</th><th>Where</th><th>Point</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  const none = `<p class="quiet">Nothing in ${escapeHtml(gazetteer.city.name)} is called that.</p>`;
  return `<section class="card" aria-labelledby="found"><h2 id="found">Found</h2>${found.length > 0 ? table : none}</section>`;
}

function renderRequestLog(requests: readonly LoggedRequest[]): string {
  if (requests.length === 0)
    return '<p class="quiet">Nothing yet. Type an address in the app, and it shows up here.</p>';
  const rows = requests.map(({ at, path, params: asks, status, summary: outcome }) => {
    const shown = asks.map(([name, value]) => `<code>${escapeHtml(name)}=${escapeHtml(value)}</code>`).join(' ');
    const badge = `<span class="badge ${status === 200 ? 'completed' : 'cancelled'}">${status}</span>`;
    const time = new Date(at).toISOString();
    return `<tr><td data-name="At"><time datetime="${time}">${time.slice(11, 19)}</time></td><td data-name="Call"><code>${escapeHtml(path)}</code></td><td class="asks" data-name="Asked">${shown}</td><td data-name="Answer">${badge} ${escapeHtml(outcome)}</td></tr>`;
  });
  return `<table class="cards"><thead><tr><th>At (UTC)</th><th>Call</th><th>Asked</th><th>Answer</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}
