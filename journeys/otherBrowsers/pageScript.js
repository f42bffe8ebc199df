// Runs inside the page, where it finds elements as a person or a screen reader names them. It waits with a deadline, because
// the screens change while requests are on their way. `PageRequest` in tab.ts describes what it is asked for.

const SELECTORS = {
  button: 'button, [role="button"]',
  link: 'a[href]',
  field: 'input, textarea, select, [role="combobox"]',
  option: '[role="option"]',
};
const POLL_MS = 50;
const DEADLINE_MS = 25_000;

// Unlike textContent, innerText leaves out what is hidden.
// biome-ignore lint/performance/useDomNodeTextContent: see above
const visibleText = () => clean(document.body.innerText);
const clean = (text) => (text ?? '').replace(/\s+/g, ' ').trim();

function nameOf(element) {
  const labelledBy = (element.getAttribute('aria-labelledby') ?? '').split(' ').filter(Boolean);
  const texts = labelledBy.map((id) => document.getElementById(id)?.textContent);
  const labels = [...(element.labels ?? [])].map((label) => label.textContent);
  return (
    clean(element.getAttribute('aria-label') ?? (texts.length ? texts : labels).join(' ')) || clean(element.textContent)
  );
}

/** Mantine hides the input of a radio and draws its label. */
const visiblePart = (element) => (element.type === 'radio' && element.labels?.[0]) || element;

function isVisible(element) {
  const { width, height } = element.getBoundingClientRect();
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible';
}

const isBusy = (element) => element.disabled || element.getAttribute('aria-busy') === 'true';

function findElement({ kind, name, exact = true }) {
  const open = [...document.querySelectorAll('[role="dialog"]')].filter(isVisible).at(-1);
  const candidates = [...(open ?? document).querySelectorAll(SELECTORS[kind])];
  const matches = candidates.filter((element) => {
    const own = nameOf(element);
    return (exact ? own === name : own.includes(name)) && isVisible(visiblePart(element)) && !isBusy(element);
  });
  return matches[0];
}

/** The point to click, if nothing covers it. */
function clickPointOf(element) {
  const part = visiblePart(element);
  part.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = part.getBoundingClientRect();
  const point = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
  return part.contains(document.elementFromPoint(point.x, point.y)) ? point : undefined;
}

/** Finds the point again and again until the element has stopped moving. */
function createStablePointFinder(request) {
  let last;
  return () => {
    const element = findElement(request);
    const point = element && clickPointOf(element);
    const isSame = last && point && last.element === element && last.point.x === point.x && last.point.y === point.y;
    last = point && { element, point };
    if (isSame) watchNextClick(visiblePart(element));
    return isSame ? point : undefined;
  };
}

/** A page that updates itself can move between the look and the click. */
function watchNextClick(part) {
  const click = { isHit: false };
  addEventListener('click', ({ target }) => (click.isHit = part.contains(target)), { capture: true, once: true });
  window.lastClick = click;
}

async function waitFor(look) {
  const deadline = performance.now() + DEADLINE_MS;
  while (performance.now() < deadline) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

/** Answers a request with `{ value }`, or with `{ error }` that says what the page shows instead. */
// biome-ignore lint/correctness/noUnusedVariables: the driver calls it in the page
async function answer(request) {
  const looks = {
    point: createStablePointFinder(request),
    text: () => visibleText().toLowerCase().includes(clean(request.name).toLowerCase()),
    address: () => location.hash === request.name,
    value: () => findElement(request)?.value,
  };
  // A click that loads a new document is not remembered there. It did something, so it met its element.
  if (request.want === 'hit') return { value: window.lastClick?.isHit ?? true };
  const value = await waitFor(looks[request.want]);
  const shown = `${location.href}: ${visibleText().slice(0, 1500)}`;
  return value === undefined
    ? { error: `no ${request.kind ?? request.want} "${request.name}" at ${shown}` }
    : { value };
}
