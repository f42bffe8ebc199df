import { expect, type Page } from '@playwright/test';

/**
 * Does to a page what translators of browsers do: each text node is replaced by a copy in `<font><font>`, also those that come
 * later. The words stay, so that a journey finds them. What the app writes into a text that was replaced is seen by nobody,
 * so it is reported as an error.
 */
export const TRANSLATE_PAGE = `{
  const NOT_TRANSLATED = 'title, script, style, textarea, noscript, [translate=no], font[data-translated]';
  const replaced = new WeakSet();
  const wrap = (text) => {
    if (!text.parentElement || text.data.trim() === '' || text.parentElement.closest(NOT_TRANSLATED)) return;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    outer.dataset.translated = '';
    inner.textContent = text.data;
    outer.append(inner);
    replaced.add(text);
    text.replaceWith(outer);
  };
  const translate = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return wrap(node);
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    texts.forEach(wrap);
  };
  const { get, set } = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeValue');
  Object.defineProperty(Node.prototype, 'nodeValue', {
    get,
    set(value) {
      if (replaced.has(this)) console.error('The page keeps "' + this.data + '" instead of "' + value + '".');
      set.call(this, value);
    },
  });
  new MutationObserver((changes) => {
    for (const { addedNodes, target, type } of changes) {
      if (type === 'characterData') translate(target);
      else addedNodes.forEach(translate);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}`;

/** The texts of the page that React holds as nodes of their own: those that stand beside other nodes of the same element. */
const FIND_BARE_TEXTS = `(() => {
  const root = document.getElementById('root');
  const key = Object.keys(root).find((name) => name.startsWith('__reactContainer$'));
  const bare = [];
  const HOST_TEXT = 6;
  const walk = (fiber) => {
    for (; fiber; fiber = fiber.sibling) {
      if (fiber.tag === HOST_TEXT && /\\S/.test(fiber.memoizedProps)) bare.push(fiber.memoizedProps);
      walk(fiber.child);
    }
  };
  walk(root[key].stateNode.current);
  return bare;
})()`;

/** Checks that no text of the page can be lost or crash it when a translator replaces its node. */
export async function expectNoBareText(page: Page): Promise<void> {
  const bare = await page.evaluate<string[]>(FIND_BARE_TEXTS);
  expect.soft(bare, `bare texts on ${page.url()}`).toEqual([]);
}
