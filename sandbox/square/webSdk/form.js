import { brandOf, digitsOf, FIELDS, UNKNOWN } from './rules.js';

const DARK = `--sb-ink: var(--mantine-color-text, #e6eff3); --sb-quiet: #9db1bb; --sb-ground: var(--mantine-color-body, #15252d);
  --sb-line: #6b7f8a; --sb-focus: #72c3da; --sb-wrong: #ffb4b0;`;
const STYLE = `
  .sandbox-card { --sb-ink: var(--mantine-color-text, #10222b); --sb-quiet: #51626c; --sb-ground: var(--mantine-color-body, #fff);
    --sb-line: #7b8c96; --sb-focus: #0b6e8b; --sb-wrong: #b42318; font: inherit; color: var(--sb-ink); text-align: left;
    container-type: inline-size; }
  @media (prefers-color-scheme: dark) { :root:not([data-mantine-color-scheme='light']) .sandbox-card { ${DARK} } }
  :root[data-mantine-color-scheme='dark'] .sandbox-card { ${DARK} }
  .sandbox-card .fields { display: grid; gap: 4px 12px; grid-template-columns: minmax(0, 1.4fr) minmax(0, 1fr) minmax(0, 1fr); }
  .sandbox-card .cardNumber { grid-column: 1 / -1; }
  .sandbox-card .field { display: grid; grid-row: span 3; grid-template-rows: subgrid; min-width: 0; }
  .sandbox-card label { font-weight: 600; font-size: 14px; line-height: 1.35; align-self: end; margin-top: 4px; }
  .sandbox-card input { box-sizing: border-box; width: 100%; min-height: 44px; padding: 8px 12px; margin: 0; font: inherit;
    font-size: 16px; font-variant-numeric: tabular-nums; color: inherit; background: var(--sb-ground);
    border: 1px solid var(--sb-line); border-radius: 10px; }
  .sandbox-card input:focus { outline: 2px solid var(--sb-focus); outline-offset: 1px; }
  .sandbox-card input[aria-invalid='true'] { border-color: var(--sb-wrong); }
  .sandbox-card p { margin: 0; min-height: 4px; font-size: 14px; line-height: 1.4; }
  .sandbox-card .wrong { color: var(--sb-wrong); }
  .sandbox-card .note { color: var(--sb-quiet); margin-top: 8px; }
  @container (max-width: 399px) {
    .sandbox-card .fields { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .sandbox-card .expirationDate { grid-column: 1 / -1; }
  }`;

// A constructed stylesheet works under a strict content security policy.
let sheet;
function addStyle() {
  if (sheet) return;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

// Keeps the caret after the same digit when typing in the middle of a number.
function reformat(input, format) {
  const before = digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length;
  const isAtEnd = input.selectionStart === input.value.length;
  const wanted = format(input.value);
  if (wanted === input.value) return;
  input.value = wanted;
  if (isAtEnd) return;
  let caret = 0;
  for (let seen = 0; caret < wanted.length && seen < before; caret += 1) seen += /\d/.test(wanted[caret]) ? 1 : 0;
  input.setSelectionRange(caret, caret);
}

let forms = 0;

function buildField(name, form) {
  const { label, autocomplete } = FIELDS[name];
  const id = `sandbox-card-${form}-${name}`;
  const field = document.createElement('div');
  const caption = document.createElement('label');
  const input = document.createElement('input');
  const wrong = document.createElement('p');
  field.className = `field ${name}`;
  caption.htmlFor = id;
  caption.textContent = label;
  Object.assign(input, {
    id,
    name,
    autocomplete,
    type: 'text',
    inputMode: 'numeric',
    required: true,
    spellcheck: false,
  });
  wrong.id = `${id}-wrong`;
  wrong.className = 'wrong';
  field.append(caption, input, wrong);
  return { field, input, wrong };
}

// The four labelled inputs. `emit` receives the event's name, the field's name and the event's details.
export function buildForm(emit) {
  addStyle();
  forms += 1;
  const names = Object.keys(FIELDS);
  const fields = Object.fromEntries(names.map((name) => [name, buildField(name, forms)]));
  const note = document.createElement('p');
  note.className = 'note';
  note.textContent = 'Practice form: use a test card such as 4111 1111 1111 1111, never a real one.';
  const root = document.createElement('div');
  root.className = 'sandbox-card';
  const row = document.createElement('div');
  row.className = 'fields';
  row.append(...names.map((name) => fields[name].field));
  root.append(row, note);

  const form = {
    root,
    names,
    brand: UNKNOWN.name,
    read: (name) => fields[name].input.value,
    write(name, text) {
      fields[name].input.value = FIELDS[name].format(text);
    },
    focus: (name) => fields[name].input.focus(),
    problem: (name) => FIELDS[name].check(form.read(name), form.read('cardNumber')),
    showError(name, message) {
      if (markError(fields[name], message)) tell(message ? 'errorClassAdded' : 'errorClassRemoved', name);
    },
  };
  const tell = (eventType, name) => emit(eventType, describeEvent(form, fields[name].input, eventType));
  for (const name of names) listen(form, name, fields[name].input, tell);
  return form;
}

function listen(form, name, input, tell) {
  input.addEventListener('input', () => {
    reformat(input, FIELDS[name].format);
    form.showError(name, '');
    if (name === 'postalCode') tell('postalCodeChanged', name);
    const brand = brandOf(form.read('cardNumber')).name;
    if (brand === form.brand) return;
    form.brand = brand;
    tell('cardBrandChanged', name);
  });
  input.addEventListener('focus', () => tell('focusClassAdded', name));
  input.addEventListener('blur', () => {
    if (input.value) form.showError(name, form.problem(name));
    tell('focusClassRemoved', name);
  });
  input.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') tell('submit', name);
    if (key === 'Escape') tell('escape', name);
  });
}

// Returns whether the field changed between valid and invalid.
function markError({ input, wrong }, message) {
  const wasWrong = wrong.textContent !== '';
  wrong.textContent = message;
  if (message) {
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', wrong.id);
  } else {
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
  return wasWrong !== (message !== '');
}

function describeEvent(form, input, eventType) {
  const isValid = form.problem(input.name) === '';
  const hasFocusClass = document.activeElement === input;
  const currentState = {
    hasErrorClass: input.getAttribute('aria-invalid') === 'true',
    hasFocusClass,
    isCompletelyValid: isValid,
    isEmpty: input.value === '',
    isPotentiallyValid: isValid || hasFocusClass,
  };
  return {
    cardBrand: form.brand,
    currentState,
    eventType,
    field: input.name,
    postalCodeValue: form.read('postalCode'),
  };
}
