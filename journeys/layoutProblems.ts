import { errors, type Page } from '@playwright/test';

/**
 * The problems of a screen's layout at this width: it scrolls sideways, a control or a word is cut, a word or a date is broken
 * over two lines, letters have a size that is not one of ours, words are not in the middle of their button, a field has small
 * letters, a row does not lead to its details, or the bar with the next step does not lie on the tabs.
 */
export async function findLayoutProblems(page: Page, width: number): Promise<string[]> {
  await resizeWindow(page, { width, height: 844 });
  return page.evaluate<string[]>(FIND_PROBLEMS);
}

/** The controls of a screen that are too small for a thumb, at its present width. Links within a text are as high as its lines. */
export const findSmallTargets = (page: Page): Promise<string[]> => page.evaluate<string[]>(FIND_SMALL_TARGETS);

const FIND_SMALL_TARGETS = `(() => {
  const [MIN_HEIGHT, MIN_WIDTH] = [44, 24];
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && element.getBoundingClientRect().width > 1
    && element.closest('.skip-link, .sr-only, .maplibregl-map') === null;
  const controls = [...document.querySelectorAll('a, button, summary, input, select, textarea')].filter(isShown);
  return controls.flatMap((control) => {
    if (control.tagName === 'A' && getComputedStyle(control).display === 'inline') return [];
    // It covers the card around it.
    if (getComputedStyle(control, '::after').position === 'absolute') return [];
    const { width, height } = (control.closest('label') ?? control).getBoundingClientRect();
    const name = (control.getAttribute('aria-label') ?? control.textContent).trim().slice(0, 40);
    const isSmall = Math.round(height) < MIN_HEIGHT || Math.round(width) < MIN_WIDTH;
    return isSmall ? [Math.round(width) + ' x ' + Math.round(height) + ' px: ' + name] : [];
  });
})()`;

/** Resizes the window and waits until the page has the layout of that size: a press before it would hit what was there. */
export async function resizeWindow(
  page: Page,
  size: { readonly width: number; readonly height: number },
): Promise<void> {
  await page.setViewportSize(size);
  await page.waitForFunction(`innerWidth === ${size.width}`);
  // Media queries report a resize with the next frame. After a resize headless Chromium sometimes draws none by itself, but it does
  // for a screenshot. On a busy machine a screenshot sometimes hangs; the next one does not.
  while (!(await page.evaluate<boolean>(DRAW_FRAMES)))
    await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 }, timeout: 5_000 }).catch(throwUnlessTimeout);
}

function throwUnlessTimeout(error: unknown): void {
  if (!(error instanceof errors.TimeoutError)) throw error;
}

/** Whether the browser drew three frames soon: one for the resize, and two for what React does after it. */
const DRAW_FRAMES = `Promise.race([
  (async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    return true;
  })(),
  new Promise((resolve) => setTimeout(resolve, 500, false)),
])`;

const FIND_PROBLEMS = `(() => {
  const TOLERANCE = 2;
  const problems = [];
  const screenWidth = document.documentElement.clientWidth;
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const nameOf = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40);
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && element.getBoundingClientRect().width > 1
    && element.closest('.skip-link, .sr-only, .maplibregl-map') === null;

  /** How much of a box the overflow of its ancestors hides, in pixels. What is in a row that scrolls sideways is hidden with its row. */
  const hiddenPixels = (box, element) => {
    const row = element.closest('[data-scrolls]');
    if (row !== null) return hiddenPixels(row.getBoundingClientRect(), row.parentElement);
    let [left, right, top, bottom] = [0, screenWidth, -Infinity, Infinity];
    for (let outer = element; outer !== null && outer !== document.body; outer = outer.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(outer);
      const clip = outer.getBoundingClientRect();
      if (overflowX !== 'visible') [left, right] = [Math.max(left, clip.left), Math.min(right, clip.right)];
      if (/hidden|clip/.test(overflowY)) [top, bottom] = [Math.max(top, clip.top), Math.min(bottom, clip.bottom)];
      if (position === 'fixed') break;
    }
    return Math.max(left - box.left, box.right - right, top - box.top, box.bottom - bottom);
  };

  const textsIn = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) {
      const text = walker.currentNode;
      const element = text.parentElement;
      if (text.data.trim() !== '' && isShown(element) && getComputedStyle(element).clipPath === 'none') texts.push(text);
    }
    return texts;
  };
  const rectsOf = (text, start = 0, end = text.data.length) => {
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, end);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  const linesOf = (rects) => rects.filter(({ top }, index) => index === 0 || top - rects[index - 1].top > 4).length;

  if (document.documentElement.scrollWidth > screenWidth)
    problems.push('the page is ' + document.documentElement.scrollWidth + ' px wide');

  for (const control of all('a, button, input, select, textarea').filter(isShown)) {
    if (hiddenPixels(control.getBoundingClientRect(), control.parentElement) > TOLERANCE)
      problems.push('cut control: ' + nameOf(control));
  }

  // What ends in an ellipsis says the whole of itself in its title.
  const isEllipsis = ({ title, textContent }) => title !== '' && title === textContent;
  for (const text of textsIn(document.body)) {
    if (!isEllipsis(text.parentElement) && rectsOf(text).some((box) => hiddenPixels(box, text.parentElement) > TOLERANCE))
      problems.push('cut text: ' + text.data.trim().slice(0, 40));
    for (const word of text.data.matchAll(/(?<=^|\\s)\\p{L}{2,14}(?=[.,:;!?]?(?:\\s|$))/gu))
      if (linesOf(rectsOf(text, word.index, word.index + word[0].length)) > 1) problems.push('broken word: ' + word[0]);
  }

  const sizes = ['caption', 'small', 'body', 'heading', 'title', 'hero'].map((name) => {
    const probe = document.createElement('span');
    probe.style.fontSize = 'var(--size-' + name + ')';
    document.body.append(probe);
    const { fontSize } = getComputedStyle(probe);
    probe.remove();
    return fontSize;
  });
  for (const { data, parentElement } of textsIn(document.body)) {
    const { fontSize } = getComputedStyle(parentElement);
    if (!sizes.includes(fontSize) && !parentElement.closest('svg'))
      problems.push('letters of ' + fontSize + ': ' + data.trim().slice(0, 40));
  }

  for (const time of all('time').filter(isShown))
    if (linesOf(textsIn(time).flatMap((text) => rectsOf(text))) > 1) problems.push('broken date: ' + nameOf(time));

  const hasBox = (element) => {
    const { backgroundColor, borderTopWidth, borderTopColor } = getComputedStyle(element);
    const isTransparent = (color) => /, 0\\)$|^transparent$/.test(color);
    return !isTransparent(backgroundColor) || (borderTopWidth !== '0px' && !isTransparent(borderTopColor));
  };
  for (const button of all('a, button').filter((one) => isShown(one) && hasBox(one))) {
    const rects = textsIn(button).flatMap((text) => rectsOf(text));
    if (rects.length === 0 || linesOf(rects) > 1) continue;
    const box = button.getBoundingClientRect();
    const offset = (Math.min(...rects.map((one) => one.top)) + Math.max(...rects.map((one) => one.bottom))) / 2
      - (box.top + box.bottom) / 2;
    if (Math.abs(offset) > TOLERANCE) problems.push('words ' + offset.toFixed(1) + ' px off the middle: ' + nameOf(button));
    const outside = rects.some((one) => one.left < box.left || one.right > box.right);
    if (outside) problems.push('words wider than their button: ' + nameOf(button));
  }

  // Below 16 pixels, an iPhone zooms in when somebody begins to type, and out of the page's layout.
  const noText = ['checkbox', 'radio', 'range', 'color', 'file', 'hidden', 'button', 'submit'];
  for (const field of all('input, select, textarea').filter(isShown)) {
    const size = parseFloat(getComputedStyle(field).fontSize);
    if (!noText.includes(field.type) && size < 16) problems.push('letters of ' + size + ' px in a field: ' + field.name);
  }

  // What lies behind an open dialog cannot be pressed.
  const dialog = all('[aria-modal="true"]').find(isShown);
  for (const row of all('[data-row]', dialog ?? document)) {
    const details = all('a', row).find((link) => link.textContent === 'View Details');
    if (!details || hiddenPixels(details.getBoundingClientRect(), details.parentElement) > TOLERANCE) {
      problems.push('no visible way to the details: ' + nameOf(row));
      continue;
    }
    row.scrollIntoView({ block: 'center' });
    const { left, top } = row.getBoundingClientRect();
    // A toast may lie over the row for a moment.
    const corner = document.elementsFromPoint(left + 8, top + 8).find((one) => one.closest('[aria-label="Notifications"]') === null);
    if (corner?.closest('[popover], [role="dialog"]')) continue;
    if (corner?.closest('a') !== details) problems.push('not the whole row is its link: ' + nameOf(row));
  }
  scrollTo(0, 0);

  const tabs = all('nav').find((nav) => isShown(nav) && getComputedStyle(nav).position === 'fixed');
  for (const bar of all('[data-bottom-bar]').filter(isShown)) {
    const gap = (tabs?.getBoundingClientRect().top ?? 0) - bar.getBoundingClientRect().bottom;
    if (tabs && Math.abs(gap) > TOLERANCE) problems.push('the bar is ' + Math.round(gap) + ' px above the tabs');
  }
  return [...new Set(problems)];
})()`;
