import { buildForm } from './form.js';
import { digitsOf, FIELDS, readDate } from './rules.js';

// Cards go to the sandbox that served this script, which may not be the page's server.
const CARDS_URL = new URL('../cards', import.meta.url).href;

// What Square's payments.card() returns.
export function createCard(options, errors) {
  const listeners = new Map();
  const form = buildForm((type, detail) => {
    for (const listener of listeners.get(type) ?? []) listener({ type, detail });
  });
  let state = 'new';
  configure(form, options, errors);

  function requireState(...allowed) {
    if (state === 'destroyed') throw new errors.PaymentMethodAlreadyDestroyedError('Card has already been destroyed');
    if (!allowed.includes(state)) throw new errors.PaymentMethodNotAttachedError('Card is not attached');
  }

  function requireField(name) {
    requireState('attached');
    if (!FIELDS[name]) throw new errors.InvalidFieldNameError(`${name} is not a field of the card form`);
  }

  return {
    async attach(target) {
      if (state === 'attached') throw new errors.PaymentMethodAlreadyAttachedError('Card is already attached');
      requireState('new');
      const element = typeof target === 'string' ? document.querySelector(target) : target;
      if (!element) throw new errors.ElementNotFoundError(`No element was found for ${target}`);
      element.append(form.root);
      state = 'attached';
    },
    async detach() {
      requireState('new', 'attached');
      form.root.remove();
      state = 'new';
      return true;
    },
    async destroy() {
      requireState('new', 'attached');
      form.root.remove();
      listeners.clear();
      state = 'destroyed';
      return true;
    },
    async configure(changes) {
      requireState('attached');
      configure(form, changes, errors);
    },
    async focus(name) {
      requireField(name);
      form.focus(name);
      return true;
    },
    async setError(name) {
      requireField(name);
      form.showError(name, form.problem(name) || `${FIELDS[name].label} is not valid`);
      return true;
    },
    async clear() {
      requireState('attached');
      for (const name of form.names) {
        form.write(name, '');
        form.showError(name, '');
      }
      return true;
    },
    recalculateSize: () => requireState('attached'),
    addEventListener(type, listener) {
      requireState('new', 'attached');
      if (typeof listener !== 'function') throw new errors.InvalidEventListenerCallbackError('Not a function');
      listeners.set(type, [...(listeners.get(type) ?? []), listener]);
    },
    removeEventListener(type, listener) {
      requireState('new', 'attached');
      listeners.set(
        type,
        (listeners.get(type) ?? []).filter((known) => known !== listener),
      );
    },
    async tokenize() {
      requireState('attached');
      return tokenize(form, errors);
    },
  };
}

function configure(form, { postalCode } = {}, errors) {
  if (postalCode === undefined) return;
  if (typeof postalCode !== 'string') throw new errors.InvalidOptionError('postalCode is not a string');
  form.write('postalCode', postalCode);
}

async function tokenize(form, errors) {
  const found = form.names
    .map((field) => ({ type: 'VALIDATION_ERROR', field, message: form.problem(field) }))
    .filter(({ message }) => message);
  if (found.length > 0) return refuse(form, found);
  const { month, year } = readDate(form.read('expirationDate'));
  const postalCode = form.read('postalCode');
  const card = { number: digitsOf(form.read('cardNumber')), expMonth: month, expYear: year };
  const body = JSON.stringify({ ...card, cvv: form.read('cvv'), postalCode });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(CARDS_URL, { method: 'POST', headers, body })
    .then((response) => response.json())
    .catch(() => undefined);
  if (answer?.errors?.length) return refuse(form, answer.errors);
  if (!answer?.ok) throw new errors.TokenizationError('The card could not be sent');
  return { status: 'OK', token: answer.token, details: { card: answer.card, method: 'Card', billing: { postalCode } } };
}

// Shows every problem at once and focuses the first.
function refuse(form, found) {
  for (const { field, message } of found) form.showError(field, message);
  form.focus(found[0].field);
  return { status: 'Invalid', errors: found };
}
