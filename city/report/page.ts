import { escapeHtml } from '../../sandbox/page.ts';
import { describeSeen, SLOT_S } from './figures.ts';
import { MEASURE_NAMES, type Measures } from './measures.ts';
import type { Report } from './report.ts';

/** The report as a page that needs nothing else. With a day before it, both are compared. */
export function renderReportPage(report: Report, compared?: { before: Report; changes: string }): string {
  const { command, seconds, people, requests, slowest, findings } = report;
  const verdict =
    findings.length === 0
      ? '<p class="good">Every promise held.</p>'
      : `<p class="bad">${findings.length} contradictions.</p>`;
  const title = compared
    ? `What if: ${compared.changes.replaceAll('=', ' = ').replaceAll(',', ', ')}`
    : 'A day in the city';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>
<h1>${escapeHtml(title)}</h1>${verdict}
<p>${people} people, ${seconds} seconds, ${requests} requests: half of them answered within ${slowest.p50} ms, 99 of 100 within ${slowest.p99} ms.</p>
<p><code>${escapeHtml(command)}</code></p>
${renderMeasures(report.measures, compared?.before.measures)}
${renderWindows(report.windows)}
${findings.map(renderFinding).join('')}
${renderLine(report.requestsBySlot)}
${renderBars('Orders', report.orders)}${renderBars('Answers by status', report.answers)}${renderBars('Also counted', report.counts)}${renderFaults(report.faults)}
</main></body></html>
`;
}

function renderMeasures(measures: Measures | undefined, before: Measures | undefined): string {
  if (!measures) return '';
  const rows = (Object.keys(MEASURE_NAMES) as (keyof Measures)[]).map((name) => {
    const most = Math.max(measures[name] ?? 0, before?.[name] ?? 0) || 1;
    const values = [...(before ? [['as it is', before[name]] as const] : []), ['what if', measures[name]] as const];
    const bars = values.map(
      ([label, value]) =>
        `<div class="measure">${before ? `<span>${label}</span>` : ''}<b>${value ?? '–'}</b>${renderBar(value ?? 0, most)}</div>`,
    );
    return `<tr><th scope="row">${escapeHtml(MEASURE_NAMES[name])}</th><td>${bars.join('')}</td></tr>`;
  });
  return `<section><h2>The day, in minutes of the city</h2><table class="measures">${rows.join('')}</table></section>`;
}

/** How full the windows of the day were, day by day. */
function renderWindows({ places, used }: Report['windows']): string {
  if (used.length === 0) return '';
  const days = Map.groupBy(used, ({ from }) => from.slice(0, 10));
  const tables = [...days].map(([day, windows]) => {
    const rows = windows.map(
      ({ kind, from, taken }) =>
        `<tr><th scope="row">${from.slice(11, 16)}, ${kind}</th><td class="count">${taken} of ${places}</td><td>${renderBar(taken, places)}</td></tr>`,
    );
    return `<h3>${formatDay(day)}</h3><table>${rows.join('')}</table>`;
  });
  return `<section><h2>Windows with orders, and how many of their places are taken</h2>${tables.join('')}</section>`;
}

const formatDay = (day: string) =>
  new Date(`${day}T00:00Z`).toLocaleDateString('en', {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });

const CHART = { width: 800, height: 160, margin: 4 };

/** Requests a second over the run. */
function renderLine(slots: readonly number[]): string {
  if (slots.length < 2) return '';
  const { width, height, margin } = CHART;
  const most = Math.max(...slots, 1);
  const points = slots.map((count, n) => {
    const x = (n / (slots.length - 1)) * width;
    return `${x.toFixed(1)},${(height - margin - (count / most) * (height - 2 * margin)).toFixed(1)}`;
  });
  const label = `Requests a second, at most ${Math.round(most / SLOT_S)}, over ${slots.length * SLOT_S} seconds`;
  return `<section><h2>${label}</h2><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}"><polyline points="${points.join(' ')}"/></svg></section>`;
}

function renderBars(title: string, values: Readonly<Record<string, number>>): string {
  const rows = Object.entries(values);
  if (rows.length === 0) return '';
  const most = Math.max(...rows.map(([, count]) => count));
  const bars = rows.map(
    ([name, count]) =>
      `<tr><th scope="row">${escapeHtml(name.replaceAll('_', ' '))}</th><td class="count">${count}</td><td>${renderBar(count, most)}</td></tr>`,
  );
  return `<section><h2>${escapeHtml(title)}</h2><table>${bars.join('')}</table></section>`;
}

/** What was broken on purpose, and what people saw of it. */
function renderFaults(faults: Report['faults']): string {
  if (faults.length === 0) return '';
  const rows = faults.map(
    (fault) =>
      `<tr><td class="count">${(fault.at / 1000).toFixed(1)} s</td><th scope="row">${escapeHtml(fault.what)}</th><td>${escapeHtml(describeSeen(fault))}</td></tr>`,
  );
  return `<section><h2>Broken on purpose, and what people saw until the next time</h2><table>${rows.join('')}</table></section>`;
}

const renderBar = (value: number, most: number) =>
  `<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${((100 * value) / most).toFixed(1)}" height="1"/></svg>`;

function renderFinding({ promise, what, trace }: Report['findings'][number]): string {
  const lines = trace.map(
    ({ at, who, what: did }) =>
      `<tr><td class="count">${(at / 1000).toFixed(2)} s</td><th scope="row">${escapeHtml(who)}</th><td>${escapeHtml(did)}</td></tr>`,
  );
  return `<section class="finding"><h2>${escapeHtml(what)}</h2><p>The promise: ${escapeHtml(promise)}.</p><table>${lines.join('')}</table></section>`;
}

const STYLE = `
:root { color-scheme: light dark; --brand: light-dark(#0b6e8b, #47b0cd); font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#f5f8fa, #0e1a20); color: light-dark(#10222b, #e6eff3); }
main { max-width: 56rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
section { background: light-dark(#fff, #15252d); border: 1px solid light-dark(#dfe7ec, #25383f); border-radius: 12px; padding: 1rem; margin: 1rem 0; }
h1 { font-size: 1.75rem; line-height: 1.2; } h2 { font-size: 1.1rem; margin: 0 0 0.5rem; } h3 { font-size: 1rem; margin: 0.75rem 0 0.25rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.25rem 1rem 0.25rem 0; vertical-align: top; font-weight: 400; }
.measures th { width: 50%; } th { width: 40%; } td:last-child { padding-right: 0; }
.count { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; width: 1%; }
.measure { display: grid; grid-template-columns: 5rem 5rem 1fr; gap: 0.5rem; align-items: center; }
.measure:not(:has(span)) { grid-template-columns: 5rem 1fr; } .measure b { font-variant-numeric: tabular-nums; text-align: right; }
.bar { height: 0.6rem; background: light-dark(#dfe7ec, #25383f); border-radius: 4px; vertical-align: middle; } rect { fill: var(--brand); } svg { width: 100%; }
@media (max-width: 40rem) { .measures tr, .measures th, .measures td { display: block; width: auto; } }
 polyline { fill: none; stroke: var(--brand); stroke-width: 2; }
.good { color: light-dark(#14532d, #9fe3b4); font-weight: 600; } .bad { color: light-dark(#8f1d1d, #ffb4b0); font-weight: 600; }
.finding { border-left: 4px solid light-dark(#8f1d1d, #ffb4b0); } .finding th { width: 6rem; } .finding td:last-child { width: auto; }
`;
