import { escapeHtml, type PageLink, renderPage } from '../page.ts';
import type { SquareStore } from './store.ts';
import { PUBLISHED_CARDS } from './testCards.ts';
import type { Money, Payment } from './types.ts';

const MAX_ROWS = 200;

const STYLE = `<style>
.payments td { vertical-align: top; }
.payments tr:target { background: var(--selected); }
.payments ol { margin: 4px 0 0; padding-left: 20px; }
.payments summary { cursor: pointer; color: var(--link); }
.payments .id { display: block; }
td.number, th.number { text-align: right; }
@media (min-width: 900px) { .tests { grid-template-columns: 1fr 1fr; align-items: start; } }
.tests .mono { overflow-wrap: normal; }
@media (max-width: 719px) {
  .payments td.number { text-align: left; font-size: 18px; font-weight: 650; }
  .payments summary { min-height: 44px; line-height: 44px; }
}
</style>`;

export function renderPaymentsPage(store: SquareStore, payments: Payment[], nav: PageLink[]): string {
  const newest = payments.slice(-MAX_ROWS).reverse();
  const rows = newest.map((payment) => renderRow(payment, store.history.get(payment.id) ?? []));
  const older = payments.length > MAX_ROWS ? `<p class="quiet">The newest ${MAX_ROWS} of ${payments.length}.</p>` : '';
  const table = `<table class="cards payments"><thead><tr><th>Status</th><th>Made</th><th>Card</th><th>Reference</th><th>History</th><th class="number">Amount</th></tr></thead>
<tbody>${rows.join('')}</tbody></table>`;
  const empty = '<p>No payments yet. Place an order and pay with one of the cards below.</p>';
  const body = `${STYLE}<p class="quiet">A stand-in for Square: it holds, captures and refunds, but no money moves. Times are UTC.</p>
<section class="card" aria-label="Payments">${newest.length ? table + older : empty}</section>${renderTestCards()}`;
  return renderPage({ title: 'Payments', body, nav });
}

const BADGE_CLASSES = {
  APPROVED: 'pending',
  COMPLETED: 'completed',
  CANCELED: 'cancelled',
  FAILED: 'cancelled',
} as const;
const STATUS_ICONS = { APPROVED: '○', COMPLETED: '✓', CANCELED: '✕', FAILED: '✕' } as const;

function renderRow(payment: Payment, history: { at: string; what: string }[]): string {
  const { id, status, card_details: details, refunded_money: refunded } = payment;
  const steps = history.map(
    ({ at, what }) => `<li>${escapeHtml(what)} <span class="quiet">${renderTime(at)}</span></li>`,
  );
  const last = history.at(-1)?.what ?? '';
  return `<tr id="${escapeHtml(id)}">
<td><span class="badge ${BADGE_CLASSES[status]}">${STATUS_ICONS[status]} ${status}</span></td>
<td class="quiet">${renderTime(payment.created_at)}</td>
<td>${escapeHtml(details.card.card_brand.replaceAll('_', ' '))} <span class="mono">…${escapeHtml(details.card.last_4)}</span></td>
<td><span class="mono">${escapeHtml(payment.reference_id ?? '–')}</span>${payment.note ? `<br>${escapeHtml(payment.note)}` : ''}<span class="id quiet mono">${escapeHtml(id)}</span></td>
<td><details><summary>${escapeHtml(last)}</summary><ol>${steps.join('')}</ol></details></td>
<td class="number">${formatMoney(payment.total_money)}${refunded ? `<br><span class="quiet">refunded ${formatMoney(refunded)}</span>` : ''}</td>
</tr>`;
}

const DECLINED_INPUTS = [
  ['Card number 4000 0000 0000 0002', 'declined'],
  ['CVV 911', 'the CVV is wrong'],
  ['ZIP 99999', 'the ZIP is wrong'],
  ['Expiration 01/40', 'the expiration date is wrong'],
] as const;

function renderTestCards(): string {
  const cards = PUBLISHED_CARDS.map(
    ({ brand, number, cvv }) =>
      `<tr><td>${brand}</td><td class="mono">${groupDigits(number)}</td><td class="mono number">${cvv}</td></tr>`,
  );
  const declines = DECLINED_INPUTS.map(([type, result]) => `<tr><td class="mono">${type}</td><td>${result}</td></tr>`);
  return `<div class="grid tests"><section class="card"><h2>Cards that pass</h2><p class="quiet">With any date to come and any five-digit ZIP.</p>
<table><thead><tr><th>Brand</th><th>Number</th><th class="number">CVV</th></tr></thead><tbody>${cards.join('')}</tbody></table></section>
<section class="card"><h2>Cards that are refused</h2><p class="quiet">The form takes them; the charge is declined.</p>
<table><thead><tr><th>Type</th><th>Result</th></tr></thead><tbody>${declines.join('')}</tbody></table></section></div>`;
}

function groupDigits(number: string): string {
  return number.length < 16
    ? number.replace(/^(\d{4})(\d{6})(\d+)$/, '$1 $2 $3')
    : number.replace(/(\d{4})(?=\d)/g, '$1 ');
}

function formatMoney({ amount }: Money): string {
  return `$${(amount / 100).toFixed(2)}`;
}

function renderTime(iso: string): string {
  return `<time datetime="${escapeHtml(iso)}">${escapeHtml(iso.slice(0, 19).replace('T', ' '))}</time>`;
}
